import { earlierInstant } from "../shared/time.ts";
import type { Transaction } from "../transactions/transaction.ts";
import {
  type Charge,
  type ChargeChange,
  type ChargeStatus,
  expiryOf,
  isFresh,
  isNew,
  isPastExpiry,
  LONGEST_OPEN_PAUSE_MS,
  nextLateCheck,
  nextOpenCheck,
} from "./charge.ts";

/** The payments that the list and their documented details show as a charge, nearest in time first. */
export interface Matches {
  readonly payments: readonly Transaction[];
  /** False without a payment, where a row that cannot be read in full may be the charge. */
  readonly isProven: boolean;
}

/** Result of a look at an open charge: undefined puts it off. `about`: told to its seller. */
type NextStep =
  | { readonly claim: Transaction }
  | { readonly change: ChargeChange; readonly about: "end" | undefined }
  | undefined;

/** Words of the quick look, which only hints, that leave a charge open. */
const WAITING = new Set(["pending", "waiting", "waiting_payment", "active", "created", "open"]);
/** Words of it, or of the detail, that say a charge's time is over. */
const OVER = new Set(["expired", "cancelled", "canceled"]);
/** The hint may be wrong: the documented detail is read at every fourth look all the same. */
const DETAIL_EVERY = 4;
/** Pause of an old or expired charge whose detail or list cannot be read, and of an old one that was only just found. */
export const UNREAD_MS = LONGEST_OPEN_PAUSE_MS;

/** Facts that the quick look adds to a charge. */
export const learntOf = (charge: Charge, hint: ChargeStatus | undefined) => {
  const code = charge.code ?? hint?.code;
  const expiresAt = charge.expiresAt ?? expiryOf(charge, hint?.expiresAt);
  const problem = code === undefined ? charge.problem : undefined;
  return { code, expiresAt, problem } satisfies ChargeChange;
};

/** Signs of the quick look and of our clock: that the time of an open charge is over, and that no look follows this one. */
export const signsOf = (charge: Charge, hint: ChargeStatus | undefined, now: Temporal.Instant) => {
  const status = hint?.status ?? "";
  const isWaiting = WAITING.has(status);
  const isOver = isPastExpiry(charge, now, isWaiting) || OVER.has(status);
  const isLast = nextOpenCheck(charge, now) === undefined;
  const isFourth = charge.checks % DETAIL_EVERY === DETAIL_EVERY - 1;
  return { isOver, isLast, needsDetail: !isWaiting || isOver || isLast || isFourth };
};

interface Evidence extends Pick<ReturnType<typeof signsOf>, "isOver" | "isLast"> {
  /** Undefined when it was not asked for, or cannot be read now. */
  readonly detail: Transaction | "missing" | undefined;
  /** Undefined when they were not looked for, or cannot be told. */
  readonly found: Matches | "unread" | undefined;
}

/** The end that the documented detail proves; undefined without one. A payment of another amount is not the charge's. */
export const endIn = (
  charge: Charge,
  { type, amount, status, fee, net, updatedAt }: Transaction,
  now: Temporal.Instant,
): ChargeChange | undefined => {
  if (type !== "payment" || (status !== "approved" && status !== "refunded")) return undefined;
  // A time ahead of ours would read as a payment to come.
  const endedAt = earlierInstant(now, updatedAt);
  const end = { fee, net, endedAt, nextCheckAt: undefined };
  if (amount === charge.amount)
    return { ...end, state: status === "approved" ? "paid" : "refunded" };
  // A refund leaves no net.
  const left = status === "refunded" ? { fee: undefined, net: undefined } : {};
  return { ...end, ...left, state: "unfollowed", received: amount };
};

/** The detail of a new payment may be yet to show. */
export const isUnprovenYet = (
  charge: Charge,
  { isProven }: Matches,
  now: Temporal.Instant,
): boolean => !isProven && isNew(charge, now);

/** The charge's own detail may be yet to show as well. */
const isTooSoon = (charge: Charge, found: Matches, now: Temporal.Instant): boolean =>
  isUnprovenYet(charge, found, now) ||
  (charge.txid !== undefined && found.payments.length > 0 && isFresh(charge, now));

const isUnpaid = ({ status }: Transaction): boolean => status === "pending" || OVER.has(status);

/**
 * Only one payment, still unpaid, can be the charge: another may be a sale of the same thing, as may one that is over
 * while the charge is new.
 */
export const onlyUnpaid = (
  charge: Charge,
  { payments: [first, ...others] }: Matches,
  now: Temporal.Instant,
): Transaction | undefined => {
  if (first === undefined || others.length > 0 || !isUnpaid(first)) return undefined;
  return OVER.has(first.status) && isNew(charge, now) ? undefined : first;
};

/** The next step of an open charge. Its detail alone ends it as paid. */
export const nextOf = (
  charge: Charge,
  { isOver, isLast, detail, found }: Evidence,
  now: Temporal.Instant,
): NextStep => {
  if (detail === undefined || found === "unread") {
    // It may have been paid while the service could not be read.
    const nextCheckAt = now.add({ milliseconds: UNREAD_MS });
    const change = { checks: charge.checks + 1, nextCheckAt };
    return isLast ? { change, about: undefined } : undefined;
  }
  if (detail === "missing") {
    if (found === undefined || isTooSoon(charge, found, now)) return undefined;
    const claim = onlyUnpaid(charge, found, now);
    if (claim !== undefined) return { claim };
    const unclear = { state: "missing", txid: undefined, problem: "unclear" } as const;
    const isUnproven = charge.txid === undefined && !found.isProven;
    if ((isOver || isLast) && (found.payments.length > 0 || isUnproven))
      return { change: { ...unclear, nextCheckAt: undefined }, about: "end" };
  } else {
    const end = endIn(charge, detail, now);
    if (end !== undefined) return { change: end, about: "end" };
    if (!isUnpaid(detail)) return undefined;
  }
  const nextCheckAt = charge.txid === undefined ? undefined : nextLateCheck(0, now);
  const expired = { state: "expired", endedAt: now, checks: 0, nextCheckAt } as const;
  const isExpired = isOver || (detail !== "missing" && OVER.has(detail.status));
  return isExpired ? { change: expired, about: "end" } : undefined;
};
