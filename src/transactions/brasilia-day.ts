import { daysOf } from "../reports/sales-period.ts";
import { type OriginSales, salesCount, type SalesReport } from "../reports/sales.ts";
import { startInBrasilia } from "../shared/local-time.ts";
import { cents } from "../shared/money.ts";
import { closeOf, openingOf, openReportDay } from "../shared/report-day.ts";
import type { ListedTransaction } from "./transaction.ts";
import { isWhollyNewestFirst } from "./transaction-list.ts";

/** Approved sales from 00:00 to 24:00 of Brasília, added up from the list of transactions. */
export interface BrasiliaDay {
  readonly day: Temporal.PlainDate;
  readonly sum: OriginSales;
  /** `api`: the list lacks the sales of the service's other origin. */
  readonly covers: "all" | "api";
  /** When the figures were requested. */
  readonly readAt: Temporal.Instant;
}

/** The report days that hold a part of the day, of those that have begun. */
export const reportDaysOf = (
  day: Temporal.PlainDate,
  now: Temporal.Instant,
): readonly Temporal.PlainDate[] => {
  const end = startInBrasilia(day.add({ days: 1 })).subtract({ nanoseconds: 1 });
  const open = openReportDay(now);
  return daysOf({ from: openReportDay(startInBrasilia(day)), to: openReportDay(end) }).filter(
    (each) => Temporal.PlainDate.compare(each, open) <= 0,
  );
};

type TimeOf = (row: ListedTransaction) => Temporal.Instant | undefined;

/** Which time places a sale is not shown (service.md 2.7): the last change of an approved one is its approval. */
const PLACING: readonly TimeOf[] = [
  ({ createdAt, updatedAt }) => updatedAt ?? createdAt,
  ({ createdAt }) => createdAt,
];

/** Longest time from a charge to its payment that the reading covers: the list may stand in the order of charges. */
const PAYMENT_HOURS = 1;
/** Fewer rows may stand newest first by chance. */
const LEAST_TIMES = 9;

/** Whether the list is told newest first by one of its times, and goes back far enough for all sales since `opening`. */
export const goesBackTo = (
  rows: readonly ListedTransaction[],
  opening: Temporal.Instant,
): boolean => {
  const first = opening.subtract({ hours: PAYMENT_HOURS }).epochMilliseconds;
  return PLACING.some((timeOf) => {
    const placed = rows.map((row) => ({ ...row, createdAt: timeOf(row) }));
    const times = placed.map(({ createdAt }) => createdAt?.epochMilliseconds);
    const isOlder = (times.at(-1) ?? Infinity) < first;
    return isOlder && new Set(times).size >= LEAST_TIMES && isWhollyNewestFirst(placed);
  });
};

/** Whether all rows are of charges made after the day: the reading ended before it came to it. */
export const endsAfter = (rows: readonly ListedTransaction[], day: Temporal.PlainDate): boolean => {
  const end = startInBrasilia(day.add({ days: 1 }));
  return rows.every(
    ({ createdAt }) => createdAt !== undefined && Temporal.Instant.compare(createdAt, end) >= 0,
  );
};

const isApprovedSale = ({ type, status }: ListedTransaction): boolean =>
  type === "payment" && status === "approved";

/** Whether the list has sales that no day can count. */
export const hasUndatedSales = (rows: readonly ListedTransaction[]): boolean =>
  rows.some((row) => isApprovedSale(row) && PLACING[0]?.(row) === undefined);

/** Sum of the sales from `from` until before `to`. An amount that is not told is zero, with which no report agrees. */
const sumWithin = (
  approved: readonly ListedTransaction[],
  timeOf: TimeOf,
  from: Temporal.Instant,
  to: Temporal.Instant,
): OriginSales => {
  const within = approved.filter((row) => {
    const ms = timeOf(row)?.epochMilliseconds;
    return ms !== undefined && ms >= from.epochMilliseconds && ms < to.epochMilliseconds;
  });
  const sum = (of: "amount" | "net"): number =>
    within.reduce((total, row) => total + (row[of] ?? 0), 0);
  const [sales, net] = [sum("amount"), sum("net")];
  return { count: within.length, sales: cents(sales), net: cents(net), fees: cents(sales - net) };
};

/** The service does not show how it rounds fees: each may differ by less than a centavo. */
const agrees = (sum: OriginSales, reported: OriginSales): boolean =>
  sum.count === reported.count &&
  sum.sales === reported.sales &&
  Math.abs(sum.net - reported.net) < Math.max(sum.count, 1) &&
  Math.abs(sum.fees - reported.fees) < Math.max(sum.count, 1);

const reportedOf = ({ total, byOrigin }: SalesReport, covers: BrasiliaDay["covers"]): OriginSales =>
  covers === "api" ? byOrigin.api : { ...total, count: salesCount(byOrigin) };

/**
 * The day's sales, if by one time of the rows, created or updated, their sums of each report day agree with the
 * documented report. The rows must hold all sales of those days. Undefined, too, where one time proves the sales of all
 * origins and the other those by API alone.
 */
export const brasiliaDayOf = (
  day: Temporal.PlainDate,
  rows: readonly ListedTransaction[],
  reports: readonly SalesReport[],
): Pick<BrasiliaDay, "sum" | "covers"> | undefined => {
  const approved = rows.filter(isApprovedSale);
  const [from, to] = [startInBrasilia(day), startInBrasilia(day.add({ days: 1 }))];
  const hasOthers = reports.some(({ byOrigin }) => byOrigin.esales.count > 0);
  const proven = (hasOthers ? (["all", "api"] as const) : (["all"] as const)).flatMap((covers) => {
    const timeOf = PLACING.find((each) =>
      reports.every((report) =>
        agrees(
          sumWithin(approved, each, openingOf(report.day), closeOf(report.day)),
          reportedOf(report, covers),
        ),
      ),
    );
    return timeOf === undefined ? [] : [{ covers, sum: sumWithin(approved, timeOf, from, to) }];
  });
  return proven.length === 1 ? proven[0] : undefined;
};
