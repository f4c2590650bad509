import type { SaleEvent, SaleGroup } from "./sale-notice.ts";
import { salesCount, type SalesReport } from "../reports/sales.ts";
import { reportChangeOf, type ReportCount, type WatchState } from "./sale-watch.ts";
import { cents } from "../shared/money.ts";
import { openReportDay } from "../shared/report-day.ts";
import type { Clock } from "../shared/time.ts";

export interface ReportFindings {
  readonly groups: readonly SaleGroup[];
  readonly report: ReportCount;
}

/** Days read in one look: after a long outage each closed day is read once. */
const MOST_DAYS = 3;

const figuresOf = (report: SalesReport) => ({
  count: salesCount(report.byOrigin),
  total: report.total.sales,
});

/**
 * Compares the sales report of the open UTC day with its last reading, and reads each day once more after it has
 * closed. The first reading tells no sale.
 * Source: service.md 2.7, 4.6.
 */
export const createReportLook =
  ({ clock }: { readonly clock: Clock }) =>
  /** @throws WalletError */
  async (
    watch: Pick<WatchState, "report">,
    read: (day: Temporal.PlainDate) => Promise<SalesReport>,
  ): Promise<ReportFindings> => {
    const today = openReportDay(clock.now());
    const groups: SaleGroup[] = [];
    let before: ReportCount | undefined = watch.report;
    if (before === undefined) {
      const first = figuresOf(await read(today));
      return { groups, report: { day: today, ...first, toldSales: 0, toldRefunds: 0 } };
    }
    for (let days = 0; days < MOST_DAYS; days++) {
      // A clock that was set back: the day of the last reading is still the open one.
      const day: Temporal.PlainDate = before.day;
      const after = figuresOf(await read(day));
      const { sales, refunds } = reportChangeOf(before, after);
      const line = { why: "report", from: undefined, until: undefined } as const;
      if (sales !== undefined) groups.push({ of: "sale", ...sales, ...line });
      if (refunds !== undefined) groups.push({ of: "refund", ...refunds, ...line });
      const toldSales: number = before.toldSales + (sales?.count ?? 0);
      const toldRefunds: number = before.toldRefunds + (refunds?.count ?? 0);
      const told = { toldSales, toldRefunds };
      before = { day, ...after, ...told };
      if (Temporal.PlainDate.compare(day, today) >= 0) break;
      before = { day: day.add({ days: 1 }), count: 0, total: cents(0), ...told };
    }
    return { groups, report: before };
  };

/**
 * The events of the list after its return, without those that the report told by their number: the newest ones, as
 * the report stood in for the list last.
 */
export const withoutCounted = (
  events: readonly SaleEvent[],
  { toldSales, toldRefunds }: Pick<ReportCount, "toldSales" | "toldRefunds">,
): readonly SaleEvent[] => {
  const left = (kind: SaleEvent["kind"], told: number): readonly SaleEvent[] => {
    const sorted = events
      .filter((event) => event.kind === kind)
      .toSorted(
        (one, other) =>
          (one.at?.epochMilliseconds ?? Infinity) - (other.at?.epochMilliseconds ?? Infinity),
      );
    return sorted.slice(0, Math.max(0, sorted.length - told));
  };
  return [...left("sale", toldSales), ...left("refund", toldRefunds)];
};
