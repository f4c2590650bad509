import { DAY, earlierInstant, MINUTE, SECOND } from "../shared/time.ts";
import type { Dispute } from "../disputes/dispute.ts";
import { isClosed } from "../disputes/dispute-list.ts";
import { amongIds } from "../shared/ids.ts";
import type { Cents } from "../shared/money.ts";
import { comparePixKeys } from "./pix-key.ts";
import { quoteOf } from "./withdraw-limits.ts";
import { isSplit, isTurbo, type WithdrawOp } from "./withdraw-op.ts";
import type { ListedWithdrawal, Withdrawal, WithdrawalPage } from "./withdrawal.ts";

const EARLIEST_MS = -120 * SECOND;
const LATEST_MS = 10 * MINUTE;
/** Assumed deviation of the service's clock when it was not measured. */
export const UNMEASURED_SKEW_MS = 5 * MINUTE;
/** Rows this close in time may be in either order. */
const ORDER_PRECISION_MS = 5 * SECOND;
/**
 * A request may be carried out, and its effect listed, this late. The document promises neither: its longest stated
 * time is a day, and three days allow for several such times in a row.
 */
export const SETTLED_MS = 3 * DAY;
/** The list may show an effect later than the balance does, by up to this. */
const LIST_FOLLOWS_MS = 5 * MINUTE;
const BETWEEN_READINGS_MS = 2 * MINUTE;
/** Precision of a measured skew: `Date` headers have whole seconds, and answers take time, at both measurements. */
const SKEW_PRECISION_MS = 5 * SECOND;

/** Listed withdrawals that were absent before the request and belong to no operation. */
export const newTxids = (
  page: WithdrawalPage,
  op: Pick<WithdrawOp, "preTxids">,
  claimed: readonly string[],
): readonly string[] => {
  const isKnown = amongIds([...(op.preTxids ?? []), ...claimed]);
  const listed = new Set(page.items.map(({ txid }) => txid));
  return [...listed].filter((txid) => !isKnown(txid));
};

/** Converts the service's time to our clock. */
const toOurClockMs = (instant: Temporal.Instant, op: Pick<WithdrawOp, "skewMs">): number =>
  instant.epochMilliseconds - (op.skewMs ?? 0);

type Sent = Pick<WithdrawOp, "sentAt" | "skewMs">;
type SentRequest = Sent & Pick<WithdrawOp, "kind" | "amount">;
type Dated = Pick<Withdrawal, "requestedAt">;
type Found = Dated & Pick<Withdrawal, "pixKey" | "isTurbo" | "amount">;

/** Whether the amounts match. The amount of a split is unknown beforehand. */
const fitsAmount = ({ kind, amount }: SentRequest, withdrawal: Found): boolean =>
  isSplit(kind) || withdrawal.amount === amount;

/**
 * Whether a row of the list may be of the operation's amount, which the list may tell before or after the fee, of either
 * speed.
 */
export const mayBeAmountOf = (
  { kind, amount }: Pick<SentRequest, "kind" | "amount">,
  listed: Cents | undefined,
): boolean =>
  listed === undefined ||
  amount === undefined ||
  isSplit(kind) ||
  listed === amount ||
  [true, false].some((turbo) => listed === quoteOf(amount, turbo).net);

/** Time from the request to the withdrawal, by our clock; negative when the withdrawal came first. */
const delayAfterRequestMs = (op: Sent, withdrawal: Dated): number =>
  toOurClockMs(withdrawal.requestedAt, op) - (op.sentAt?.epochMilliseconds ?? Infinity);

/** Whether the withdrawal predates the request by a measured clock, so that the request hardly caused it. */
export const isBeforeRequest = (op: Sent, withdrawal: Dated): boolean =>
  op.skewMs !== undefined && delayAfterRequestMs(op, withdrawal) < -SKEW_PRECISION_MS;

/** Milliseconds between request and withdrawal, plus a day when the withdrawal predates the request. */
export const distanceMs = (op: Sent, withdrawal: Dated): number =>
  Math.abs(delayAfterRequestMs(op, withdrawal)) + (isBeforeRequest(op, withdrawal) ? DAY : 0);

