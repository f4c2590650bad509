import type { Cents } from "../shared/money.ts";
import { type ReadingTimes, readingTimes } from "../shared/time.ts";
import { closeOf, earlierDay, openingOf, openReportDay, todayOf } from "../shared/report-day.ts";
import { shareOf } from "./sales.ts";
import { isWhole, type SalesDay, sumOf } from "./sales-days.ts";

/** Report days from the first to the last, both included. A month ends with today while it lasts. */
export interface SalesPeriod {
  readonly kind: "days" | "month";
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
}

export const MOST_DAYS = 31;
/** Days that one request reads: little more than the burst of an account's pace, two seconds. */
export const MOST_AT_ONCE = 10;
const WEEK = 7;
/** Longer periods are not compared with the same weekdays: each weekday occurs in them about as often. */
export const LONGEST_BY_WEEKDAY = 2 * WEEK;

const lengthOf = ({ from, to }: Pick<SalesPeriod, "from" | "to">): number =>
  from.until(to).days + 1;

export const daysOf = (period: Pick<SalesPeriod, "from" | "to">): Temporal.PlainDate[] =>
  Array.from({ length: lengthOf(period) }, (_, place) => period.from.add({ days: place }));

/** From the first instant of the days until before the last one's close. */
export const spanOf = ({ from, to }: Pick<SalesPeriod, "from" | "to">) => ({
  from: openingOf(from),
  to: closeOf(to),
});

/** By the days of Brasília, where the report day that opened at 21:00 has not. */
export const hasBegun = ({ from }: Pick<SalesPeriod, "from">, now: Temporal.Instant): boolean =>
  Temporal.PlainDate.compare(from, todayOf(now)) <= 0;

/** The month that holds the day, as far as it has gone. */
export const monthOf = (day: Temporal.PlainDate, now: Temporal.Instant): SalesPeriod => {
  const from = day.with({ day: 1 });
  const end = from.with({ day: from.daysInMonth });
  return { kind: "month", from, to: earlierDay(end, todayOf(now)) };
};

export const lastDays = (length: number, to: Temporal.PlainDate): SalesPeriod => ({
  kind: "days",
  from: to.subtract({ days: length - 1 }),
  to,
});

/** The period of the same form before or after; undefined for one that has not begun. */
export const neighbour = (
  period: SalesPeriod,
  by: -1 | 1,
  now: Temporal.Instant,
): SalesPeriod | undefined => {
  if (period.kind === "month") {
    const month = period.from.add({ months: by });
    const isFuture = Temporal.PlainDate.compare(month, todayOf(now)) > 0;
    return isFuture ? undefined : monthOf(month, now);
  }
  const length = lengthOf(period);
  const to = earlierDay(period.to.add({ days: by * length }), openReportDay(now));
  const isSame = to.equals(period.to);
  return isSame ? undefined : lastDays(length, to);
};

const shifted = (days: readonly Temporal.PlainDate[], by: number): readonly Temporal.PlainDate[] =>
  days.map((day) => day.subtract({ days: by }));

/** The month before, up to the same day; all of it for a whole month. */
const monthBefore = ({ from, to }: SalesPeriod, closed: readonly Temporal.PlainDate[]) => {
  const start = from.subtract({ months: 1 });
  const isOver = to.day === to.daysInMonth && closed.length === to.daysInMonth;
  const length = isOver ? start.daysInMonth : Math.min(closed.length, start.daysInMonth);
  return length === 0 ? [] : daysOf(lastDays(length, start.add({ days: length - 1 })));
};

/** The days that a period's answer is about. */
export interface PeriodDays {
  readonly shown: readonly Temporal.PlainDate[];
  /** Of these, the days that are over: an open day is never compared with a whole one. */
  readonly closed: readonly Temporal.PlainDate[];
  readonly before: readonly Temporal.PlainDate[];
  /** The same weekdays before; empty where `before` already has them. */
  readonly weekdays: readonly Temporal.PlainDate[];
  /** The day that opened at 21:00 in Brasília, after the last shown day. */
  readonly since: Temporal.PlainDate | undefined;
}

/** Weeks, the last one perhaps in part: so far back are the same weekdays before. */
export const weeksOf = (shown: readonly Temporal.PlainDate[]): number =>
  Math.ceil(shown.length / WEEK);

