import { dueInstant, SETTLING_MS, type DeliveryHour } from "./due-instant.ts";
import { closeOf, openReportDay } from "./report-day.ts";

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
export type HourRemark =
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
