import { type DeliveryTarget, targetIdOf } from "../delivery/delivery.ts";
import type { Locale } from "../shared/locale.ts";
import { DAY, HOUR } from "../shared/time.ts";
import { closeOf, openReportDay, SETTLING_MS } from "../shared/report-day.ts";
import type { EmptyReportChoice } from "./report-route.ts";

/** Local hour of delivery. */
export interface DeliveryHour {
  /** To the minute. */
  readonly time: Temporal.PlainTime;
  /** IANA name. */
  readonly timeZone: string;
}

/** Just after the day closes; the hour of servers and of direct reports until another one is chosen. */
export const DEFAULT_HOUR: DeliveryHour = {
  time: Temporal.PlainTime.from("21:05"),
  timeZone: "America/Sao_Paulo",
};

/** Dates to search for a delivery: a zone's calendar may repeat or skip one, and a day may close after the hour. */
const DATES = 5;

/**
 * Instant at which the zone's clocks show `time` on `date`. A skipped time: the first whole minute after the gap. A
 * repeated time: the first of the two.
 */
export const deliveryInstant = (
  date: Temporal.PlainDate,
  { time, timeZone }: DeliveryHour,
): Temporal.Instant => {
  const wanted = date.toPlainDateTime(time);
  const earlier = wanted.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  if (earlier.toPlainDateTime().equals(wanted)) return earlier.toInstant();
  // "earlier" maps a skipped time to an instant before the gap.
  const afterGap = earlier.getTimeZoneTransition("next") ?? earlier;
  return afterGap.round({ smallestUnit: "minute", roundingMode: "ceil" }).toInstant();
};

/** The first delivery time at or after the close, from a date on, but at least 5 minutes after it. */
export const firstDelivery = (
  close: Temporal.Instant,
  from: Temporal.PlainDate,
  hour: DeliveryHour,
): Temporal.Instant => {
  const settled = close.add({ milliseconds: SETTLING_MS });
  for (let days = 0; days < DATES; days++) {
    const delivery = deliveryInstant(from.add({ days }), hour);
    if (Temporal.Instant.compare(delivery, close) < 0) continue;
    return Temporal.Instant.compare(delivery, settled) < 0 ? settled : delivery;
  }
  throw new RangeError(`No delivery in ${hour.timeZone} in ${DATES} days from ${from.toString()}`);
};

/**
 * Due time of the report of the day that closed at `close`: the first delivery. Never decreases from one day to the
 * next.
 */
export const dueInstant = (close: Temporal.Instant, hour: DeliveryHour): Temporal.Instant => {
  const local = close.toZonedDateTimeISO(hour.timeZone).toPlainDate();
  return firstDelivery(close, local.subtract({ days: 1 }), hour);
};

/**
 * `dueInstant` in epoch milliseconds, for many sellers at few hours, each of which it computes once. Create it for one
 * question and drop it.
 */
const dueInstants = () => {
  const known = new Map<string, number>();
  return (closeMs: number, hour: DeliveryHour): number => {
    const { time, timeZone } = hour;
    return known.getOrInsertComputed(
      `${closeMs} ${time.hour}:${time.minute} ${timeZone}`,
      () => dueInstant(Temporal.Instant.fromEpochMilliseconds(closeMs), hour).epochMilliseconds,
    );
  };
};

/** Schedule of one seller's daily report in one guild. */
export interface ReportSubscription extends DeliveryHour {
  readonly accountId: string;
  readonly guildId: string;
  readonly ownerId: string;
  /**
   * Sellers with one subscriber are told in one report. A guild's id for all sellers of its channel; for a direct
   * message the id of the watch that all connections of an owner to a wallet account share.
   */
  readonly subscriberId: string;
  readonly target: DeliveryTarget;
  readonly locale: Locale;
  readonly emptyChoice: EmptyReportChoice;
  /** Later of the owner's consent and, for a channel, the route's activation; reports due before it are not owed. */
  readonly since: Temporal.Instant;
  /** Newest day already processed. */
  readonly lastDay: Temporal.PlainDate | undefined;
  /** When the newest correction was noticed that a report told. */
  readonly correctionsTold: Temporal.Instant | undefined;
}

/** Hour of a direct report, with the newest day that was told and the connection that decides. */
export type DirectHour = DeliveryHour &
  Pick<ReportSubscription, "accountId" | "lastDay" | "since"> & {
    /** Whether the key is refused: owed reports wait. */
    readonly isPaused: boolean;
  };

/** Hour of reports, with the days that are not owed. */
type ReportTimes = DeliveryHour & Pick<ReportSubscription, "lastDay" | "since">;

/** UTC day of a report, and its scheduled delivery time. */
export interface NextReport {
  readonly day: Temporal.PlainDate;
  readonly dueAt: Temporal.Instant;
}

export interface DueReport<Subscription = ReportSubscription> extends NextReport {
  readonly subscription: Subscription;
  /** Earliest post time; many late days of one seller are spread over the next hours, and later ones follow them. */
  readonly notBefore: Temporal.Instant;
}

