import { DAY, HOUR } from "../shared/duration.ts";
import { dueInstants, type DeliveryHour, type DueInstants } from "./due-instant.ts";
import { closeOf, openReportDay } from "./report-day.ts";
import type { EmptyReportChoice, ReportRoute } from "./report-route.ts";

/** One seller's daily report in one guild, as far as its schedule goes. */
export interface ReportSubscription extends DeliveryHour {
  readonly accountId: string;
  readonly guildId: string;
  readonly ownerId: string;
  readonly channelId: string;
  readonly locale: ReportRoute["locale"];
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
