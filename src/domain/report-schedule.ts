import type { Locale } from "../shared/locale.ts";
import { DAY, HOUR, MINUTE } from "../shared/time.ts";
import { closeOf, openReportDay } from "./report-day.ts";
import type { EmptyReportChoice, ReportRoute } from "./report-route.ts";

/** Hour of delivery in a zone. */
export interface DeliveryHour {
  /** To the minute. */
  readonly time: Temporal.PlainTime;
  /** IANA name. */
  readonly timeZone: string;
}

/** Sales of the last minutes are still being counted when a day closes. */
const SETTLING_MS = 5 * MINUTE;
/** A calendar that repeats a day, or skips one, decides where the search for the first delivery begins and ends. */
const DATES_BEFORE = 1;
const DATES_AFTER = 3;
/** With no change of offset this near to the close, the clocks simply run on. */
const CALM_MS = 26 * HOUR;

/**
 * When the clocks of a zone show `time` on `date`. A time that they skip that day: the first whole minute after the
 * gap. A time that they show twice: the first of the two.
 */
export const deliveryInstant = (
  date: Temporal.PlainDate,
  { time, timeZone }: DeliveryHour,
): Temporal.Instant => {
  const wanted = date.toPlainDateTime(time);
  const earlier = wanted.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  if (earlier.toPlainDateTime().equals(wanted)) return earlier.toInstant();
  // For a skipped time, "earlier" is an instant before the gap.
  const afterGap = earlier.getTimeZoneTransition("next") ?? earlier;
  return afterGap.round({ smallestUnit: "minute", roundingMode: "ceil" }).toInstant();
};

/**
 * When the report of the day that closed at `close` is due: at the first delivery instant at or after the close, and at
 * least 5 minutes after it. Never decreases from one day to the next.
 */
export const dueInstant = (close: Temporal.Instant, hour: DeliveryHour): Temporal.Instant => {
  const local = close.toZonedDateTimeISO(hour.timeZone).toPlainDate();
  const settled = close.add({ milliseconds: SETTLING_MS });
  for (let days = -DATES_BEFORE; days <= DATES_AFTER; days++) {
    const delivery = deliveryInstant(local.add({ days }), hour);
    if (Temporal.Instant.compare(delivery, close) < 0) continue;
    return Temporal.Instant.compare(delivery, settled) < 0 ? settled : delivery;
  }
  throw new RangeError(
    `No delivery in ${hour.timeZone} within ${DATES_AFTER} days of ${close.toString()}`,
  );
};

/** Same answer as `dueInstant`, in epoch milliseconds. */
type DueInstants = (closeMs: number, hour: DeliveryHour) => number;

/**
 * `dueInstant` for many hours of few zones: what a zone does around a close is looked up once, and where its offset
 * stays the same the rest is arithmetic. Meant to be used for one question and forgotten.
 */
export const dueInstants = (): DueInstants => {
  const zones = new Map<string, Map<number, number | undefined>>();

  const clockAtClose = (closeMs: number, timeZone: string): number | undefined => {
    const known = zones.get(timeZone) ?? new Map<number, number | undefined>();
    zones.set(timeZone, known);
    if (!known.has(closeMs)) known.set(closeMs, calmClock(closeMs, timeZone));
    return known.get(closeMs);
  };

  return (closeMs, hour) => {
    const clockMs = clockAtClose(closeMs, hour.timeZone);
    if (clockMs === undefined) {
      const close = Temporal.Instant.fromEpochMilliseconds(closeMs);
      return dueInstant(close, hour).epochMilliseconds;
    }
    const wantedMs = hour.time.hour * HOUR + hour.time.minute * MINUTE;
    return closeMs + Math.max(remainder(wantedMs - clockMs, DAY), SETTLING_MS);
  };
};

/** Milliseconds since local midnight at the close; undefined when the offset changes around it. */
const calmClock = (closeMs: number, timeZone: string): number | undefined => {
  const before = Temporal.Instant.fromEpochMilliseconds(closeMs - CALM_MS).toZonedDateTimeISO(
    timeZone,
  );
  const change = before.getTimeZoneTransition("next")?.epochMilliseconds;
  if (change !== undefined && change <= closeMs + CALM_MS) return undefined;
  return remainder(closeMs + before.offsetNanoseconds / 1e6, DAY);
};

