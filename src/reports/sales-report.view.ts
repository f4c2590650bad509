import { brasiliaWindow } from "../shared/report-day.ts";
import type { SalesPeriod } from "./sales-period.ts";
import type { ReportTexts } from "./texts.ts";

/** The window of report days, as a small line has it. */
export const windowOf = (
  { from, to }: Pick<SalesPeriod, "from" | "to">,
  { periods, format }: ReportTexts,
): string =>
  periods.window(format.moment(brasiliaWindow(from).from), format.moment(brasiliaWindow(to).to));

/** The window of a report day in words, in Brasília's time. */
export const windowInWords = (day: Temporal.PlainDate, { sales }: ReportTexts): string => {
  const { from, to } = brasiliaWindow(day);
  return sales.window(from, to);
};