/** Whether the withdrawal dates from 2 minutes before the request to `latestMs` after it. */
const fitsTime = (op: Sent, withdrawal: Dated, latestMs: number): boolean => {
  const marginMs = op.skewMs === undefined ? UNMEASURED_SKEW_MS : 0;
  const afterMs = delayAfterRequestMs(op, withdrawal);
  return afterMs >= EARLIEST_MS - marginMs && afterMs <= latestMs + marginMs;
};

/** Whether a withdrawal matches the operation: same key, speed, amount and time. Source: decisions 1.3. */
export const isMatch = (
  op: SentRequest,
  pixKey: string,
  withdrawal: Found,
  latestMs = LATEST_MS,
): boolean => {
  if (withdrawal.isTurbo !== isTurbo(op.kind)) return false;
  if (!fitsAmount(op, withdrawal) || !fitsTime(op, withdrawal, latestMs)) return false;
  return comparePixKeys(pixKey, withdrawal.pixKey) === "same";
};

/**
 * The operation of each row, where an operation makes at most one: its nearest, unless another operation has no further
 * one. By a clock that is minutes off, an operation's nearest row may be a later one's.
 */
export const operationsOf = <Op, Row>(
  nearestFirst: ReadonlyMap<Op, readonly Row[]>,
): ReadonlyMap<Row, Op> => {
  const opOf = new Map<Row, Op>();
  const isPlaced = (op: Op, tried: Set<Row>): boolean =>
    (nearestFirst.get(op) ?? []).some((row) => {
      if (tried.has(row)) return false;
      tried.add(row);
      const holder = opOf.get(row);
      if (holder !== undefined && !isPlaced(holder, tried)) return false;
      opOf.set(row, op);
      return true;
    });
  for (const op of nearestFirst.keys()) isPlaced(op, new Set());
  return opOf;
};

/** Whether a row is of long before the list's first reading; `now` is earlier where a clock ahead has dated that. */
export const isLongBefore = (
  at: Temporal.Instant | undefined,
  firstReadAt: Temporal.Instant | undefined,
  now: Temporal.Instant,
): boolean =>
  at !== undefined &&
  firstReadAt !== undefined &&
  at.epochMilliseconds + SETTLED_MS < earlierInstant(now, firstReadAt).epochMilliseconds;

/** Whether a row of the list may be the operation's withdrawal, by amount and time alone. */
export const isListedBeside = (
  op: SentRequest,
  { amount, requestedAt }: Pick<ListedWithdrawal, "amount" | "requestedAt">,
): boolean =>
  requestedAt !== undefined &&
  mayBeAmountOf(op, amount) &&
  fitsTime(op, { requestedAt }, LATEST_MS);

/** Code of the reader's withdrawal of unknown outcome that an unclaimed row may be; undefined for any other row. */
export const mayBeOpId = (
  lock: WithdrawOp | undefined,
  readerId: string,
  row: Pick<ListedWithdrawal, "txid" | "amount" | "requestedAt">,
): string | undefined =>
  lock?.ownerId === readerId &&
  !amongIds(lock.preTxids ?? [])(row.txid) &&
  isListedBeside(lock, row)
    ? lock.id
    : undefined;

/**
 * Whether a non-matching withdrawal may still be the operation's: another speed, an unreadable key, a late execution or
 * a changed clock. While there is such a withdrawal, the operation cannot be declared absent. The key of an operation
 * is undefined once it was erased.
 */
export const mayBeOurs = (
  op: SentRequest,
  pixKey: string | undefined,
  withdrawal: Found,
): boolean =>
  fitsAmount(op, withdrawal) &&
  (pixKey === undefined || comparePixKeys(pixKey, withdrawal.pixKey) !== "other");

/**
 * Whether a payment's change at that time may be the effect of a denied refund: beside the request that the service
 * refused, or until the last reading that found the payment unchanged, or for three days after a request that its owner
 * declared as not made. Otherwise somebody else refunded it.
 */
