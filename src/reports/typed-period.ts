import { UserError } from "../shared/errors.ts";
import { withoutAccents } from "../shared/locale.ts";
import { typedText } from "../shared/typed-text.ts";
import {
  calendarDate,
  DAYS_AGO,
  earlierDay,
  EARLIEST_YEAR,
  openReportDay,
  todayOf,
} from "../shared/report-day.ts";
import { lastDays, MOST_DAYS, monthOf, type SalesPeriod } from "./sales-period.ts";

/** A leap year comes within eight years, also around 2100. */
const YEARS_BACK = 8;
/** Characters of a typed period. */
export const LONGEST_TYPED = 60;

/** In the order of ISO weekdays, Portuguese then English; each is known by its first three letters too. */
const WEEKDAYS = [
  ["segunda", "monday"],
  ["terca", "tuesday"],
  ["quarta", "wednesday"],
  ["quinta", "thursday"],
  ["sexta", "friday"],
  ["sabado", "saturday"],
  ["domingo", "sunday"],
] as const;

const weekdayOf = (text: string): number | undefined => {
  const word = text.replace(/^last /, "").replace(/(-feira| feira)?( passad[ao])?$/, "");
  const place = WEEKDAYS.findIndex((names) =>
    names.some((name) => word === name || word === name.slice(0, 3)),
  );
  return place < 0 ? undefined : place + 1;
};

/** The latest such date up to `latest`. */
const latestDate = (month: number, day: number, latest: Temporal.PlainDate) => {
  for (let back = 0; back <= YEARS_BACK; back += 1) {
    const date = calendarDate(latest.year - back, month, day);
    if (date !== undefined && Temporal.PlainDate.compare(date, latest) <= 0) return date;
  }
  return undefined;
};

const typedDate = (text: string, latest: Temporal.PlainDate): Temporal.PlainDate | undefined => {
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (isoYear !== undefined) return calendarDate(Number(isoYear), Number(isoMonth), Number(isoDay));
  const [, day, , month, year] = /^(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{4}|\d{2}))?$/.exec(text) ?? [];
  if (day === undefined) return undefined;
  if (year === undefined) return latestDate(Number(month), Number(day), latest);
  const full = Number(year) + (year.length === 2 ? EARLIEST_YEAR : 0);
  return calendarDate(full, Number(month), Number(day));
};

/** A weekday's name means the last such day before `before`. */
const dayOf = (
  text: string,
  { today, latest, before }: Readonly<Record<"today" | "latest" | "before", Temporal.PlainDate>>,
): Temporal.PlainDate | undefined => {
  const daysAgo = text === "anteontem" ? 2 : DAYS_AGO.get(text);
  if (daysAgo !== undefined) return today.subtract({ days: daysAgo });
  const weekday = weekdayOf(text);
  if (weekday === undefined) return typedDate(text, latest);
  return before.subtract({ days: ((before.dayOfWeek - weekday + 6) % 7) + 1 });
};

const RANGE = /^(.+?)(?: (?:a|ate|to|until|-|–|—) |\.\.|(?<=-\d\d)\/(?=\d{4}-))(.+)$/u;

const plain = (text: string): string =>
  withoutAccents(typedText(text))
    .toLowerCase()
    .replace(/^(?:de|from) /, "");

const wordPeriod = (text: string, now: Temporal.Instant): SalesPeriod | undefined => {
  const today = todayOf(now);
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  switch (text.replace(/^(?:est[ea]|this) /, "")) {
    case "semana":
    case "week":
      return { kind: "days", from: monday, to: today };
    case "semana passada":
    case "last week":
      return lastDays(7, monday.subtract({ days: 1 }));
    case "mes":
    case "month":
      return monthOf(today, now);
    case "mes passado":
    case "last month":
      return monthOf(today.subtract({ months: 1 }), now);
    default:
      return undefined;
  }
};

const typedMonth = (text: string, now: Temporal.Instant): SalesPeriod | undefined => {
  const [, year, month] = /^(\d{4})-(\d\d)$/.exec(text) ?? [];
  const [, otherMonth, otherYear] = /^(\d\d)\/(\d{4})$/.exec(text) ?? [];
  const first = calendarDate(Number(year ?? otherYear), Number(month ?? otherMonth), 1);
  return first && monthOf(first, now);
};

/**
 * Parses a typed period in Portuguese or English: `hoje`, `ontem`, a weekday, `7 dias`, `semana`, `mês passado`,
 * `DD/MM/AAAA`, `DD/MM a DD/MM`. A date without its year is the coming one up to 31 days ahead, and a range that has
 * begun ends with the open day. Buttons carry `AAAA-MM` and `AAAA-MM-DD/AAAA-MM-DD`.
 * @throws UserError invalid_period, period_too_long, future_date
 */
export const parsePeriod = (typed: string, now: Temporal.Instant): SalesPeriod => {
  const text = typed.length > LONGEST_TYPED ? "" : plain(typed);
  const today = todayOf(now);
  const latest = openReportDay(now);
  const given = typed;
  const [, days] = /^(?:ultimos |last )?(\d{1,5}) ?(?:dias?|days?|d)$/.exec(text) ?? [];
  if (days !== undefined && Number(days) > MOST_DAYS)
    throw new UserError({ kind: "period_too_long", given });
  if (days !== undefined && Number(days) > 0) return lastDays(Number(days), today);
  const named = wordPeriod(text, now) ?? typedMonth(text, now);
  if (named !== undefined) {
    if (Temporal.PlainDate.compare(named.from, today) > 0)
      throw new UserError({ kind: "future_date", given });
    return named;
  }
  const [, first, last] = RANGE.exec(text) ?? [];
  const to = dayOf(last ?? text, {
    today,
    latest: latest.add({ days: MOST_DAYS }),
    before: today,
  });
  const from =
    to !== undefined && first !== undefined
      ? dayOf(first, { today, latest: to, before: to.add({ days: 1 }) })
      : to;
  if (to === undefined || from === undefined || Temporal.PlainDate.compare(from, to) > 0)
    throw new UserError({ kind: "invalid_period", given });
  if (Temporal.PlainDate.compare(from, latest) > 0)
    throw new UserError({ kind: "future_date", given });
  const begun = earlierDay(to, latest);
  if (from.until(begun).days >= MOST_DAYS) throw new UserError({ kind: "period_too_long", given });
  return { kind: "days", from, to: begun };
};

/** Text by which `parsePeriod` finds the period again. */
export const periodText = ({ kind, from, to }: SalesPeriod): string =>
  kind === "month" ? from.toPlainYearMonth().toString() : `${from.toString()}/${to.toString()}`;

/** Undefined for text that is no period. */
export const readablePeriod = (typed: string, now: Temporal.Instant): SalesPeriod | undefined => {
  try {
    return parsePeriod(typed, now);
  } catch {
    return undefined;
  }
};

/** Whether the words contain the typed text, without regard to accents and case. */
export const matchesTyped = (words: string, typed: string): boolean =>
  plain(words).includes(plain(typed));
