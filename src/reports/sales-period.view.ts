import { brasiliaWindow, closeOf, openReportDay, todayOf, typedDay } from "../shared/report-day.ts";
import type { Locale } from "../shared/locale.ts";
import type { BrasiliaDay } from "../transactions/brasilia-day.ts";
import { isWhole, type SalesDay, type SalesFigures, sumOf } from "./sales-days.ts";
import {
  bestDay,
  hasBegun,
  isReadAgain,
  LONGEST_BY_WEEKDAY,
  periodReadings,
  salesChangeOf,
  lastDays,
  monthOf,
  neighbour,
  type PeriodReading,
  type SalesChange,
  type SalesPeriod,
  shownFigures,
  weeksOf,
} from "./sales-period.ts";
import { matchesTyped, periodText, readablePeriod } from "./typed-period.ts";
import { averageOf, feeShare, salesCount, type SalesTotals } from "./sales.ts";
import { PICTURE_FILE } from "./picture/post-picture.ts";
import { windowOf } from "./sales-report.view.ts";
import { type ReportTexts, reportTexts } from "./texts.ts";
import {
  type ButtonParts,
  buttonRow,
  customIdOf,
  offeredButtons,
  type Reply,
  reply,
  type ReplyFile,
  type Suggestion,
} from "../ui/reply.ts";
import { supportCodeFields } from "../ui/embed.ts";
import { hourOnly, oldestRead, relativeTime, together } from "../ui/format.ts";

const idOf = customIdOf("vendas", "periodo");
const brasiliaId = customIdOf("vendas", "brasilia");

/** The words that name a period for buttons of other answers; `commands/vendas.ts` handles them. */
const periodIds = { week: idOf("7 dias"), month: idOf("mes") } as const;

/** Dates have their year where a period does not begin in the present one. */
const dateOf = ({ from }: SalesPeriod, now: Temporal.Instant, { format }: ReportTexts) =>
  from.year === todayOf(now).year ? format.shortDate : format.date;

/** A period in words, for a title. */
export const periodName = (
  period: SalesPeriod,
  now: Temporal.Instant,
  texts: ReportTexts,
): string => {
  const { periods } = texts;
  if (period.kind === "month") return periods.month(period.from);
  const date = dateOf(period, now, texts);
  return period.from.equals(period.to)
    ? periods.day(period.from.dayOfWeek, date(period.from))
    : periods.range(date(period.from), date(period.to));
};

/** `qui 26/11` */
export const dayName = (
  day: Temporal.PlainDate,
  { periods, format }: ReportTexts,
  date = format.shortDate,
): string => `${periods.shortWeekday(day.dayOfWeek)} ${date(day)}`;

/** For buttons and picture: without the weekday of one day being spelt out. */
export const shortName = (
  { kind, from, to }: { readonly kind: string } & Pick<SalesPeriod, "from" | "to">,
  texts: ReportTexts,
  date = texts.format.shortDate,
): string => {
  const { periods } = texts;
  if (kind === "month") return periods.month(from);
  return from.equals(to) ? dayName(from, texts, date) : periods.range(date(from), date(to));
};

/** Sales, their number and their net amount. */
export const soldLine = (sum: SalesFigures, texts: ReportTexts): string =>
  countedLine(sum, salesCount(sum), texts);

const countedLine = (
  sum: SalesTotals,
  count: number,
  { sales, periods, format }: ReportTexts,
): string => {
  if (count === 0 && sum.sales === 0) return periods.nothing;
  return together(
    `**${format.reais(sum.sales)}** ${periods.in(sales.salesOf(count))}`,
    periods.net(`**${format.reais(sum.net)}**`),
  );
};

export const changeWords = (
  change: SalesChange,
  than: string,
  { periods }: ReportTexts,
): string => {
  if (change.kind === "unknown") return periods.changeUnknown(than);
  if (change.kind === "no_base") return periods.noBase(than);
  const { percent } = change;
  if (percent === 0) return periods.same(than);
  const size = periods.percent(Math.abs(percent));
  return periods.change(percent > 0 ? "▲" : "▼", size, than);
};

/** A month that lasts is compared up to the same day. */
const isMonthOver = ({ kind, to }: SalesPeriod): boolean =>
  kind !== "month" || to.day === to.daysInMonth;

