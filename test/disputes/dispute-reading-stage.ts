import { onTestFinished } from "vitest";
import type { Dispute } from "#src/disputes/dispute.ts";
import type { ListedDispute } from "#src/disputes/dispute-list.ts";
import {
  createDisputeReading,
  type DisputeReading,
  type DisputeWallet,
} from "#src/disputes/dispute-reading.service.ts";
import type { Asker } from "#src/accounts/asker.service.ts";
import { WalletError, type WalletErrorKind } from "#src/shared/errors.ts";
import { cents } from "#src/shared/money.ts";
import type { Stores } from "#src/stores.ts";
import { openTestDatabase, quietLog, standingClock } from "../support/databases.ts";
import { openTestStores } from "../database/use-store.ts";
import { sampleReport, sold } from "../support/samples.ts";
import { sampleDispute } from "./dispute-samples.ts";
import { idAlone } from "./model-disputes.ts";
import { ANA, connect, GUILD } from "../withdrawals/money-stage.ts";

/** Disputes on a real database, with a scripted wallet service. */
export interface DisputeReadingStage {
  readonly clock: ReturnType<typeof standingClock>;
  readonly stores: Stores;
  readonly accountId: string;
  readonly disputes: DisputeReading;
  readonly there: Map<string, Dispute>;
  /** The wallet account whose keys alone show a dispute; by default each key shows it. */
  readonly owned: Map<string, string>;
  /** Wallet accounts whose keys are refused. */
  readonly refused: Set<string>;
  /** A dispute's row in the list; by default the id only. */
  listed: (dispute: Dispute) => ListedDispute;
  unnamed: number;
  /** Total in the summary; by default the number of disputes. */
  total: number | undefined;
  readonly failing: Map<keyof DisputeWallet, WalletErrorKind>;
  /** Products of recent sales, by txid. */
  readonly products: Map<string, string>;
  /** Reads in order: the name, and the id or day. */
  readonly reads: string[];
  readonly add: (infractionId: string, given?: Partial<Dispute>) => Dispute;
}

export const actor = (changes: Partial<Asker> = {}): Asker => ({
  guildId: GUILD,
  userId: ANA,
  locale: "pt-BR",
  ...changes,
});

export const inFull = (dispute: Dispute): ListedDispute => {
  const { infractionId, txid, amount, frozen, status, analysisStatus, contestedAt, dueAt } =
    dispute;
  return { infractionId, txid, amount, frozen, status, analysisStatus, contestedAt, dueAt };
};

const failure = (kind: WalletErrorKind): WalletError =>
  new WalletError({ kind, method: "GET", route: "/v1/test", requestId: `req_${kind}` });

/** Friday at noon in Brasília; Ana is connected. */
export const openDisputeReading = async (): Promise<DisputeReadingStage> => {
  const clock = standingClock("2026-11-20T15:00Z");
  const database = await openTestDatabase("sqlite::memory:", clock);
  onTestFinished(database.close);
  const stores = await openTestStores(database);
  const { id: accountId } = await connect({ stores, clock });
  const there = new Map<string, Dispute>();
  const read = async <Value>(
    name: keyof DisputeWallet,
    what: string,
    value: () => Value,
  ): Promise<Value> => {
    stage.reads.push(`${name} ${what}`.trim());
    const kind = stage.failing.get(name);
    if (kind !== undefined) throw failure(kind);
    return value();
  };
  const wallet: DisputeWallet = {
    dispute: ({ fingerprint }, id) =>
      read("dispute", id, () => {
        if (stage.refused.has(fingerprint)) throw failure("unauthorized");
        const dispute = there.get(id);
        if (dispute === undefined || fingerprint !== (stage.owned.get(id) ?? fingerprint))
          throw failure("not_found");
        return dispute;
      }),
    disputes: () =>
      read("disputes", "", () => ({
        items: [...there.values()].map((each) => stage.listed(each)),
        unnamed: stage.unnamed,
        isWhole: true,
      })),
    disputeSummary: () =>
      read("disputeSummary", "", () => {
        const total = stage.total ?? there.size;
        return {
          byStatus: { pending: total, agreed: 0, disagreed: 0, canceled: 0, total },
          byAnalysis: { pending: total, accepted: 0, rejected: 0 },
          frozen: cents(700),
          lost: cents(0),
        };
      }),
    salesReport: (_, day) =>
      read("salesReport", String(day), () => sampleReport(sold(4, 400, 24), sold(1, 100, 6))),
  };
  const stage: DisputeReadingStage = {
    clock,
    stores,
    accountId,
    disputes: createDisputeReading({
      ...stores.accounts,
      clock,
      log: quietLog,
      wallet,
      watched: stores.disputeWatch,
      products: async () => stage.products,
    }),
    there,
    owned: new Map(),
    refused: new Set(),
    listed: idAlone,
    unnamed: 0,
    total: undefined,
    failing: new Map(),
    products: new Map(),
    reads: [],
    add: (infractionId, given = {}) => {
      const dueAt = clock.now().add({ hours: 48 });
      const contestedAt = clock.now().subtract({ hours: 48 });
      const dispute = sampleDispute({ infractionId, dueAt, contestedAt, ...given });
      there.set(infractionId, dispute);
      return dispute;
    },
  };
  return stage;
};