const remainder = (value: number, of: number): number => ((value % of) + of) % of;

/** One seller's daily report in one guild, as far as its schedule goes. */
export interface ReportSubscription extends DeliveryHour {
  readonly accountId: string;
  readonly guildId: string;
  readonly ownerId: string;
  readonly channelId: string;
  readonly locale: Locale;
  readonly emptyChoice: EmptyReportChoice;
  /** Later of the route's activation and the owner's consent: nothing that fell due before it is owed. */
  readonly since: Temporal.Instant;
  /** Newest day already materialised. */
  readonly lastDay: Temporal.PlainDate | undefined;
}

/** A report that is owed now. */
export interface DueReport {
  readonly subscription: ReportSubscription;
  /** The UTC day that it tells of. */
  readonly day: Temporal.PlainDate;
  /** When it was to be delivered. */
  readonly dueAt: Temporal.Instant;
  /** More than an hour after `dueAt`: the reader is told that it comes late. */
  readonly late: boolean;
  /** Many late days of one seller are spread over the hours to come. */
  readonly notBefore: Temporal.Instant;
}

/** A day that could not be delivered within this time is not owed any more. */
const HORIZON_MS = 7 * DAY;
const LATE_AFTER_MS = HOUR;
const LATE_DAYS_PER_HOUR = 3;
/** No zone keeps a report from its hour for longer after the close: a day and, where the calendar repeats one, another. */
const LONGEST_WAIT_MS = 50 * HOUR;
const HORIZON_DAYS = Math.ceil((HORIZON_MS + LONGEST_WAIT_MS) / DAY);

/** Names one day's report to one channel, for ever. */
export const reportKey = (
  { accountId, channelId }: Pick<ReportSubscription, "accountId" | "channelId">,
  day: Temporal.PlainDate,
): string => `report|${accountId}|${channelId}|${day.toString()}`;

/** The day of a report's key. */
export const dayOfReportKey = (key: string): Temporal.PlainDate =>
  Temporal.PlainDate.from(key.slice(key.lastIndexOf("|") + 1));

interface ClosedDay {
  readonly day: Temporal.PlainDate;
  readonly closeMs: number;
}

/** The newest report day that has closed. */
export const latestClosedDay = (now: Temporal.Instant): Temporal.PlainDate =>
  openReportDay(now).subtract({ days: 1 });

/** Hours whose newest closed day is due by now; at the others only older days can be owed. */
export const hoursDue = (
  hours: readonly DeliveryHour[],
  now: Temporal.Instant,
): readonly DeliveryHour[] => {
  const closeMs = closeOf(latestClosedDay(now)).epochMilliseconds;
  const dueMsOf = dueInstants();
  return hours.filter((hour) => dueMsOf(closeMs, hour) <= now.epochMilliseconds);
};

/** Hours at which a report falls due within that time from now, and not before. */
export const hoursComing = (
  hours: readonly DeliveryHour[],
  now: Temporal.Instant,
  withinMs: number,
): readonly DeliveryHour[] => {
  const nowMs = now.epochMilliseconds;
  const closes = [now, now.add({ milliseconds: withinMs })].map(
    (instant) => closeOf(latestClosedDay(instant)).epochMilliseconds,
  );
  const dueMsOf = dueInstants();
  return hours.filter((hour) =>
    closes.some((closeMs) => {
      const inMs = dueMsOf(closeMs, hour) - nowMs;
      return inMs > 0 && inMs <= withinMs;
    }),
  );
};

/**
 * What is owed at this instant: every closed day after `lastDay` whose hour of delivery has come since `since`, at most
 * 7 days ago. Oldest first; the days of one subscription are always in order. Subscriptions may be given by and by.
 */
