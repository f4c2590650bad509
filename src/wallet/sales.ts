import * as z from "zod";
import type { OriginSales, SalesReport, SalesTotals } from "../reports/sales.ts";
import { typedDay } from "../shared/report-day.ts";
import { type AnswerFacts, type ParseResult, routeRead, type Send } from "./operation.ts";
import { readerOf, wireId, wireMoney } from "./wire.ts";

const wireTotals = z.object({ totalSales: wireMoney, totalFees: wireMoney, totalNet: wireMoney });

const wireOrigin = wireTotals.extend({ count: z.int().nonnegative() });

const wireReport = z.object({
  date: z.string(),
  userId: wireId,
  summary: wireTotals,
  breakdown: z.object({ api: wireOrigin, esales: wireOrigin }),
});

const toTotals = (wire: z.infer<typeof wireTotals>): SalesTotals => ({
  sales: wire.totalSales,
  fees: wire.totalFees,
  net: wire.totalNet,
});

const toOrigin = (wire: z.infer<typeof wireOrigin>): OriginSales => ({
  ...toTotals(wire),
  count: wire.count,
});

const readReport = readerOf(wireReport);

/** Rejects a report of another day, which would be posted for good under the wrong date. */
const readReportOf =
  (day: Temporal.PlainDate, date: string) =>
  (answer: object, { skewMs }: AnswerFacts): ParseResult<SalesReport> => {
    const parsed = readReport(answer);
    if (!parsed.ok) return parsed;
    const { value } = parsed;
    if (value.date !== date) return { ok: false, problems: ["date is not the day asked for"] };
    const byOrigin = {
      api: toOrigin(value.breakdown.api),
      esales: toOrigin(value.breakdown.esales),
    };
    const total = toTotals(value.summary);
    return { ok: true, value: { day, userId: value.userId, total, byOrigin, skewMs } };
  };

/**
 * Approved sales of one UTC day. A later refund lowers the figures of a past day.
 * Source: service.md 2.7, 4.6.
 * @throws WalletError
 */
export const getSalesReport = (send: Send, day: Temporal.PlainDate): Promise<SalesReport> => {
  const date = typedDay(day);
  return send({
    ...routeRead("/v1/sales/report", `date=${encodeURIComponent(date)}`),
    read: readReportOf(day, date),
  });
};
