import type { SalesDay } from "../reports/sales-days.ts";
import type { WalletErrorKind } from "../shared/errors.ts";
import { type Cents, cents } from "../shared/money.ts";
import { closeOf, justClosedDay, openReportDay } from "../shared/report-day.ts";
import { type ReadingTimes, readingTimes } from "../shared/time.ts";

/** Sales that a seller aims at in each month, before fees and refunds. */
export interface Goal {
  readonly amount: Cents;
  /** Whether the report of the server shows it; otherwise only its seller sees it. */
  readonly shown: boolean;
}

export interface GoalProgress {
  readonly goal: Cents;
  /** Last day that counts; its month is the goal's. */
  readonly upTo: Temporal.PlainDate;
  /** Of the days that are known. */
  readonly sold: Cents;
  /** Rounded down; at least 100 once the goal is reached, and never before. */
  readonly percent: number;
  /** 0 once the goal is reached. */
  readonly remaining: Cents;
  /** Days of the month that can still bring sales, an open day among them. */
  readonly daysLeft: number;
  /** Days up to `upTo` without figures: `sold` leaves them out. */
  readonly missing: readonly Temporal.PlainDate[];
}

export interface GoalReading extends ReadingTimes {
  readonly goal: Goal;
  readonly progress: GoalProgress;
  /** Why the month cannot be read now: the figures are from the last reading that worked. */
  readonly problem?: WalletErrorKind | undefined;
  /** References for the support of failed reads. */
  readonly supportCodes?: readonly string[] | undefined;
}

/**
 * The newest report day of the present calendar month. After 21:00 on the month's last day it is still that day, though
 * sales then count for the next month.
 */
export const lastGoalDay = (now: Temporal.Instant): Temporal.PlainDate => {
  const open = openReportDay(now);
  const today = justClosedDay(now) ?? open;
  return open.month === today.month ? open : today;
};

/** Whether no figure of the month is known, so that the sum of sales is unknown. */
export const isUnread = ({ missing, upTo }: GoalProgress): boolean => missing.length === upTo.day;

const isOpen = (day: Temporal.PlainDate, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(now, closeOf(day)) < 0;

/** The figures of a closed day count only if they were read after its close. */
const counts = (
  { day, readAt }: Pick<SalesDay, "day" | "readAt">,
  now: Temporal.Instant,
): boolean => isOpen(day, now) || Temporal.Instant.compare(readAt, closeOf(day)) >= 0;

const percentOf = (sold: number, goal: number): number => {
  // Exact: divided first, 1.160 of 4.000 would be 28%.
  return Math.max(0, Math.floor((sold * 100) / goal));
};

type GoalDay = Pick<SalesDay, "day" | "readAt" | "sales">;

/** The figures that count, of the month of `upTo`. */
const counted = (
  days: readonly GoalDay[],
  now: Temporal.Instant,
  upTo: Temporal.PlainDate,
): readonly GoalDay[] =>
  days.filter(
    (each) => each.day.toPlainYearMonth().equals(upTo.toPlainYearMonth()) && counts(each, now),
  );

/** Of the figures that count. */
export const goalReadings = (days: readonly GoalDay[], now: Temporal.Instant): ReadingTimes =>
  readingTimes(counted(days, now, lastGoalDay(now)), now);

/** `days`: figures of any days. `upTo`: a report passes the day that it is about. */
export const goalProgress = (
  goal: Cents,
  days: readonly GoalDay[],
  now: Temporal.Instant,
  upTo = lastGoalDay(now),
): GoalProgress => {
  const known = new Map(counted(days, now, upTo).map(({ day, sales }) => [day.toString(), sales]));
  const month = Array.from({ length: upTo.day }, (_, place) => upTo.with({ day: place + 1 }));
  const sold = month.reduce((sum, day) => sum + (known.get(day.toString()) ?? 0), 0);
  return {
    goal,
    upTo,
    sold: cents(sold),
    percent: percentOf(sold, goal),
    remaining: cents(Math.max(0, goal - sold)),
    daysLeft: upTo.daysInMonth - upTo.day + (isOpen(upTo, now) ? 1 : 0),
    missing: month.filter((day) => !known.has(day.toString())),
  };
};
