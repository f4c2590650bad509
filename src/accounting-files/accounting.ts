import { type Cents, cents } from "../shared/money.ts";
import { type PeriodReading, type SalesPeriod, shownFigures } from "../reports/sales-period.ts";
import { openingOf } from "../shared/report-day.ts";
import { isWhole, type SalesDay, type SalesFigures, sumOf } from "../reports/sales-days.ts";
import type { Withdrawal } from "../withdrawals/withdrawal.ts";
import { isSplit, type WithdrawOp } from "../withdrawals/withdraw-op.ts";

/** A withdrawal that was paid. Figures that neither journal nor service gave are undefined. */
export interface AccountingWithdrawal {
  /** When it was completed, as far as it is known; of one that its owner confirmed, when it was asked for. */
  readonly at: Temporal.Instant;
  readonly amount: Cents | undefined;
  readonly fee: Cents | undefined;
  readonly net: Cents | undefined;
  /** Undefined for a withdrawal made elsewhere. */
  readonly op: WithdrawOp | undefined;
  /** Code of an own operation; another owner of the account may have made it. */
  readonly code: string | undefined;
  /** The service's detail, where it was read. */
  readonly detail: Withdrawal | undefined;
  readonly txid: string | undefined;
}

/** Knowledge of withdrawals that were not made here. */
export type Elsewhere =
  | { readonly kind: "unread"; readonly supportCode?: string | undefined }
  | {
      readonly kind: "read";
      /**
       * The oldest withdrawal of the service's list; undefined when the list is empty. `unordered`: it is not newest
       * first, so that its one page may leave out the newest.
       */
      readonly since: Temporal.Instant | "unordered" | undefined;
      /** Listed withdrawals that may belong to the period, but whose state, time or operation could not be read. */
      readonly unclear: number;
      /** Listed withdrawals whose details are left for the next readings. */
      readonly left: number;
    };

/** Details that one request reads: little more than the burst of an account's pace. */
export const MOST_DETAILS = 10;

/** Code for the support where the list could not be read. */
export const unreadListCodes = ({ elsewhere }: { readonly elsewhere: Elsewhere }) =>
  elsewhere.kind === "unread" && elsewhere.supportCode !== undefined ? [elsewhere.supportCode] : [];

/** Withdrawals of a period that were paid, and the ones that may be. */
export interface PaidWithdrawals {
  /** Oldest first. */
  readonly withdrawals: readonly AccountingWithdrawal[];
  /** Withdrawals asked for before the period's end that have no known end yet. */
  readonly underWay: number;
  readonly elsewhere: Elsewhere;
}

/** Figures of a period for the books. */
export interface AccountingFacts extends PaidWithdrawals {
  readonly reading: Pick<PeriodReading, "period" | "days" | "known" | "readAt" | "supportCodes">;
  readonly keyLast4: string;
}

/** `partial`: read before the day was over, or before the service had counted all of it. */
export type DayState = "whole" | "partial" | "missing";

export interface AccountingDay {
  readonly day: Temporal.PlainDate;
  readonly state: DayState;
  readonly figures: SalesDay | undefined;
}

/** Every day of the period, oldest first, the missing ones too. */
export const daysIn = ({ reading: { days, known } }: AccountingFacts): readonly AccountingDay[] =>
  days.shown.map((day) => {
    const figures = known.get(day.toString());
    if (figures === undefined) return { day, state: "missing", figures };
    return { day, state: isWhole(figures) ? "whole" : "partial", figures };
  });

/** A month is named by its days until each was read whole: its file would pass for that of the whole month. */
export const namedPeriod = (facts: AccountingFacts): SalesPeriod => {
  const { period } = facts.reading;
  const isWholeMonth = daysIn(facts).every(({ state }) => state === "whole");
  return isWholeMonth ? period : { ...period, kind: "days" };
};

/** Whether every day of the period is known, partial ones too. */
export const isComplete = (facts: AccountingFacts): boolean =>
  daysIn(facts).every(({ state }) => state !== "missing");

/** The same sum as in the answers about the period: of the known days. */
export const salesSum = ({ reading }: AccountingFacts): SalesFigures =>
  sumOf(shownFigures(reading));

/** Whether it took a recipient's split balance instead of the seller's. Of one made elsewhere it is not known. */
export const isOfSplit = ({ op }: Pick<AccountingWithdrawal, "op">): boolean =>
  op !== undefined && isSplit(op.kind);

const figureNames = ["amount", "fee", "net"] as const;
type FigureName = (typeof figureNames)[number];

export type WithdrawalFigures = Pick<AccountingWithdrawal, FigureName>;

/** Sums of the known figures; undefined where no figure is known, or none was listed, as zero would be a figure. */
interface WithdrawalSums extends WithdrawalFigures {
  readonly count: number;
  /** Withdrawals in a sum that leaves others out. */
  readonly some: Readonly<Record<FigureName, number | undefined>>;
  /** Withdrawals of which a figure is not known. */
  readonly incomplete: number;
}

export const withdrawalSums = (
  withdrawals: readonly WithdrawalFigures[],
  isListed = true,
): WithdrawalSums => {
  const knownOf = (name: FigureName): readonly Cents[] =>
    withdrawals.flatMap((each) => each[name] ?? []);
  const sum = (name: FigureName): Cents | undefined => {
    const known = knownOf(name);
    if (known.length === 0 && (withdrawals.length > 0 || !isListed)) return undefined;
    return cents(known.reduce<number>((total, each) => total + each, 0));
  };
  const some = (name: FigureName): number | undefined => {
    const { length } = knownOf(name);
    return length === 0 || length === withdrawals.length ? undefined : length;
  };
  return {
    count: withdrawals.length,
    amount: sum("amount"),
    fee: sum("fee"),
    net: sum("net"),
    some: { amount: some("amount"), fee: some("fee"), net: some("net") },
    incomplete: withdrawals.filter((each) => figureNames.some((name) => each[name] === undefined))
      .length,
  };
};

/** The begin of the service's list, if it is later than the period's: earlier withdrawals may lack. */
export const listedOnlySince = (
  { elsewhere }: Pick<PaidWithdrawals, "elsewhere">,
  firstDay: Temporal.PlainDate,
): Temporal.Instant | undefined => {
  const since = elsewhere.kind === "read" ? elsewhere.since : undefined;
  return since instanceof Temporal.Instant &&
    Temporal.Instant.compare(since, openingOf(firstDay)) > 0
    ? since
    : undefined;
};

/** Whether the service's list tells all withdrawals of a period that begins with the day. */
export const isListedSince = (
  { elsewhere }: Pick<PaidWithdrawals, "elsewhere">,
  firstDay: Temporal.PlainDate,
): boolean =>
  elsewhere.kind === "read" &&
  elsewhere.since !== "unordered" &&
  elsewhere.unclear === 0 &&
  listedOnlySince({ elsewhere }, firstDay) === undefined;

/** The sums of a period, and whether they have each of its withdrawals, with its figures, as far as the list tells. */
export const paidSums = (facts: AccountingFacts) => {
  const isListed = isListedSince(facts, facts.reading.period.from);
  const sums = withdrawalSums(facts.withdrawals, isListed);
  return { ...sums, isWhole: isListed && sums.incomplete === 0 };
};
