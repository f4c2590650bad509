import { closeOf, openingOf, openReportDay, settledAt, settledMs } from "../shared/report-day.ts";
import { type Cents, cents } from "../shared/money.ts";
import { type Clock, DAY, HOUR, MINUTE } from "../shared/time.ts";
import type { OriginSales, SalesReport, SalesTotals } from "./sales.ts";

type OriginShare = Pick<OriginSales, "count" | "sales">;

/** Sums of one day or of several. */
export interface SalesFigures extends SalesTotals {
  readonly api: OriginShare;
  readonly esales: OriginShare;
}

/** Kept figures of one UTC day of a wallet account. */
export interface SalesDay extends SalesFigures {
  readonly day: Temporal.PlainDate;
  /**
   * When the figures were requested, by the service's clock where ours is ahead. A later refund lowers them. Source:
   * service.md 2.7.
   */
  readonly readAt: Temporal.Instant;
  /** When a refund of one of the day's sales was seen, through the bot, by the same clock. */
  readonly refundedAt?: Temporal.Instant;
}

/** Change of a closed day's figures between two readings, usually by a refund. */
export interface SalesCorrection {
  readonly day: Temporal.PlainDate;
  readonly oldSales: Cents;
  readonly newSales: Cents;
  readonly oldNet: Cents;
  readonly newNet: Cents;
  readonly noticedAt: Temporal.Instant;
}

/** A report with the instant at which its figures were requested: later sales may be missing. */
export interface ReadSalesReport extends SalesReport {
  /** Refunds lower past days too, so the figures are true of this instant only. */
  readonly readAt: Temporal.Instant;
}

export const salesDayOf = ({ day, total, byOrigin, readAt }: ReadSalesReport): SalesDay => ({
  ...total,
  day,
  api: { count: byOrigin.api.count, sales: byOrigin.api.sales },
  esales: { count: byOrigin.esales.count, sales: byOrigin.esales.sales },
  readAt,
});

const share = (one: OriginShare, other: OriginShare): OriginShare => ({
  count: one.count + other.count,
  sales: cents(one.sales + other.sales),
});

const NOTHING: OriginShare = { count: 0, sales: cents(0) };

export const sumOf = (days: readonly SalesFigures[]): SalesFigures =>
  days.reduce<SalesFigures>(
    (sum, day) => ({
      sales: cents(sum.sales + day.sales),
      fees: cents(sum.fees + day.fees),
      net: cents(sum.net + day.net),
      api: share(sum.api, day.api),
      esales: share(sum.esales, day.esales),
    }),
    { sales: cents(0), fees: cents(0), net: cents(0), api: NOTHING, esales: NOTHING },
  );

/** Whether the figures are of the whole day: read after its close. */
export const isWhole = ({ day, readAt }: Pick<SalesDay, "day" | "readAt">): boolean =>
  readAt.epochMilliseconds >= settledMs(day);

/** A larger lead is a clock that was set wrong. A smaller one ends no day early: its last minutes are waited for. */
export const LARGEST_LEAD_MS = 5 * MINUTE;

/**
 * A larger lead of ours is a wrong `Date` of the service: a machine is hardly so far ahead. Reports wait for a `Date` that
 * stands still no longer than this, and are owed for a week.
 */
const LARGEST_TRUSTED_MS = 3 * DAY;

/** The service's time where ours is ahead of it: its days end by its own clock. */
export const byTheService = (
  at: Temporal.Instant,
  { skewMs = 0 }: Pick<SalesReport, "skewMs">,
): Temporal.Instant => {
  const isAhead = skewMs < -LARGEST_LEAD_MS && skewMs >= -LARGEST_TRUSTED_MS;
  return isAhead ? at.add({ milliseconds: skewMs }) : at;
};

/**
 * As long as a close waits for a service that is away. While ours is a day ahead, an answer comes every quarter of an
 * hour (`sales-history.job.ts`).
 */
const NOTED_FOR_MS = 6 * HOUR;

/** The service's time where ours is ahead of it, by its newest answer in this process. */
export const createServiceClock = (clock: Clock) => {
  let noted: { readonly answer: SalesReport; readonly at: Temporal.Instant } | undefined;
  return {
    note: (answer: SalesReport): void => {
      noted = { answer, at: clock.now() };
    },
    now: (): Temporal.Instant => {
      const now = clock.now();
      if (noted === undefined) return now;
      const agoMs = now.epochMilliseconds - noted.at.epochMilliseconds;
      // An answer in the future means that our clock was set back since.
      return agoMs >= 0 && agoMs <= NOTED_FOR_MS ? byTheService(now, noted.answer) : now;
    },
  };
};

/** Whether a sale of the day was refunded since its figures were read. */
export const isStale = ({ readAt, refundedAt }: Pick<SalesDay, "readAt" | "refundedAt">): boolean =>
  refundedAt !== undefined && Temporal.Instant.compare(readAt, refundedAt) <= 0;

/** Whether the figures are of the whole day, without a refund since they were read. */
export const isCurrent = (day: SalesDay): boolean => isWhole(day) && !isStale(day);

/**
 * The days that may have counted a sale: a charge may be paid within the three days for which it is followed, and a
 * refunded payment no longer shows when.
 */
export const daysOfSale = (
  createdAt: Temporal.Instant,
): { readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate } => {
  const from = openReportDay(createdAt);
  return { from, to: from.add({ days: 3 }) };
};

