import type { PostChart } from "../delivery/delivery.ts";
import type { Locale } from "../shared/locale.ts";
import { cents } from "../shared/money.ts";
import { type SalesDay, sumOf } from "./sales-days.ts";
import { type PeriodDays, type PeriodReading, shownFigures, weeksOf } from "./sales-period.ts";
import { axisSteps, type SalesChart } from "./sales-chart.ts";
import { type ReportTexts, reportTexts } from "./texts.ts";
import { shortName } from "./sales-period.view.ts";

/**
 * Days with those that they are compared with, and the same `inWords` for readers who do not see it. `behind` names the
 * latter, where any is known. Undefined without sales.
 */
export const dayChart = (
  { shown, before, closed }: Pick<PeriodDays, "before" | "closed" | "shown">,
  known: ReadonlyMap<string, Pick<SalesDay, "sales">>,
  headline: string,
  [now, behind]: readonly [now: string, behind: string],
  inWords: (days: string) => string,
  { periods, format }: ReportTexts,
): PostChart | undefined => {
  const salesOf = (day: Temporal.PlainDate | undefined) => day && known.get(day.toString())?.sales;
  if (shown.every((day) => (salesOf(day) ?? 0) <= 0)) return undefined;
  const told = shown.map((day) => {
    const sales = salesOf(day);
    return `${format.shortDate(day)}: ${sales === undefined ? periods.unread : format.reais(sales)}`;
  });
  const bars = shown.map((day, place) => ({
    label: shown.length > 7 ? String(day.day) : periods.shortWeekday(day.dayOfWeek),
    sales: salesOf(day),
    before: salesOf(before[place]),
    open: place >= closed.length,
  }));
  const largest = Math.max(...bars.flatMap((bar) => [bar.sales ?? 0, bar.before ?? 0]));
  const figures: SalesChart = {
    headline,
    legend: [now, bars.some((bar) => bar.before !== undefined) ? behind : null],
    bars,
    // Without their unit.
    axis: axisSteps(cents(largest)).map((step) => ({
      sales: cents(step),
      label: format
        .reais(cents(step))
        .replace(/^R\$\s/, "")
        .replace(/[.,]00$/, ""),
    })),
  };
  return { figures, inWords: inWords(told.join("; ")) };
};

/** A period that lasts has the same weekdays behind its days, which need not be the period before. */
const behindOf = ({ period, days }: PeriodReading, { periods }: ReportTexts): string => {
  if (period.kind === "month") return periods.lastMonth;
  const [first] = days.before;
  return first === undefined || first.until(period.from).days === days.shown.length
    ? periods.daysBefore
    : periods.weeksBefore(weeksOf(days.shown));
};

/** Fewer days are no picture. */
const FEWEST_BARS = 2;

/** Undefined for a period that a picture adds nothing to. */
export const salesChart = (reading: PeriodReading, locale: Locale): PostChart | undefined => {
  const texts = reportTexts(locale);
  const { periods, format } = texts;
  const { period, days, known } = reading;
  if (days.shown.length < FEWEST_BARS) return undefined;
  const name = shortName(period, texts);
  const behind = behindOf(reading, texts);
  const headline = format.reais(sumOf(shownFigures(reading)).sales);
  const inWords = (told: string) => periods.picture(name, told);
  return dayChart(days, known, headline, [name, behind], inWords, texts);
};
