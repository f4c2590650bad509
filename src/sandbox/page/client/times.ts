import type { PageLocale } from "../page-view.ts";
import { demoTextsIn } from "./demo-texts.ts";
import { textsIn } from "./texts.ts";

/** Time zone of all people in the sandbox. */
const ZONE = "America/Sao_Paulo";
const SECOND = 1_000;

/** Units of Discord's relative times: name, seconds, and the limit in seconds up to which the unit is used. */
const RELATIVE_UNITS = [
  ["second", 1, 45],
  ["minute", 60, 45 * 60],
  ["hour", 3_600, 22 * 3_600],
  ["day", 86_400, 26 * 86_400],
  ["month", 2_629_800, 320 * 86_400],
  ["year", 31_557_600, Number.POSITIVE_INFINITY],
] as const;

const STYLES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { day: "2-digit", month: "2-digit", year: "numeric" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};

const format = (
  locale: PageLocale,
  options: Intl.DateTimeFormatOptions,
  milliseconds: number,
): string => new Intl.DateTimeFormat(locale, { ...options, timeZone: ZONE }).format(milliseconds);

/** `<t:…:style>` as Discord shows it; times in milliseconds since 1970. */
export const timestampText = (
  milliseconds: number,
  style: string,
  locale: PageLocale,
  now: number,
): string => {
  if (style === "R") return relativeText(milliseconds - now, locale);
  return format(locale, STYLES[style] ?? STYLES["f"] ?? {}, milliseconds);
};

const relativeText = (difference: number, locale: PageLocale): string => {
  const seconds = difference / SECOND;
  const [unit, size] =
    RELATIVE_UNITS.find(([, , limit]) => Math.abs(seconds) < limit) ?? RELATIVE_UNITS[5];
  return new Intl.RelativeTimeFormat(locale, { numeric: "always" }).format(
    Math.round(seconds / size),
    unit,
  );
};

/** Time of a message or an embed: `Hoje às 21:05`; a date unless it is yesterday, today or tomorrow. */
export const messageTime = (milliseconds: number, locale: PageLocale, now: number): string => {
  const time = format(locale, { timeStyle: "short" }, milliseconds);
  const texts = textsIn(locale);
  const days = dayNumber(milliseconds) - dayNumber(now);
  if (days === 0) return texts.today(time);
  if (days === -1) return texts.yesterday(time);
  if (days === 1) return texts.tomorrow(time);
  return `${format(locale, { day: "2-digit", month: "2-digit", year: "numeric" }, milliseconds)} ${time}`;
};

const dayNumber = (milliseconds: number): number =>
  Math.floor(Date.parse(`${calendarDate(milliseconds)}T00:00:00Z`) / (86_400 * SECOND));

/** `2026-11-21` in Brasília. */
const calendarDate = (milliseconds: number): string =>
  format("sv-SE" as PageLocale, {}, milliseconds);

/** `2026-11-21T21:05` in Brasília, the value of a date-time field. */
export const fieldTime = (milliseconds: number): string =>
  `${calendarDate(milliseconds)}T${format("pt-BR", { hour: "2-digit", minute: "2-digit" }, milliseconds)}`;

export const clockDate = (milliseconds: number, locale: PageLocale): string =>
  format(locale, { weekday: "short", day: "numeric", month: "short" }, milliseconds);

export const clockTime = (milliseconds: number): string =>
  format("pt-BR", { hour: "2-digit", minute: "2-digit", second: "2-digit" }, milliseconds);

/** Label of the button that moves to the next daily report. */
export const nextReportLabel = (milliseconds: number, locale: PageLocale): string => {
  const { todayAt, tomorrowAt } = demoTextsIn(locale);
  return clockTime(milliseconds) < "21:05:00" ? todayAt("21:05") : tomorrowAt("21:05");
};