/** Figures and corrections of older days are erased. */
export const DAYS_KEPT = 100;
/** Days whose missing figures the background fills in: a month's close of an evening falls due on the 2nd by UTC. */
export const HISTORY_DAYS = 32;
/** The same for people who ask for periods: at a month's end, the last month and the one that it is compared with. */
export const ASKED_HISTORY_DAYS = 92;
/** Whether the background reads the day for a person who asks now: it reads no older ones. */
export const isReadForAsker = (day: Temporal.PlainDate, now: Temporal.Instant): boolean => {
  const oldest = openReportDay(now).subtract({ days: ASKED_HISTORY_DAYS });
  return Temporal.PlainDate.compare(day, oldest) >= 0;
};

/** Closed days that are read again each day, because most refunds come within a week. */
const REREAD_DAYS = 7;

/**
 * Closed days whose figures have to be read now, newest first:
 * - days never read as a whole, of the last `historyDays`;
 * - the last seven, once each UTC day;
 * - days with a refund since they were read;
 * - days of the previous month that were read as a whole before that month closed, once.
 */
export const daysToRead = (
  kept: readonly Pick<SalesDay, "day" | "readAt" | "refundedAt">[],
  historyDays: number,
  now: Temporal.Instant,
): readonly Temporal.PlainDate[] => {
  const readings = new Map(kept.map((each) => [each.day.toString(), each]));
  const open = openReportDay(now);
  const monthStart = open.with({ day: 1 });
  const lastMonth = monthStart.subtract({ months: 1 });
  const monthSettled = settledAt(monthStart.subtract({ days: 1 }));
  const isDue = (day: Temporal.PlainDate, age: number): boolean => {
    if (Temporal.Instant.compare(now, settledAt(day)) < 0) return false;
    const reading = readings.get(day.toString());
    if (reading === undefined || !isWhole(reading)) return age <= historyDays;
    const { readAt } = reading;
    if (isStale(reading)) return true;
    if (age <= REREAD_DAYS && !openReportDay(readAt).equals(open)) return true;
    // A whole figure of a day of this month was read after the last month's days had closed.
    return (
      Temporal.PlainDate.compare(day, lastMonth) >= 0 &&
      Temporal.Instant.compare(readAt, monthSettled) < 0 &&
      Temporal.Instant.compare(now, monthSettled) >= 0
    );
  };
  const oldest = Math.max(historyDays, ASKED_HISTORY_DAYS);
  return Array.from({ length: oldest }, (_, place) => place + 1)
    .map((age) => ({ age, day: open.subtract({ days: age }) }))
    .filter(({ age, day }) => isDue(day, age))
    .map(({ day }) => day);
};

/** Well after the close, when the daily reports of most servers have been read. */
const AFTER_CLOSE_MS = HOUR;

/** When the background reads after the next close. */
export const nextReading = (now: Temporal.Instant): Temporal.Instant => {
  const before = openingOf(openReportDay(now)).add({ milliseconds: AFTER_CLOSE_MS });
  return Temporal.Instant.compare(before, now) > 0
    ? before
    : closeOf(openReportDay(now)).add({ milliseconds: AFTER_CLOSE_MS });
};

/**
 * One correction for each day, newest day first: from its first old figures to its last new ones. Only days up to
 * `reported` were told wrongly.
 */
export const correctionsToTell = (
  corrections: readonly SalesCorrection[],
  reported: Temporal.PlainDate | undefined,
): readonly SalesCorrection[] =>
  [...Map.groupBy(corrections, ({ day }) => day.toString()).values()]
    .flatMap((ofDay) => {
      const [first, last] = [ofDay[0], ofDay.at(-1)];
      if (first === undefined || last === undefined) return [];
      return [{ ...last, oldSales: first.oldSales, oldNet: first.oldNet }];
    })
    .filter(
      ({ day, oldSales, newSales, oldNet, newNet }) =>
        reported !== undefined &&
        Temporal.PlainDate.compare(day, reported) <= 0 &&
        (oldSales !== newSales || oldNet !== newNet),
    )
    .sort((one, other) => Temporal.PlainDate.compare(other.day, one.day));

const isSame = ({ sales, net }: SalesFigures, otherSales: Cents, otherNet: Cents): boolean =>
  sales === otherSales && net === otherNet;

/** The noticed corrections before those of the same day that its figures do not have, kept after these were read. */
export const correctionsBehind = (
  figures: SalesDay,
  noticed: readonly SalesCorrection[],
): readonly SalesCorrection[] => {
  const isOwn = ({ day }: SalesCorrection): boolean => day.equals(figures.day);
  const last = noticed.findLast(isOwn);
  if (last === undefined || isSame(figures, last.newSales, last.newNet)) return noticed;
  const next = noticed.findLastIndex(
    (each) => isOwn(each) && isSame(figures, each.oldSales, each.oldNet),
  );
  return next === -1 ? noticed : noticed.slice(0, next);
};

/**
 * As many of the noticed corrections, oldest notice first, as leave at most `room` to tell. Later ones wait for the next
 * report, unless a day after `reported` was corrected: the reports of that day tell its last figures, so that its
 * correction would be untrue after them.
 */
export const correctionsInRoom = (
  noticed: readonly SalesCorrection[],
  reported: Temporal.PlainDate | undefined,
  room: number,
): readonly SalesCorrection[] => {
  const least = noticed.findLastIndex(
    ({ day }) => reported === undefined || Temporal.PlainDate.compare(day, reported) > 0,
  );
  let end = noticed.length;
  while (end > least + 1 && correctionsToTell(noticed.slice(0, end), reported).length > room)
    end -= 1;
  return noticed.slice(0, end);
};
