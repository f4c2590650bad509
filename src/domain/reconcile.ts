import { DAY, MINUTE, SECOND } from "../shared/time.ts";
import type { Cents } from "../shared/money.ts";
import { comparePixKeys } from "./pix-key.ts";
import { isSplit, isTurbo, type WithdrawOp } from "./withdraw-op.ts";
import type { Withdrawal, WithdrawalPage } from "./withdrawal.ts";

const EARLIEST_MS = -120 * SECOND;
const LATEST_MS = 10 * MINUTE;
/** How far the service's clock may be off when nobody could measure it. */
const UNMEASURED_SKEW_MS = 5 * MINUTE;
/** Rows of the same moment may stand in either order. */
const ORDER_PRECISION_MS = 5 * SECOND;
/**
 * A request may be carried out, and what was carried out may show up in the list, as late as that. The document promises
 * neither; the longest time that it names for anything is a day, and three of them cover one after the other.
 */
const SETTLED_MS = 3 * DAY;
/** An effect that was just made may stand in the list a little later than in the balance. */
const LIST_FOLLOWS_MS = 5 * MINUTE;
const BETWEEN_READINGS_MS = 2 * MINUTE;
/** A `Date` header names whole seconds, and its answer travelled: then and now. */
const SKEW_PRECISION_MS = 5 * SECOND;

/** Withdrawals that are listed now, were not there before the request, and belong to no operation. */
export const newTxids = (
  page: WithdrawalPage,
  op: Pick<WithdrawOp, "preTxids">,
  claimed: readonly string[],
): readonly string[] => {
  const known = new Set([...(op.preTxids ?? []), ...claimed]);
  return [...new Set(page.items.map(({ txid }) => txid))].filter((txid) => !known.has(txid));
};

/** Our clock's time of what the service dated. */
const ourMs = (instant: Temporal.Instant, op: Pick<WithdrawOp, "skewMs">): number =>
  instant.epochMilliseconds - (op.skewMs ?? 0);

type Asked = Pick<WithdrawOp, "kind" | "amount" | "sentAt" | "skewMs">;
type Found = Pick<Withdrawal, "pixKey" | "isTurbo" | "amount" | "requestedAt">;

/** Same amount; that of a split is not known beforehand. */
const fitsAmount = ({ kind, amount }: Asked, withdrawal: Found): boolean =>
  isSplit(kind) || withdrawal.amount === amount;

/** How long after the request the withdrawal was asked for, by our clock; negative: before it. */
const askedAfterMs = (
  op: Pick<Asked, "sentAt" | "skewMs">,
  withdrawal: Pick<Found, "requestedAt">,
): number => ourMs(withdrawal.requestedAt, op) - (op.sentAt?.epochMilliseconds ?? Infinity);

/** Whether the withdrawal was asked for before the request, by a clock that was measured: it is hardly the request's. */
export const isBeforeRequest = (
  op: Pick<Asked, "sentAt" | "skewMs">,
  withdrawal: Pick<Found, "requestedAt">,
): boolean => op.skewMs !== undefined && askedAfterMs(op, withdrawal) < -SKEW_PRECISION_MS;

/** Milliseconds between a request and a withdrawal that fits it; a day more where it was asked for before the request. */
export const distanceMs = (
  op: Pick<Asked, "sentAt" | "skewMs">,
  withdrawal: Pick<Found, "requestedAt">,
): number => Math.abs(askedAfterMs(op, withdrawal)) + (isBeforeRequest(op, withdrawal) ? DAY : 0);

/** Asked for 2 minutes before the request to `latestMs` after it. */
const fitsTime = (op: Asked, withdrawal: Found, latestMs: number): boolean => {
  const marginMs = op.skewMs === undefined ? UNMEASURED_SKEW_MS : 0;
  const afterMs = askedAfterMs(op, withdrawal);
  return afterMs >= EARLIEST_MS - marginMs && afterMs <= latestMs + marginMs;
};

/**
 * Whether a withdrawal of the service can be what the operation asked for: same key, speed, amount and time.
 * Source: decisions 1.3.
 */
export const isMatch = (
  op: Asked,
  pixKey: string,
  withdrawal: Found,
  latestMs = LATEST_MS,
): boolean => {
  if (withdrawal.isTurbo !== isTurbo(op.kind)) return false;
  if (!fitsAmount(op, withdrawal) || !fitsTime(op, withdrawal, latestMs)) return false;
  return comparePixKeys(pixKey, withdrawal.pixKey) === "same";
};

/**
 * Whether it may be the operation's although it does not match: at another speed than was asked for, to a key in a form
 * that we cannot read, carried out late, or dated by another clock than was measured. While there is such a one, nobody
 * may say that nothing happened.
 */
export const mayBeOurs = (op: Asked, pixKey: string, withdrawal: Found): boolean =>
  fitsAmount(op, withdrawal) && comparePixKeys(pixKey, withdrawal.pixKey) !== "other";

