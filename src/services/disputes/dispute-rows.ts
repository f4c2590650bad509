import { type Dispute, disputeState } from "../../domain/dispute.ts";
import type { WatchedDispute } from "../../domain/dispute-alert.ts";
import { byUrgency, type DisputeRow, type ListedDispute } from "../../domain/dispute-list.ts";
import type { DisputeConnection, DisputeWallet } from "./dispute-needs.ts";
import { type Reading, reading, requireAuthorized } from "../wallet-reading.ts";

/** Within the burst that an account's quota allows, beside the summary and the list. */
const MOST_READ = 6;

/** What a row says of its state; the deadline matters only while nobody answered or decided. */
export const rowOf = (listed: ListedDispute, now: Temporal.Instant): DisputeRow => {
  const { status, analysisStatus, dueAt } = listed;
  if (status === undefined || analysisStatus === undefined) return { ...listed, state: undefined };
  const undecided = status === "pending" && analysisStatus === "pending";
  if (undecided && dueAt === undefined) return { ...listed, state: undefined };
  return { ...listed, state: disputeState({ status, analysisStatus, dueAt: dueAt ?? now }, now) };
};

/** What the watch keeps of one, in the form of the list. */
export const listedOf = (kept: Dispute | WatchedDispute): ListedDispute => ({
  infractionId: kept.infractionId,
  txid: kept.txid,
  amount: kept.amount,
  frozen: kept.frozen,
  status: kept.status,
  analysisStatus: kept.analysisStatus,
  contestedAt: "contestedAt" in kept ? kept.contestedAt : undefined,
  dueAt: kept.dueAt,
});

/** The list's word before that of the last reading. */
const merged = (listed: ListedDispute, kept: WatchedDispute | undefined): ListedDispute => ({
  infractionId: listed.infractionId,
  txid: listed.txid ?? kept?.txid,
  amount: listed.amount ?? kept?.amount,
  frozen: listed.frozen ?? kept?.frozen,
  status: listed.status ?? kept?.status,
  analysisStatus: listed.analysisStatus ?? kept?.analysisStatus,
  contestedAt: listed.contestedAt,
  dueAt: listed.dueAt ?? kept?.dueAt,
});

const isWhole = ({ amount, status, analysisStatus, dueAt }: ListedDispute): boolean =>
  [amount, status, analysisStatus, dueAt].every((fact) => fact !== undefined);

/** Rows of all disputes that are known, with the errors of those that could not be read. */
export interface ReadRows {
  readonly rows: readonly DisputeRow[];
  readonly failures: readonly Reading<Dispute>[];
}

/**
 * One row for each dispute that the service lists or the bot watches. What the list leaves unsaid is read from the
 * disputes themselves, the most urgent ones first and not all of them; the others show what the last reading said.
 * @throws WalletError unauthorized
 */
export const readRows = async (
  wallet: Pick<DisputeWallet, "dispute">,
  { key }: DisputeConnection,
  listed: readonly ListedDispute[],
  watched: readonly WatchedDispute[],
  now: Temporal.Instant,
): Promise<ReadRows> => {
  const kept = new Map(watched.map((each) => [each.infractionId, each]));
  const inList = new Set(listed.map(({ infractionId }) => infractionId));
  const beside = watched.filter(({ infractionId }) => !inList.has(infractionId));
  const known = [
    ...listed.map((each) => merged(each, kept.get(each.infractionId))),
    ...beside.map(listedOf),
  ];
  const stale = new Set([
    ...listed.filter((each) => !isWhole(each)).map(({ infractionId }) => infractionId),
    ...beside.filter(({ closedAt }) => closedAt === undefined).map((each) => each.infractionId),
  ]);
  const toRead = byUrgency(known.map((each) => rowOf(each, now)))
    .filter(({ infractionId }) => stale.has(infractionId))
    .slice(0, MOST_READ);
  const reads = await Promise.all(
    toRead.map(({ infractionId }) => reading(wallet.dispute(key, infractionId, "interactive"))),
  );
  requireAuthorized(...reads);
  const fresh = new Map(
    reads.flatMap((read, index) => {
      const id = toRead[index]?.infractionId;
      return read.ok && id !== undefined ? [[id, listedOf(read.value)] as const] : [];
    }),
  );
  return {
    rows: known.map((each) => ({
      ...rowOf(fresh.get(each.infractionId) ?? each, now),
      infractionId: each.infractionId,
    })),
    failures: reads.filter(({ ok }) => !ok),
  };
};
