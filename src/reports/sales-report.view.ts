import { brasiliaWindow } from "../shared/report-day.ts";
import type { ReportTexts } from "./texts.ts";

/** The window of a report day in words, in Brasília's time. */
export const windowInWords = (day: Temporal.PlainDate, { sales }: ReportTexts): string => {
  const { from, to } = brasiliaWindow(day);
  return sales.window(from, to);
};
