import { cents, type Cents } from "../shared/money.ts";
import { DAY } from "../shared/time.ts";
import { inBrasilia } from "./local-time.ts";
import { isLocking, isTurbo, type WithdrawOp } from "./withdraw-op.ts";
import type { ListedWithdrawal, WithdrawalPage } from "./withdrawal.ts";

/** What somebody typed as an amount. `too_fine`: three decimals or more after a comma, which may be a thousand or not. */
type AmountReading =
  | { readonly kind: "amount"; readonly amount: Cents }
  | { readonly kind: "all" }
  | { readonly kind: "too_fine" }
  | { readonly kind: "unreadable" };

const WHOLE_BALANCE: ReadonlySet<string> = new Set(["tudo", "all"]);

/** Each names the whole reais and, where it has them, the decimals. No two of them read one text differently. */
const AMOUNT_FORMS: readonly RegExp[] = [
  /^(?<whole>\d+)(?:,(?<part>\d{1,2}))?$/,
  /^(?<whole>[1-9]\d{0,2}(?:\.\d{3})+)(?:,(?<part>\d{1,2}))?$/,
  /^(?<whole>\d+)\.(?<part>\d{1,2})$/,
  /^(?<whole>[1-9]\d{0,2}(?:,\d{3})+)\.(?<part>\d{2})$/,
];
const TOO_FINE = /^\d[\d.]*,\d{3,}$/;
/** Beyond any balance, and far within what a number holds exactly. */
const MOST_DIGITS = 12;

/**
 * An amount in reais as Brazilians type it: `50`, `50,00`, `1234.56`, `1.234,56`, `R$ 50`; `1.234` is one thousand two
 * hundred and thirty-four. Never negative. Source: product notes 4.
 */
export const parseAmount = (text: string): AmountReading => {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/^r\$\s*/, "")
    .replace(/\s*rea(?:is|l)$/, "");
  if (WHOLE_BALANCE.has(plain)) return { kind: "all" };
  if (TOO_FINE.test(plain)) return { kind: "too_fine" };
  for (const form of AMOUNT_FORMS) {
    const { whole, part = "" } = form.exec(plain)?.groups ?? {};
    if (whole === undefined) continue;
    const digits = whole.replace(/[.,]/g, "");
    if (digits.length > MOST_DIGITS) break;
    return { kind: "amount", amount: cents(Number(`${digits}${part.padEnd(2, "0")}`)) };
  }
  return { kind: "unreadable" };
};

/** Least gross amount of a withdrawal; it may be withdrawn itself. Source: service.md 1. */
export const MINIMUM_WITHDRAWAL = cents(1_000);

const NORMAL_FEE = 50;
const TURBO_FEE = 350;

/** What one withdrawal costs and what arrives. Source: service.md 1. */
export interface WithdrawQuote {
  readonly turbo: boolean;
  readonly gross: Cents;
  readonly fee: Cents;
  readonly net: Cents;
}

/** The fee comes out of the gross amount. */
export const quoteOf = (gross: Cents, turbo: boolean): WithdrawQuote => {
  const fee = cents(turbo ? TURBO_FEE : NORMAL_FEE);
  return { turbo, gross, fee, net: cents(gross - fee) };
};

const NIGHT_BEGINS = 20;
const NIGHT_ENDS = 6;

/**
 * Whether it is 20:00 to 06:00 in Brasília, when the service's limits may be the lower ones. The document names no zone
 * for its windows, so that Brasília is an assumption and never told as the service's rule. Source: service.md 8.
 */
export const isNight = (now: Temporal.Instant): boolean => {
  const { hour } = inBrasilia(now);
  return hour >= NIGHT_BEGINS || hour < NIGHT_ENDS;
};

/** When the next withdrawal is allowed, as far as is known: one in 24 hours. Undefined: now. Source: service.md 8. */
export const allowedFrom = (
  lastSentAt: Temporal.Instant | undefined,
  now: Temporal.Instant,
): Temporal.Instant | undefined => {
  const from = lastSentAt?.add({ milliseconds: DAY });
  return from !== undefined && Temporal.Instant.compare(from, now) > 0 ? from : undefined;
};

/** The last withdrawal in the last 24 hours, and when the next one is allowed, as far as is known. */
export interface RecentWithdrawal {
  readonly at: Temporal.Instant;
  readonly allowedFrom: Temporal.Instant;
}