const changes = (reading: PeriodReading, texts: ReportTexts): string => {
  const { period, days, known } = reading;
  const { periods } = texts;
  const { closed, before, weekdays } = days;
  const one = days.shown.length === 1;
  const isOver = closed.length === days.shown.length && isMonthOver(reading.period);
  const isByWeekday =
    !isOver &&
    days.shown.length <= LONGEST_BY_WEEKDAY &&
    closed[0]?.dayOfWeek === before[0]?.dayOfWeek;
  const than =
    period.kind === "month"
      ? periods.thanMonth(isOver)
      : one
        ? periods.thanDay(texts.format.shortDate(period.from.subtract({ days: 1 })))
        : isByWeekday
          ? periods.thanWeekdays(weeksOf(days.shown))
          : periods.thanDays(closed.length, isOver);
  const weekday = one
    ? periods.thanWeekday(period.from.dayOfWeek)
    : periods.thanWeekdays(weeksOf(days.shown));
  // A shorter month before has fewer of the same days.
  const compared = isOver ? closed : closed.slice(0, before.length);
  // Minutes after its close a day may still grow: that would pass for the days before not being read.
  if (!shownFigures(reading).slice(0, compared.length).every(isWhole)) return "";
  const change = salesChangeOf(compared, before, known);
  const ofWeekdays = salesChangeOf(closed, weekdays, known);
  return together(
    change && changeWords(change, than, texts),
    ofWeekdays && changeWords(ofWeekdays, weekday, texts),
  );
};

/** The amount and count of each origin that sold. */
export const originsLine = (sum: SalesFigures, { periods, sales, format }: ReportTexts): string =>
  together(
    ...(["api", "esales"] as const)
      .filter((origin) => sum[origin].count > 0)
      .map((origin) =>
        periods.origin[origin](format.reais(sum[origin].sales), sales.salesOf(sum[origin].count)),
      ),
  );

const ratesLine = (sum: SalesTotals, count: number, { periods, format }: ReportTexts): string => {
  const [ticket, fee] = [averageOf(sum.sales, count), feeShare(sum)];
  if (ticket === undefined || fee === undefined) return "";
  return together(
    count > 1 ? periods.ticket(format.reais(ticket)) : undefined,
    periods.fees(format.reais(sum.fees), format.percent(fee)),
  );
};

const bestLine = (best: SalesDay | undefined, texts: ReportTexts): string => {
  const { periods, format } = texts;
  if (best === undefined) return "";
  return periods.best(dayName(best.day, texts), format.reais(best.sales));
};

const openLine = (reading: PeriodReading, texts: ReportTexts): string => {
  const { days, known, readAt } = reading;
  const { periods, sales, format } = texts;
  if (days.since !== undefined) {
    const since = known.get(days.since.toString());
    const hour = format.hour(brasiliaWindow(days.since).from);
    if (since === undefined) return periods.sinceUnknown(hour);
    const count = salesCount(since);
    return count === 0
      ? periods.sinceNothing(hour)
      : periods.since(hour, format.reais(since.sales), sales.salesOf(count));
  }
  if (days.closed.length === days.shown.length) return "";
  const open = openReportDay(readAt);
  const [date, close] = [format.shortDate(open), closeOf(open)];
  return periods.open(date, hourOnly(close), relativeTime(close), days.shown.length === 1);
};

const pageButtons = (reading: PeriodReading, texts: ReportTexts): readonly ButtonParts[] => {
  const { period, readAt } = reading;
  const { periods } = texts;
  const [previous, next] = [neighbour(period, -1, readAt), neighbour(period, 1, readAt)];
  const to = (there: SalesPeriod | undefined, label: (name: string) => string) =>
    there === undefined
      ? []
      : [{ id: idOf(periodText(there)), label: label(shortName(there, texts)) }];
  return [
    ...to(previous, (name) => `◀ ${name}`),
    ...to(next, (name) => `${name} ▶`),
    { id: periodIds.week, label: periods.weekButton },
    { id: periodIds.month, label: periods.monthButton },
  ].map((each) => ({ ...each, style: "secondary" }));
};

/** `commands/vendas.ts` handles it. */
const fileId = customIdOf("vendas", "arquivo");

/** Actions for the shown period: a row of its own, since the pages may fill theirs. */
const ownButtons = (
  { period, missing, days, known, readAt }: PeriodReading,
  { periods }: ReportTexts,
): readonly ButtonParts[] => {
  const lacks = [...days.before, ...days.weekdays].some((day) => !known.has(day.toString()));
  const isOpen = days.closed.length < days.shown.length || days.since !== undefined;
  const mayChange = missing > 0 || lacks || isOpen || isReadAgain(days);
  const isDay = period.kind === "days" && days.shown.length === 1;
  const hasBegun = Temporal.PlainDate.compare(period.from, todayOf(readAt)) <= 0;
  return offeredButtons(
    [mayChange, idOf(periodText(period)), periods.refresh],
    [true, fileId(periodText(period)), periods.fileButton],
    // From 00:00 to 24:00 of Brasília: none for a day that has not begun there.
    [isDay && hasBegun, brasiliaId(typedDay(period.from)), periods.brasiliaButton],
  );
};

/**
 * The period's sales for the person who asked: the amount, its change, and where it comes from. `picture`: that of
 * `salesChart`, where it could be drawn. `goal`: a line of its own.
 */