export const dueReportsAt = (
  now: Temporal.Instant,
): ((subscriptions: readonly ReportSubscription[]) => readonly DueReport[]) => {
  const newest = latestClosedDay(now);
  const newestFirst = Array.from({ length: HORIZON_DAYS }, (_, age): ClosedDay => {
    const day = newest.subtract({ days: age });
    return { day, closeMs: closeOf(day).epochMilliseconds };
  });
  const dueMsOf = dueInstants();
  return (subscriptions) =>
    subscriptions
      .flatMap((subscription) => owedTo(subscription, newestFirst, now, dueMsOf))
      .sort((one, other) => Temporal.Instant.compare(one.dueAt, other.dueAt));
};

const owedTo = (
  subscription: ReportSubscription,
  newestFirst: readonly ClosedDay[],
  now: Temporal.Instant,
  dueMsOf: DueInstants,
): readonly DueReport[] => {
  const { since, lastDay } = subscription;
  const nowMs = now.epochMilliseconds;
  const after = Math.max(since.epochMilliseconds, nowMs - HORIZON_MS - 1);
  const owed: DueReport[] = [];
  for (const { day, closeMs } of newestFirst) {
    if (lastDay !== undefined && Temporal.PlainDate.compare(day, lastDay) <= 0) break;
    const dueMs = dueMsOf(closeMs, subscription);
    // Older days were due before this one.
    if (dueMs <= after) break;
    if (dueMs > nowMs) continue;
    owed.unshift({
      subscription,
      day,
      dueAt: Temporal.Instant.fromEpochMilliseconds(dueMs),
      late: nowMs - dueMs > LATE_AFTER_MS,
      notBefore: now,
    });
  }
  return owed.map((due, place) => spread(due, place, now));
};

/** Late days come before the one in time, so their place among the owed is their place among the late. */
const spread = (due: DueReport, place: number, now: Temporal.Instant): DueReport => {
  const hours = due.late ? Math.floor(place / LATE_DAYS_PER_HOUR) : 0;
  return hours === 0 ? due : { ...due, notBefore: now.add({ milliseconds: hours * HOUR }) };
};

/** A report waits for its hour for a day, or two where the calendar repeats one, and no day is older than that. */
const DAYS_TO_LOOK_BACK = 3;

export interface NextReport {
  readonly day: Temporal.PlainDate;
  readonly dueAt: Temporal.Instant;
}

/** The first report that is due after `now`, of a day after the settled one: which day it tells of, and when. */
export const nextReport = (
  hour: DeliveryHour,
  now: Temporal.Instant,
  settledDay?: Temporal.PlainDate,
): NextReport => {
  const today = openReportDay(now);
  for (let daysAgo = DAYS_TO_LOOK_BACK; daysAgo > 0; daysAgo--) {
    const day = today.subtract({ days: daysAgo });
    if (settledDay !== undefined && Temporal.PlainDate.compare(day, settledDay) <= 0) continue;
    const dueAt = dueInstant(closeOf(day), hour);
    if (Temporal.Instant.compare(dueAt, now) > 0) return { day, dueAt };
  }
  return { day: today, dueAt: dueInstant(closeOf(today), hour) };
};

/** What is to be said about an hour of delivery, by the clocks of its zone. */
type HourRemark =
  /** The day closes later that date, so the report tells of the one before. */
  | { readonly kind: "before_close"; readonly close: Temporal.PlainTime }
  /** So near to the close that the report waits a little. */
  | { readonly kind: "settling"; readonly postedAt: Temporal.PlainTime };

/** Undefined when the hour means what it says. */
export const hourRemark = (
  { day, dueAt }: NextReport,
  { time, timeZone }: DeliveryHour,
): HourRemark | undefined => {
  const close = closeOf(day);
  const clockAt = (at: Temporal.Instant) => at.toZonedDateTimeISO(timeZone).toPlainTime();
  if (Temporal.PlainTime.compare(time, clockAt(close)) < 0) {
    return { kind: "before_close", close: clockAt(close) };
  }
  const waited = dueAt.epochMilliseconds - close.epochMilliseconds === SETTLING_MS;
  const postedAt = clockAt(dueAt);
  return waited && !postedAt.equals(time) ? { kind: "settling", postedAt } : undefined;
};
