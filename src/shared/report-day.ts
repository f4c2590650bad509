import { UserError } from "./errors.ts";
import { inBrasilia } from "./local-time.ts";
import { DAY, HOUR, MINUTE } from "./time.ts";
import { typedText } from "./typed-text.ts";

export const EARLIEST_YEAR = 2000;
const REMEMBERED_WINDOWS = 64;

/** Words accepted for a day, in both languages. */
export const DAYS_AGO: ReadonlyMap<string, number> = new Map([
  ["hoje", 0],
  ["today", 0],
  ["ontem", 1],
  ["yesterday", 1],
]);

/** Remembers the day of the last hour asked for: each command asks several times for the present one. */
const oncePerHour = (dayOf: (now: Temporal.Instant) => Temporal.PlainDate): typeof dayOf => {
  let last: { readonly hour: number; readonly day: Temporal.PlainDate } | undefined;
  return (now) => {
    const hour = Math.floor(now.epochMilliseconds / HOUR);
    if (last?.hour !== hour) last = { hour, day: dayOf(now) };
    return last.day;
  };
};

/** The UTC day to which the service counts sales now. Source: service.md 2.7. */
export const openReportDay = oncePerHour((now) => now.toZonedDateTimeISO("UTC").toPlainDate());

/** The day that people call today: after 21:00 in Brasília it has closed already. */
export const todayOf = oncePerHour((now) => inBrasilia(now).toPlainDate());

/** The day that has just closed in UTC but is still today in Brasília; undefined at other times. */
export const justClosedDay = (now: Temporal.Instant): Temporal.PlainDate | undefined => {
  const today = todayOf(now);
  return today.equals(openReportDay(now)) ? undefined : today;
};

export const earlierDay = (
  one: Temporal.PlainDate,
  other: Temporal.PlainDate,
): Temporal.PlainDate => (Temporal.PlainDate.compare(one, other) <= 0 ? one : other);

/** Start of the report day in epoch milliseconds: reports compare thousands of days. */
export const openingMs = ({ year, month, day }: Temporal.PlainDate): number =>
  Date.UTC(year, month - 1, day);

/** First instant of the report day. */
export const openingOf = (day: Temporal.PlainDate): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(openingMs(day));

/** First instant after the report day. */
export const closeOf = (day: Temporal.PlainDate): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(openingMs(day) + DAY);

/** After the close the service still counts the sales of a day's last minutes. */
export const SETTLING_MS = 5 * MINUTE;

/** First moment at which a reading shows the whole day, in epoch milliseconds. */
export const settledMs = (day: Temporal.PlainDate): number => openingMs(day) + DAY + SETTLING_MS;

export const settledAt = (day: Temporal.PlainDate): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(settledMs(day));

/** A report day in Brasília's local time. */
interface ReportWindow {
  readonly from: Temporal.PlainDateTime;
  readonly to: Temporal.PlainDateTime;
}

const windows = new Map<string, ReportWindow>();

/** The report day in Brasília's time. Cached, because most requests are for today. */
export const brasiliaWindow = (day: Temporal.PlainDate): ReportWindow => {
  const key = day.toString();
  const known = windows.get(key);
  if (known !== undefined) return known;
  const window = { from: inBrasilia(openingOf(day)), to: inBrasilia(closeOf(day)) };
  if (windows.size >= REMEMBERED_WINDOWS) windows.clear();
  windows.set(key, window);
  return window;
};

/** A typed date; undefined for an impossible one such as 31/02, and before 2000. */
export const calendarDate = (
  year: number,
  month: number,
  day: number,
): Temporal.PlainDate | undefined => {
  if (year < EARLIEST_YEAR) return undefined;
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" });
  } catch {
    return undefined;
  }
};

/** With one sign throughout: `01/11-15` may mean fifteen days. */
const TYPED_DAY = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})$/;

const dateOf = (text: string): Temporal.PlainDate | undefined => {
  const [, day, , month, year] = TYPED_DAY.exec(text) ?? [];
  if (day === undefined || month === undefined || year === undefined) return undefined;
  const fullYear = year.length === 2 ? EARLIEST_YEAR + Number(year) : Number(year);
  return calendarDate(fullYear, Number(month), Number(day));
};

const two = (value: number): string => String(value).padStart(2, "0");

/** `DD/MM/YYYY`, as people type a day and the service writes it. Source: service.md 2.7. */
export const typedDay = ({ day, month, year }: Temporal.PlainDate): string =>
  `${two(day)}/${two(month)}/${year}`;

const daysAgo = (typed: string): number | undefined => DAYS_AGO.get(typedText(typed).toLowerCase());

export const isToday = (typed: string): boolean => daysAgo(typed) === 0;

/**
 * Parses a typed day: `hoje` and `ontem` by Brasília's calendar, `DD/MM/AAAA`, or shorter (`9/1/26`).
 * @throws UserError invalid_date, future_date
 */
export const parseReportDay = (typed: string, now: Temporal.Instant): Temporal.PlainDate => {
  const ago = daysAgo(typed);
  if (ago !== undefined) return todayOf(now).subtract({ days: ago });
  const day = dateOf(typedText(typed));
  if (day === undefined) throw new UserError({ kind: "invalid_date", given: typed });
  if (Temporal.PlainDate.compare(day, openReportDay(now)) > 0) {
    throw new UserError({ kind: "future_date", given: typed });
  }
  return day;
};
