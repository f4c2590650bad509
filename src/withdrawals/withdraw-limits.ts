import type { MoneyGuards } from "../money-guards/money-guards.ts";
import { inSmall } from "../shared/ids.ts";
import { cents, type Cents } from "../shared/money.ts";
import { DAY, earlierInstant } from "../shared/time.ts";
import { inBrasilia } from "../shared/local-time.ts";
import { isLocking, isTurbo, type WithdrawOp, takenAmount } from "./withdraw-op.ts";
import {
  isEndStatus,
  isOpenStatus,
  type ListedWithdrawal,
  type WithdrawalPage,
} from "./withdrawal.ts";

/** Minimum gross amount of a withdrawal, inclusive. Source: service.md 1. */
export const MINIMUM_WITHDRAWAL = cents(1_000);

const NORMAL_FEE = 50;
const TURBO_FEE = 350;

/** Source: service.md 1. */
export const withdrawalFee = (turbo: boolean): Cents => cents(turbo ? TURBO_FEE : NORMAL_FEE);

/** Fee and net amount of a withdrawal: the fee is deducted from the gross amount. Source: service.md 1. */
export const quoteOf = (gross: Cents, turbo: boolean) => {
  const fee = withdrawalFee(turbo);
  return { fee, net: cents(gross - fee) };
};

const NIGHT_BEGINS = 20;
const NIGHT_ENDS = 6;

/**
 * Whether it is between 20:00 and 06:00 in Brasília, when the service's lower limits may apply. The document names no
 * time zone, so never present this as the service's rule. Source: service.md 8.
 */
export const isNight = (now: Temporal.Instant): boolean => {
  const { hour } = inBrasilia(now);
  return hour >= NIGHT_BEGINS || hour < NIGHT_ENDS;
};

/** Last withdrawal of the past 24 hours, and the presumed time of the next allowed one. Source: service.md 8. */
export interface RecentWithdrawal {
  readonly at: Temporal.Instant;
  readonly allowedFrom: Temporal.Instant;
  /** Whether all of the past 24 hours failed or were cancelled; the service does not say whether such count. */
  readonly isUnpaid?: boolean;
}

/** Newest withdrawal of journal and list by our clock, if less than 24 hours ago. */
export const recentWithdrawal = (
  lastSentAt: Temporal.Instant | undefined,
  page: WithdrawalPage | undefined,
  now: Temporal.Instant,
): RecentWithdrawal | undefined => {
  const skewMs = page?.skewMs ?? 0;
  const listedMs = (page?.items ?? [])
    .flatMap(({ requestedAt }) => requestedAt?.epochMilliseconds ?? [])
    .map((ms) => ms - skewMs)
    // A date in the future cannot belong to a withdrawal that was already made.
    .filter((ms) => ms <= now.epochMilliseconds);
  // A clock that was ahead may have dated it later than now.
  const ours = lastSentAt && earlierInstant(lastSentAt, now);
  const lastMs = Math.max(ours?.epochMilliseconds ?? -Infinity, ...listedMs);
  if (now.epochMilliseconds - lastMs >= DAY) return undefined;
  const at = Temporal.Instant.fromEpochMilliseconds(lastMs);
  return { at, allowedFrom: at.add({ milliseconds: DAY }) };
};

/** An open withdrawal of the wallet account at the service, as far as known. */
export interface UnderWay {
  /** `unread`: accepted by the service, but its end cannot be read. */
  readonly phase: "processing" | "scheduled" | "unread";
  /** Undefined when unknown, or when it is another person's. */
  readonly amount: Cents | undefined;
  readonly plannedFor: Temporal.Instant | undefined;
}

/** Turbo withdrawals begin as `processing`, normal ones as `scheduled`. Source: service.md 3.1. */
const phaseOf = (op: WithdrawOp, listed: string | undefined): UnderWay["phase"] => {
  if (isOpenStatus(listed)) return listed;
  if (op.state === "manual") return "unread";
  if (op.state === "accepted") return isTurbo(op.kind) ? "processing" : "scheduled";
  return op.state === "scheduled" ? "scheduled" : "processing";
};

/** Listed withdrawals under way that no operation has claimed. */
export const underWayElsewhere = (
  page: WithdrawalPage,
  claimed: ReadonlyMap<string, string>,
): readonly ListedWithdrawal[] =>
  page.items.filter(({ txid, status }) => isOpenStatus(status) && !claimed.has(txid));

/** A withdrawal in processing is the likeliest reason for a refusal. */
const PHASES = ["processing", "scheduled", "unread"] as const;

/**
 * All withdrawals under way of one account, by phase: accepted operations, unless the list shows their end, and unclaimed rows of
 * the list. Amounts of other persons' operations are hidden from `viewerId`.
 */
export const underWay = (
  open: readonly WithdrawOp[],
  page: WithdrawalPage | undefined,
  claimed: ReadonlyMap<string, string>,
  viewerId: string,
): readonly UnderWay[] => {
  const statusOf = new Map(page?.items.map(({ txid, status }) => [inSmall(txid), status]));
  const ours = open
    .filter((op) => !isLocking(op) && !isEndStatus(statusOf.get(inSmall(op.txid ?? ""))))
    .map((op) => ({
      phase: phaseOf(op, statusOf.get(inSmall(op.txid ?? ""))),
      amount: op.ownerId === viewerId ? takenAmount(op) : undefined,
      plannedFor: op.scheduledFor,
    }));
  const elsewhere = page === undefined ? [] : underWayElsewhere(page, claimed);
  const theirs = elsewhere.map(({ amount, status }) => ({
    phase: status === "scheduled" ? ("scheduled" as const) : ("processing" as const),
    amount,
    plannedFor: undefined,
  }));
  return [...ours, ...theirs].toSorted(
    (one, other) => PHASES.indexOf(one.phase) - PHASES.indexOf(other.phase),
  );
};

/**
 * When the least withdrawal may be sent again under the cap per 24 hours, or its raise. Undefined: now. `sent` holds the
 * amounts that were or may have been sent in the last 24 hours.
 */
export const capFreesAt = (
  sent: readonly { readonly at: Temporal.Instant; readonly amount: Cents }[],
  { dailyCap, pendingCap }: Pick<MoneyGuards, "pendingCap"> & { readonly dailyCap: Cents },
): Temporal.Instant | undefined => {
  let left = sent.reduce<number>((rest, { amount }) => rest - amount, dailyCap);
  if (left >= MINIMUM_WITHDRAWAL) return undefined;
  const freed = sent.map(({ at, amount }) => ({ at: at.add({ milliseconds: DAY }), amount }));
  const raised = (pendingCap?.cap ?? Infinity) - dailyCap;
  const raise = pendingCap === undefined ? [] : [{ at: pendingCap.from, amount: raised }];
  const inOrder = [...freed, ...raise].toSorted((one, other) =>
    Temporal.Instant.compare(one.at, other.at),
  );
  for (const { at, amount } of inOrder) {
    left += amount;
    if (left >= MINIMUM_WITHDRAWAL) return at;
  }
  return undefined;
};