export const mayHaveRefunded = (
  op: Pick<WithdrawOp, "sentAt" | "skewMs" | "state" | "updatedAt">,
  changedAt: Temporal.Instant,
): boolean => {
  const marginMs = op.skewMs === undefined ? UNMEASURED_SKEW_MS : SKEW_PRECISION_MS;
  const sentMs = op.sentAt?.epochMilliseconds ?? Infinity;
  const changesMs = op.state === "resolved_manual" ? sentMs + SETTLED_MS : 0;
  const readMs = Math.max(op.updatedAt.epochMilliseconds, changesMs);
  const latestMs = op.state === "rejected" ? sentMs + MINUTE : readMs;
  const changedMs = toOurClockMs(changedAt, op);
  return changedMs >= sentMs - marginMs && changedMs <= latestMs + marginMs;
};

/** Whether all rows are dated and newest first. In any other order the page may leave out the newest rows. */
export const isFullyDatedNewestFirst = ({ items }: Pick<WithdrawalPage, "items">): boolean => {
  const dated = items.flatMap(({ requestedAt }) => requestedAt?.epochMilliseconds ?? []);
  if (dated.length < items.length || (dated.at(0) ?? 0) < (dated.at(-1) ?? 0)) return false;
  return dated.every((ms, index) => ms <= (dated[index - 1] ?? ms) + ORDER_PRECISION_MS);
};

/**
 * Whether the page reaches back beyond the request, so that a missing withdrawal did not happen: the page contains a
 * withdrawal listed before the request, or is empty as it was before. Without a snapshot there is no proof. The
 * document does not say that the list includes split withdrawals, so for a split one of `knownSplits` must be on the
 * page. Source: decisions 1.3.
 */
export const provesAbsence = (
  page: WithdrawalPage,
  { kind, preTxids, sentAt }: Pick<WithdrawOp, "kind" | "preTxids" | "sentAt">,
  knownSplits: readonly string[],
): boolean => {
  if (preTxids === undefined || sentAt === undefined || !isFullyDatedNewestFirst(page))
    return false;
  if (isSplit(kind) && !page.items.map(({ txid }) => txid).some(amongIds(knownSplits)))
    return false;
  if (page.items.length === 0) return preTxids.length === 0;
  return page.items.map(({ txid }) => txid).some(amongIds(preTxids));
};

/** Meaning of a change of the balance for a request. */
export type BalanceChange =
  /** The balance did not fall, so a withdrawal of the amount is unlikely unless sales made up for it. */
  | "stayed"
  /** The balance fell by at least the amount, beyond other withdrawals: the request was probably carried out. */
  | "fell"
  | "unclear";

/**
 * Compares the balance with its value before the request. `explained` is the sum of the other causes that lowered it since. Splits
 * are `unclear`: their amount is unknown and comes out of another balance.
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

/**
 * Whether a dispute lowered the balance after the request: it was opened since, and its amount has not come back to the
 * seller. Source: service.md 3.3.
 */
export const hasFrozenSince = (
  op: Sent,
  { createdAt, status, analysisStatus }: Pick<Dispute, "createdAt" | "status" | "analysisStatus">,
): boolean =>
  toOurClockMs(createdAt, op) >= (op.sentAt?.epochMilliseconds ?? Infinity) &&
  !isClosed({ status, analysisStatus });

/** Error code of an operation after which the balance fell: the list alone never proves its absence. */
export const BALANCE_FELL = "balance_fell";

type Counted = Pick<WithdrawOp, "sentAt" | "absences" | "firstAbsentAt"> &
  Partial<Pick<WithdrawOp, "skewMs" | "errorCode">>;

/**
 * Whether the request is old enough by our clock and, if measured both times, by the service's. Either clock may have
 * been adjusted since, and another process may have sent the request.
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
 * Counts a reading that proved absence. A reading counts from three days after the request on; two of them, at least 2
 * minutes apart, conclude that the withdrawal did not happen. `now` is the start of the reading, `skewNowMs` the
 * service's clock minus ours then. Source: decisions 1.3; service.md 3.1.
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
