import type { Cents } from "../shared/money.ts";
import type { DisputeState } from "./dispute-state.ts";

/** One row of the service's list, whose shape is not documented: only `infractionId` is sure. */
export interface ListedDispute {
  readonly infractionId: string;
  readonly txid: string | undefined;
  readonly amount: Cents | undefined;
  readonly frozen: Cents | undefined;
  /** As it came. */
  readonly status: string | undefined;
  /** As it came. */
  readonly analysisStatus: string | undefined;
  readonly contestedAt: Temporal.Instant | undefined;
  readonly dueAt: Temporal.Instant | undefined;
}

/** One page of the service's list of disputes, as long as the service made it. */
export interface DisputePage {
  readonly items: readonly ListedDispute[];
  /** Rows without a usable `infractionId`: they cannot be opened or followed. */
  readonly unnamed: number;
}

/** A row of `/meds`: what the list, the dispute itself or the last reading of the watch says of it. */
export interface DisputeRow extends ListedDispute {
  /** Undefined: nothing readable says how it stands. */
  readonly state: DisputeState | undefined;
}

/** Whether the bank decided though the seller's answer never came. */
export const isDecidedUnanswered = ({ status, state }: DisputeRow): boolean =>
  status === "pending" && (state === "lost" || state === "won");

/** In which order rows are of use: what can still be answered, what was missed, what nobody could read, and the rest. */
const RANKS: Readonly<Record<DisputeState | "unread", number>> = {
  needs_answer: 0,
  overdue: 1,
  unread: 2,
  other: 2,
  conceded: 3,
  defended: 3,
  lost: 4,
  won: 4,
  cancelled: 4,
};

const rankOf = ({ state }: DisputeRow): number => RANKS[state ?? "unread"];

const dueMs = ({ dueAt }: DisputeRow): number => dueAt?.epochMilliseconds ?? Infinity;

/** Soonest deadline first among what can be answered; what is over, the latest first. */
const compareDue = (one: DisputeRow, other: DisputeRow, rank: number): number => {
  const [a, b] = [dueMs(one), dueMs(other)];
  if (a === b) return one.infractionId < other.infractionId ? -1 : 1;
  const passed = rank === RANKS.overdue || rank === RANKS.lost;
  return passed ? b - a : a - b;
};

/** Those that await an answer before the rest, each group by deadline. */
export const byUrgency = (rows: readonly DisputeRow[]): readonly DisputeRow[] =>
  rows.toSorted((one, other) => {
    const rank = rankOf(one);
    return rank - rankOf(other) || compareDue(one, other, rank);
  });