/** Reports older than this are not owed. */
const HORIZON_MS = 7 * DAY;
const LATE_AFTER_MS = HOUR;

export const isLate = (dueAt: Temporal.Instant, now: Temporal.Instant): boolean =>
  now.epochMilliseconds - dueAt.epochMilliseconds > LATE_AFTER_MS;

const LATE_DAYS_PER_HOUR = 3;
/** Longest wait between close and hour of delivery: a day, and a second one where the calendar repeats a date. */
const LONGEST_WAIT_MS = 50 * HOUR;
const HORIZON_DAYS = Math.ceil((HORIZON_MS + LONGEST_WAIT_MS) / DAY);

/**
 * Permanent key of one day's report of all sellers of a subscriber; by a seller's account, of the part that is told later
 * than the others'.
 */
export const dailyReportKey = (
  { subscriberId, target }: Pick<ReportSubscription, "subscriberId" | "target">,
  day: Temporal.PlainDate,
): string => `report|${subscriberId}|${targetIdOf(target)}|${day.toString()}`;

export const latestClosedDay = (now: Temporal.Instant): Temporal.PlainDate =>
  openReportDay(now).subtract({ days: 1 });

/** Hours at which the newest closed day is due. At other hours only older days can be owed. */
export const hoursDue = (
  hours: readonly DeliveryHour[],
  now: Temporal.Instant,
): readonly DeliveryHour[] => {
  const close = closeOf(latestClosedDay(now));
  return hours.filter((hour) => Temporal.Instant.compare(dueInstant(close, hour), now) <= 0);
};

/** Hours at which a report falls due within `withinMs` from now. */
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
 * Reports owed now: every closed day after `lastDay` that fell due after `since` and at most 7 days ago. Oldest first;
 * the days of one subscription stay in order. Call the returned function with one batch of subscriptions after another.
 */
export const dueReportsAt = (now: Temporal.Instant) => {
  const newest = latestClosedDay(now);
  const newestFirst = Array.from({ length: HORIZON_DAYS }, (_, age) => {
    const day = newest.subtract({ days: age });
    return { day, closeMs: closeOf(day).epochMilliseconds };
  });
  const dueMsOf = dueInstants();
  const nowMs = now.epochMilliseconds;

  const owedTo = <Subscription extends ReportTimes>(
    subscription: Subscription,
  ): readonly DueReport<Subscription>[] => {
    const { since, lastDay } = subscription;
    const after = Math.max(since.epochMilliseconds, nowMs - HORIZON_MS - 1);
    const owed: NextReport[] = [];
    for (const { day, closeMs } of newestFirst) {
      if (lastDay !== undefined && Temporal.PlainDate.compare(day, lastDay) <= 0) break;
      const dueMs = dueMsOf(closeMs, subscription);
      // Older days fell due earlier.
      if (dueMs <= after) break;
      if (dueMs <= nowMs)
        owed.unshift({ day, dueAt: Temporal.Instant.fromEpochMilliseconds(dueMs) });
    }
    // Late days precede the punctual day, which the outbox puts behind them, so `place` is also the rank among them.
    return owed.map(({ day, dueAt }, place) => {
      const hours = isLate(dueAt, now) ? Math.floor(place / LATE_DAYS_PER_HOUR) : 0;
      return { subscription, day, dueAt, notBefore: now.add({ hours }) };
    });
  };

  return <Subscription extends ReportTimes>(
    subscriptions: readonly Subscription[],
  ): readonly DueReport<Subscription>[] =>
    subscriptions
      .flatMap((subscription) => owedTo(subscription))
      .sort((one, other) => Temporal.Instant.compare(one.dueAt, other.dueAt));
};

/** A report waits at most a day for its hour, or two where the calendar repeats a date. */
const DAYS_TO_LOOK_BACK = 3;

/** The first report due after `now`, of a day after `settledDay`. */
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

/** With the local hour at which the next report comes: after the day has settled, also where an earlier one was chosen. */
export const asItComes = <Hour extends DeliveryHour>(hour: Hour, now: Temporal.Instant): Hour => {
  const { dueAt } = nextReport(hour, now);
  return { ...hour, time: dueAt.toZonedDateTimeISO(hour.timeZone).toPlainTime() };
};

/** The newest closed day, where its report is owed and due by now. */
export const dayDueNow = (
  subscription: ReportTimes,
  now: Temporal.Instant,
): Temporal.PlainDate | undefined => {
  const newest = dueReportsAt(now)([subscription]).at(-1)?.day;
  return newest?.equals(latestClosedDay(now)) ? newest : undefined;
};

/** Explanation of an hour of delivery that may surprise, in local time. */
type HourRemark =
  /** The day closes later that date, so the report covers the previous day. */
  | { readonly kind: "before_close"; readonly close: Temporal.PlainTime }
  /** So close to the day's close that the report waits a few minutes. */
  | { readonly kind: "settling"; readonly postedAt: Temporal.PlainTime };

/** Undefined when the hour needs no explanation. */
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