export const salesPeriodView = (
  reading: PeriodReading,
  locale: Locale,
  picture: readonly ReplyFile[] = [],
  goal = "",
): Reply => {
  const texts = reportTexts(locale);
  const { periods } = texts;
  const { missing, days, readAt, period, isKept } = reading;
  const sum = sumOf(shownFigures(reading));
  const times = periodReadings(reading);
  const lines = [
    isKept ? periods.kept : "",
    missing > 0 ? periods.missing(missing, days.shown.length) : "",
    soldLine(sum, texts),
    missing > 0 ? "" : changes(reading, texts),
    goal,
    ratesLine(sum, salesCount(sum), texts),
    originsLine(sum, texts),
    bestLine(bestDay(reading), texts),
    openLine(reading, texts),
    `-# ${together(windowOf(period, texts), oldestRead(times, texts))}`,
  ];
  const hasPicture = picture.length > 0;
  const isPart = missing > 0 || isKept;
  const shown = reply(
    {
      title: periods.title(periodName(period, readAt, texts)),
      ...(isPart && { tone: "warning" }),
      description: lines.filter((each) => each !== "").join("\n"),
      fields: supportCodeFields(isPart ? reading.supportCodes : [], texts),
      readAt: times.readAt,
      ...(hasPicture && { picture: PICTURE_FILE }),
    },
    buttonRow(...pageButtons(reading, texts)),
    buttonRow(...ownButtons(reading, texts)),
  );
  return hasPicture ? { ...shown, files: picture } : shown;
};

/** A period's answer to who gave a date too. */
export const withoutDate = (shown: Reply, locale: Locale): Reply => ({
  ...shown,
  content: reportTexts(locale).periods.dateLeftOut,
});

/** A day of Brasília instead of the report's, to which a button leads back. */
export const brasiliaDayView = (shown: BrasiliaDay, locale: Locale): Reply => {
  const { day, sum, covers, readAt } = shown;
  const texts = reportTexts(locale);
  const { periods, format } = texts;
  const period = lastDays(1, day);
  const isOpen = day.equals(todayOf(readAt));
  const close = format.hour(brasiliaWindow(day).to);
  const lines = [
    covers === "api" ? periods.apiAlone : "",
    countedLine(sum, sum.count, texts),
    ratesLine(sum, sum.count, texts),
    `-# ${periods.brasiliaWindow(isOpen, close)}`,
  ];
  return reply(
    {
      title: periods.brasilia(periodName(period, readAt, texts)),
      description: lines.filter((each) => each !== "").join("\n"),
      readAt,
    },
    buttonRow(
      { id: idOf(periodText(period)), label: periods.reportButton, style: "secondary" },
      ...offeredButtons([isOpen, brasiliaId(typedDay(day)), periods.refresh]),
    ),
  );
};

type Suggest = (typed: string, now: Temporal.Instant, locale: Locale) => readonly Suggestion[];

/** Words with their dates, or else the typed text when it is such a period. */
const suggestionsOf =
  (
    takes: (period: SalesPeriod, now: Temporal.Instant) => boolean,
    textOf: (period: SalesPeriod) => string,
  ): Suggest =>
  (typed, now, locale) => {
    const texts = reportTexts(locale);
    const { periods } = texts;
    const today = todayOf(now);
    const datesOf = (period: SalesPeriod): string =>
      shortName({ ...period, kind: "days" }, texts, dateOf(period, now, texts));
    const named: readonly (readonly [string, SalesPeriod])[] = [
      [periods.words.today, lastDays(1, today)],
      [periods.words.yesterday, lastDays(1, today.subtract({ days: 1 }))],
      [periods.words.week, lastDays(7, today)],
      [periods.words.days, lastDays(30, today)],
      [periods.words.thisMonth, monthOf(today, now)],
      [periods.words.lastMonth, monthOf(today.subtract({ months: 1 }), now)],
      ...[2, 3, 4, 5, 6, 7].map((ago) => {
        const day = today.subtract({ days: ago });
        return [periods.weekday(day.dayOfWeek), lastDays(1, day)] as const;
      }),
    ];
    const known = named
      .filter(([word, period]) => takes(period, now) && matchesTyped(word, typed))
      .map(([word, period]) => ({ name: `${word} · ${datesOf(period)}`, value: word }));
    const own = typed.trim() === "" ? undefined : readablePeriod(typed, now);
    if (own === undefined || known.length > 0 || !takes(own, now)) return known;
    return [{ name: datesOf(own), value: textOf(own) }];
  };

export const periodSuggestions = suggestionsOf(() => true, periodText);

/** For a list that counts the days of Brasília. */
export const begunPeriodSuggestions = suggestionsOf(hasBegun, periodText);

/** Days alone, for an option that takes one. */
export const daySuggestions = suggestionsOf(
  ({ kind, from, to }) => kind === "days" && from.equals(to),
  ({ from }) => typedDay(from),
);