/** Newest first, and each row dated: in any other order the newest may be what a page leaves out. */
const isFullyDatedNewestFirst = ({ items }: WithdrawalPage): boolean => {
  const dated = items.flatMap(({ requestedAt }) => requestedAt?.epochMilliseconds ?? []);
  if (dated.length < items.length || (dated.at(0) ?? 0) < (dated.at(-1) ?? 0)) return false;
  return dated.every((ms, index) => ms <= (dated[index - 1] ?? ms) + ORDER_PRECISION_MS);
};

/**
 * Whether a page of the list reaches back beyond the request, so that what is not on it did not happen: it still holds
 * one that was listed before, or was and still is empty. Without a snapshot nothing is ever proven. That the list holds
 * split withdrawals is not documented: of those it proves nothing unless one of `knownSplits` is on it.
 * Source: decisions 1.3.
 */
export const provesAbsence = (
  page: WithdrawalPage,
  { kind, preTxids, sentAt }: Pick<WithdrawOp, "kind" | "preTxids" | "sentAt">,
  knownSplits: readonly string[],
): boolean => {
  if (preTxids === undefined || sentAt === undefined || !isFullyDatedNewestFirst(page))
    return false;
  if (isSplit(kind) && !page.items.some(({ txid }) => knownSplits.includes(txid))) return false;
  if (page.items.length === 0) return preTxids.length === 0;
  return page.items.some(({ txid }) => preTxids.includes(txid));
};

/** What the balance says of a request. */
export type BalanceChange =
  /** It is no lower than before: a withdrawal of the amount is not missing from it, unless sales filled it up. */
  | "stayed"
  /** It is lower by the amount or more, beyond what other withdrawals explain: it was probably made. */
  | "fell"
  | "unclear";

/**
 * Compares the balance now with that of just before the request; `explained` is the sum of what others withdrew since.
 * The amount of a split is not known beforehand, and it does not come out of this balance.
 */
export const compareBalance = (
  op: Pick<WithdrawOp, "kind" | "amount" | "preBalance" | "sentAt">,
  balance: Cents | undefined,
  explained: number,
  now: Temporal.Instant,
): BalanceChange => {
  const { amount, preBalance, sentAt } = op;
  if (isSplit(op.kind) || amount === undefined) return "unclear";
  if (preBalance === undefined || balance === undefined || sentAt === undefined) return "unclear";
  if (balance >= preBalance) return "stayed";
  const passedMs = now.epochMilliseconds - sentAt.epochMilliseconds;
  if (passedMs < LIST_FOLLOWS_MS) return "unclear";
  return preBalance - balance - explained >= amount ? "fell" : "unclear";
};

/** Code of an operation whose balance was seen to fall: of it nothing is ever concluded from the list. */
export const BALANCE_FELL = "balance_fell";

type Counted = Pick<WithdrawOp, "sentAt" | "absences" | "firstAbsentAt"> &
  Partial<Pick<WithdrawOp, "skewMs" | "errorCode">>;

/**
 * Whether the request is long enough ago by our clock, and by the service's where it was read then and now: either may
 * have been set meanwhile, and another process may have sent it.
 */
const isSettled = (op: Counted, now: Temporal.Instant, skewNowMs: number | undefined): boolean => {
  const { sentAt, skewMs } = op;
  if (sentAt === undefined) return false;
  const passedMs = now.epochMilliseconds - sentAt.epochMilliseconds;
  if (passedMs < SETTLED_MS || skewMs === undefined || skewNowMs === undefined) {
    return passedMs >= SETTLED_MS;
  }
  return passedMs + skewNowMs - skewMs >= SETTLED_MS - SKEW_PRECISION_MS;
};

/**
 * Counts one reading that proved absence: only those at least three days after the request count, and two of them at
 * least 2 minutes apart conclude that it did not happen. `now` is when the reading began, `skewNowMs` the service's clock
 * less ours then. Source: decisions 1.3; service.md 3.1.
 */
export const countAbsence = (
  op: Counted,
  now: Temporal.Instant,
  skewNowMs?: number,
): {
  readonly absences: number;
  readonly firstAbsentAt: Temporal.Instant | undefined;
  readonly concluded: boolean;
} => {
  const { absences, firstAbsentAt } = op;
  if (op.errorCode === BALANCE_FELL || !isSettled(op, now, skewNowMs)) {
    return { absences, firstAbsentAt, concluded: false };
  }
  if (firstAbsentAt === undefined) return { absences: 1, firstAbsentAt: now, concluded: false };
  if (now.epochMilliseconds - firstAbsentAt.epochMilliseconds < BETWEEN_READINGS_MS) {
    return { absences, firstAbsentAt, concluded: false };
  }
  return { absences: absences + 1, firstAbsentAt, concluded: true };
};