/** The newest of the journal's and of the list's withdrawals, by our clock, if it was less than 24 hours ago. */
export const recentWithdrawal = (
  lastSentAt: Temporal.Instant | undefined,
  page: WithdrawalPage | undefined,
  now: Temporal.Instant,
): RecentWithdrawal | undefined => {
  const skewMs = page?.skewMs ?? 0;
  const listedMs = (page?.items ?? [])
    .flatMap(({ requestedAt }) => requestedAt?.epochMilliseconds ?? [])
    .map((ms) => ms - skewMs)
    // A row of a later time cannot be one that was made already.
    .filter((ms) => ms <= now.epochMilliseconds);
  const lastMs = Math.max(lastSentAt?.epochMilliseconds ?? -Infinity, ...listedMs);
  if (now.epochMilliseconds - lastMs >= DAY) return undefined;
  const at = Temporal.Instant.fromEpochMilliseconds(lastMs);
  return { at, allowedFrom: at.add({ milliseconds: DAY }) };
};

/** A withdrawal of the wallet account that the service has and that is not over, as far as is known. */
export interface UnderWay {
  /** `unread`: the service accepted it, and its end cannot be read. */
  readonly phase: "processing" | "scheduled" | "unread";
  /** Undefined also where it is another person's. */
  readonly amount: Cents | undefined;
  readonly plannedFor: Temporal.Instant | undefined;
}

const ENDED: ReadonlySet<string | undefined> = new Set(["completed", "failed", "cancelled"]);

/** A turbo withdrawal begins as `processing`, a normal one as `scheduled`. Source: service.md 3.1. */
const phaseOf = (op: WithdrawOp, listed: string | undefined): UnderWay["phase"] => {
  if (listed === "processing" || listed === "scheduled") return listed;
  if (op.state === "manual") return "unread";
  if (op.state === "accepted") return isTurbo(op.kind) ? "processing" : "scheduled";
  return op.state === "scheduled" ? "scheduled" : "processing";
};

/** Rows of the service's list that are under way and that no operation has claimed. */
export const underWayElsewhere = (
  page: WithdrawalPage,
  claimed: readonly string[],
): readonly ListedWithdrawal[] =>
  page.items.filter(
    ({ txid, status }) =>
      (status === "scheduled" || status === "processing") && !claimed.includes(txid),
  );

/**
 * All that is under way of one account: accepted operations, unless the list says that they ended, and rows of the list
 * that belong to no operation. `viewerId` is told amounts of their own operations and of the list.
 */
export const underWay = (
  open: readonly WithdrawOp[],
  page: WithdrawalPage | undefined,
  claimed: readonly string[],
  viewerId: string,
): readonly UnderWay[] => {
  const statusOf = new Map(page?.items.map(({ txid, status }) => [txid, status]));
  const ours = open
    .filter((op) => !isLocking(op) && !ENDED.has(statusOf.get(op.txid ?? "")))
    .map((op) => ({
      phase: phaseOf(op, statusOf.get(op.txid ?? "")),
      amount: op.ownerId === viewerId ? op.amount : undefined,
      plannedFor: op.scheduledFor,
    }));
  const elsewhere = page === undefined ? [] : underWayElsewhere(page, claimed);
  const theirs = elsewhere.map(({ amount, status }) => ({
    phase: status === "scheduled" ? ("scheduled" as const) : ("processing" as const),
    amount,
    plannedFor: undefined,
  }));
  return [...ours, ...theirs];
};

/**
 * When at least `least` may go out again under a cap on what is sent in 24 hours. Undefined: now. `sent` is what was
 * sent, or may have been, in the last 24 hours.
 */
export const capFreesAt = (
  sent: readonly { readonly at: Temporal.Instant; readonly amount: Cents }[],
  cap: Cents,
  least: Cents,
): Temporal.Instant | undefined => {
  let left = sent.reduce<number>((rest, { amount }) => rest - amount, cap);
  if (left >= least) return undefined;
  const oldestFirst = sent.toSorted((one, other) => Temporal.Instant.compare(one.at, other.at));
  for (const { at, amount } of oldestFirst) {
    left += amount;
    if (left >= least) return at.add({ milliseconds: DAY });
  }
  return undefined;
};
