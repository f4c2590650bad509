import type { Dispute, DisputeSummary } from "#src/disputes/dispute.ts";
import type { ListedDispute } from "#src/disputes/dispute-list.ts";
import type { WalletKey } from "#src/accounts/wallet-key.ts";
import type { WalletClient } from "#src/wallet/client.ts";
import { WalletError, type WalletErrorKind } from "#src/shared/errors.ts";
import { cents } from "#src/shared/money.ts";
import { sampleDispute } from "./dispute-samples.ts";

/** The service's side of disputes, scripted by the test. */
export interface ModelDisputes {
  /** By infraction id, in list order. */
  readonly there: Map<string, Dispute>;
  /** A dispute's row in the list; by default all fields of the detail. Undefined: the list lacks it. */
  listed: (dispute: Dispute) => ListedDispute | undefined;
  /** Called before each read with `summary`, `list` or a dispute's id. */
  failing: (what: string) => WalletErrorKind | undefined;
  onRead: (infractionId: string) => Promise<void>;
  /** Whether the service refuses the key. */
  refuses: (apiKey: string) => boolean;
  readonly reads: string[];
  /** Opens a dispute with `hours` left to answer. */
  readonly add: (infractionId: string, hours: number, given?: Partial<Dispute>) => Dispute;
  readonly change: (infractionId: string, given: Partial<Dispute>) => void;
  readonly wallet: Pick<WalletClient, "dispute" | "disputes" | "disputeSummary">;
}

const failure = (kind: WalletErrorKind): WalletError =>
  new WalletError({ kind, method: "GET", route: "/v1/test" });

/** A list row with the id only. */
export const idAlone = ({ infractionId }: Dispute): ListedDispute => ({
  infractionId,
  txid: undefined,
  amount: undefined,
  frozen: undefined,
  status: undefined,
  analysisStatus: undefined,
  contestedAt: undefined,
  dueAt: undefined,
});

/** The service's counts of them. */
export const summaryOf = (disputes: readonly Dispute[]): DisputeSummary => {
  const byStatus = (value: string) => disputes.filter(({ status }) => status === value).length;
  const byAnalysis = (value: string) =>
    disputes.filter(({ analysisStatus }) => analysisStatus === value).length;
  return {
    byStatus: {
      pending: byStatus("pending"),
      agreed: byStatus("agreed"),
      disagreed: byStatus("disagreed"),
      canceled: byStatus("canceled"),
      total: disputes.length,
    },
    byAnalysis: {
      pending: byAnalysis("pending"),
      accepted: byAnalysis("accepted"),
      rejected: byAnalysis("rejected"),
    },
    frozen: cents(0),
    lost: cents(0),
  };
};

export const createModelDisputes = (now: () => Temporal.Instant): ModelDisputes => {
  const there = new Map<string, Dispute>();
  const read = async <Value>(
    { apiKey }: WalletKey,
    what: string,
    value: () => Value,
  ): Promise<Value> => {
    model.reads.push(what);
    const kind = model.refuses(apiKey.reveal()) ? "unauthorized" : model.failing(what);
    if (kind !== undefined) throw failure(kind);
    return value();
  };
  const found = (infractionId: string): Dispute => {
    const dispute = there.get(infractionId);
    if (dispute === undefined) throw failure("not_found");
    return dispute;
  };
  const model: ModelDisputes = {
    there,
    listed: (dispute) => dispute,
    failing: () => undefined,
    onRead: async () => {},
    refuses: () => false,
    reads: [],
    add: (infractionId, hours, given = {}) => {
      const dueAt = now().add({ minutes: Math.round(hours * 60) });
      const dispute = sampleDispute({ infractionId, createdAt: now(), dueAt, ...given });
      there.set(infractionId, dispute);
      return dispute;
    },
    change: (infractionId, given) => {
      there.set(infractionId, { ...found(infractionId), ...given });
    },
    wallet: {
      dispute: async (key, id) => {
        await model.onRead(id);
        return await read(key, id, () => found(id));
      },
      disputes: (key) =>
        read(key, "list", () => ({
          items: [...there.values()].flatMap((each) => model.listed(each) ?? []),
          unnamed: 0,
          isWhole: true,
        })),
      disputeSummary: (key) => read(key, "summary", () => summaryOf([...there.values()])),
    },
  };
  return model;
};