export const periodDays = (period: SalesPeriod, now: Temporal.Instant): PeriodDays => {
  const open = openReportDay(now);
  const shown = daysOf(period);
  const closed = shown.filter((day) => Temporal.PlainDate.compare(day, open) < 0);
  const length = shown.length;
  const byWeekday = weeksOf(shown) * WEEK;
  const hasWeekdays =
    period.kind === "days" && byWeekday !== length && length <= LONGEST_BY_WEEKDAY;
  // The days right before a week that has begun are the end of another one: its weekdays alone compare.
  const isBegun = hasWeekdays && closed.length < length;
  const back = isBegun ? byWeekday : length;
  return {
    shown,
    closed,
    before: period.kind === "month" ? monthBefore(period, closed) : shifted(closed, back),
    weekdays: hasWeekdays && !isBegun ? shifted(closed, byWeekday) : [],
    since:
      period.to.equals(todayOf(now)) && closed.length === length
        ? period.to.add({ days: 1 })
        : undefined,
  };
};

/** Change of the sales between two sets of days. */
export type SalesChange =
  /** A whole number, except of a fall that is almost a hundred. */
  | { readonly kind: "change"; readonly percent: number }
  /** Without sales before, a comparison has no base. */
  | { readonly kind: "no_base" }
  /** Figures of some day are missing. */
  | { readonly kind: "unknown" };

/** A fall by 99.5% or more that leaves sales: a hundred would say that the day sold zero. */
const ALMOST_ALL = -99.5;

export const salesChange = (now: Cents, before: Cents): SalesChange => {
  if (before <= 0) return { kind: "no_base" };
  const percent = shareOf(now - before, before, 100);
  return { kind: "change", percent: now > 0 ? Math.max(percent, ALMOST_ALL) : percent };
};

export type KnownDays = ReadonlyMap<string, SalesDay>;

/** The known whole days; undefined when one is missing. */
const wholeDays = (
  days: readonly Temporal.PlainDate[],
  known: KnownDays,
): readonly SalesDay[] | undefined => {
  const found = days.flatMap((day) => {
    const figures = known.get(day.toString());
    return figures !== undefined && isWhole(figures) ? [figures] : [];
  });
  return found.length === days.length ? found : undefined;
};

/** @returns undefined without days to compare */
export const salesChangeOf = (
  days: readonly Temporal.PlainDate[],
  base: readonly Temporal.PlainDate[],
  known: KnownDays,
): SalesChange | undefined => {
  if (days.length === 0 || base.length === 0) return undefined;
  const [now, before] = [wholeDays(days, known), wholeDays(base, known)];
  if (now === undefined || before === undefined) return { kind: "unknown" };
  return salesChange(sumOf(now).sales, sumOf(before).sales);
};

/** A period with the figures that are known of it. */
export interface PeriodReading {
  readonly period: SalesPeriod;
  readonly days: PeriodDays;
  /** By `YYYY-MM-DD`: shown days and those that they are compared with. */
  readonly known: KnownDays;
  /** Of the shown days. */
  readonly missing: number;
  /** When the person asked: kept figures are older. */
  readonly readAt: Temporal.Instant;
  /** Whether the service did not answer, so that the figures are those of an earlier reading. */
  readonly isKept: boolean;
  /** References for the support of failed reads. */
  readonly supportCodes?: readonly string[];
}

/** Whether each request reads the kept days again, because refunds change them. */
export const isReadAgain = ({ shown }: Pick<PeriodDays, "shown">): boolean =>
  shown.length <= MOST_AT_ONCE;

/** The known figures of the shown days, oldest first. */
export const shownFigures = ({
  days,
  known,
}: Pick<PeriodReading, "days" | "known">): readonly SalesDay[] =>
  days.shown.flatMap((day) => known.get(day.toString()) ?? []);

/** When the shown figures were read; without figures, when they were looked for. */
export const periodReadings = (
  reading: Pick<PeriodReading, "days" | "known" | "readAt">,
): ReadingTimes => readingTimes(shownFigures(reading), reading.readAt);

/** The day with the most sales, the earlier of two; undefined where no day sold more than another one. */
export const bestDay = (reading: PeriodReading): SalesDay | undefined => {
  const [first, ...rest] = shownFigures(reading);
  if (first === undefined || rest.every(({ sales }) => sales === first.sales)) return undefined;
  const best = rest.reduce((most, each) => (each.sales > most.sales ? each : most), first);
  return best.sales > 0 ? best : undefined;
};
