import type { SalesDay } from "#src/reports/sales-days.ts";
import { cents } from "#src/shared/money.ts";
import { settledAt } from "#src/shared/report-day.ts";

/** A day's figures with the documented fee, read once the day had settled. */
export const salesDay = (
  day: Temporal.PlainDate,
  reais: number,
  changes: Partial<SalesDay> = {},
): SalesDay => {
  const sales = cents(Math.round(reais * 100));
  const fees = cents(Math.round((sales * 6) / 100));
  return {
    day,
    sales,
    fees,
    net: cents(sales - fees),
    api: { count: sales === 0 ? 0 : 1, sales },
    esales: { count: 0, sales: cents(0) },
    readAt: settledAt(day),
    ...changes,
  };
};
