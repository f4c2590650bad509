import { type SaleEvent, type SaleGroup, TOLERANCE_MS } from "./sale-notice.ts";
import { salesCount, type SalesReport } from "../reports/sales.ts";
import type { ReportCount, WatchState } from "./sale-watch.ts";
import { cents } from "../shared/money.ts";
import { openReportDay, SETTLING_MS } from "../shared/report-day.ts";
import { DAY, msBetween, MINUTE } from "../shared/time.ts";

/** A reading of the report from before its day's first sale. */
export const nothingCounted = (day: Temporal.PlainDate, readAt: Temporal.Instant): ReportCount => {
  const told = { toldSales: 0, toldRefunds: 0, isPassed: false };
  return { day, count: 0, total: cents(0), readAt, ...told };
};

/** Whether the sales that the report told are no longer awaited in the list. */
export const isReportOld = ({ readAt }: ReportCount, now: Temporal.Instant): boolean =>
  msBetween(now, readAt) >= DAY;

const BY_REPORT = { total: undefined, why: "report", from: undefined, until: undefined } as const;

/** More sales than the last reading, or fewer. The sum is left out where sales and refunds in between hide each other. */
const changeOf = (
  count: number,
  sum: number,
  time: Partial<Pick<SaleGroup, "from" | "until">>,
): SaleGroup => {
  const [of, total] = count > 0 ? (["sale", sum] as const) : (["refund", -sum] as const);
  return {
    ...BY_REPORT,
    ...time,
    of,
    count: Math.abs(count),
    ...(total > 0 && { total: cents(total) }),
  };
};

interface ReportFindings {
  readonly groups: readonly SaleGroup[];
  readonly report: ReportCount;
}

/** Longer than any pace of the looks: news of such a time says so. */
const LONG_MS = 20 * MINUTE;
/** Days read in one look: after a long outage each closed day is read once. */
const MOST_DAYS = 3;

/** Whether a clock that was ahead has begun with a day that is to come, of which no sale is counted. */
const isToCome = ({ day, count }: ReportCount, today: Temporal.PlainDate): boolean =>
  count === 0 && Temporal.PlainDate.compare(day, today) > 0;

const figuresOf = (report: SalesReport) => ({
  count: salesCount(report.byOrigin),
  total: report.total.sales,
});

/**
 * Compares the sales report of the open UTC day with its last reading, and reads each day once more after it has
 * closed. The first reading tells no sale, nor does the first one after the list was read in part: the list tells those.
 * Source: service.md 2.7, 4.6.
 * @throws WalletError
 */
export const readReport = async (
  watch: Pick<WatchState, "report">,
  read: (day: Temporal.PlainDate) => Promise<SalesReport>,
  now: Temporal.Instant,
): Promise<ReportFindings> => {
  const today = openReportDay(now);
  // A day is left some minutes after its close: the service may count its last sales late.
  const last = openReportDay(now.subtract({ milliseconds: SETTLING_MS }));
  const groups: SaleGroup[] = [];
  let before: ReportCount | undefined = watch.report;
  if (before === undefined || before.isPassed || isToCome(before, today)) {
    const { toldSales, toldRefunds } = before ?? { toldSales: 0, toldRefunds: 0 };
    const figures = figuresOf(await read(today));
    const first = { day: today, ...figures, readAt: now, isPassed: false };
    return { groups, report: { ...first, toldSales, toldRefunds } };
  }
  const from = before.readAt;
  const isLong = now.epochMilliseconds - from.epochMilliseconds > LONG_MS;
  const time = isLong ? { from, until: now } : {};
  for (let days = 0; days < MOST_DAYS; days++) {
    // A clock that was set back: the day of the last reading is still the open one.
    const day: Temporal.PlainDate = before.day;
    const after = figuresOf(await read(day));
    // A service may answer a day with zeros for a moment; the day is read once more before all its sales count as refunded.
    if (after.count === 0 && before.count > 0 && before.isZeroSince !== true)
      return { groups, report: { ...before, isZeroSince: true } };
    const more: number = after.count - before.count;
    if (more !== 0) groups.push(changeOf(more, after.total - before.total, time));
    const toldSales: number = before.toldSales + Math.max(0, more);
    const toldRefunds: number = before.toldRefunds + Math.max(0, -more);
    const told = { toldSales, toldRefunds, readAt: now, isPassed: false };
    before = { day, ...after, ...told };
    if (Temporal.PlainDate.compare(day, last) >= 0) break;
    before = { day: day.add({ days: 1 }), count: 0, total: cents(0), ...told };
  }
  return { groups, report: before };
};

/**
 * The events of the list after its return, as far as the report has not told them by their number. The report does not
 * say which ones it told: the rest is told by its number too. Only a sale from before the report was read can be one of
 * them. `report`: the rest that later pages still have to leave out. `isBack`: the list was read whole before as far as news
 * stand, so that a sale without a time is not one of them; a refund of an older sale may be.
 */
export const withoutCounted = (
  events: readonly SaleEvent[],
  report: ReportCount,
  isBack: boolean,
): ReportFindings & { readonly events: readonly SaleEvent[] } => {
  const until = report.readAt.add({ milliseconds: TOLERANCE_MS });
  const mayBeTold = ({ kind, at }: SaleEvent): boolean =>
    at === undefined ? !isBack || kind === "refund" : Temporal.Instant.compare(at, until) <= 0;
  const restOf = (of: SaleEvent["kind"], told: number) => {
    const ofKind = events.filter(({ kind }) => kind === of);
    if (told === 0) return { named: ofKind, groups: [], left: 0 };
    const listed = ofKind.filter(mayBeTold);
    const named = ofKind.filter((event) => !mayBeTold(event));
    const count = listed.length - told;
    const groups: readonly SaleGroup[] = count > 0 ? [{ ...BY_REPORT, of, count }] : [];
    return { named, groups, left: Math.max(0, -count) };
  };
  const sales = restOf("sale", report.toldSales);
  const refunds = restOf("refund", report.toldRefunds);
  return {
    events: [...sales.named, ...refunds.named],
    groups: [...sales.groups, ...refunds.groups],
    report: { ...report, toldSales: sales.left, toldRefunds: refunds.left, isPassed: true },
  };
};
