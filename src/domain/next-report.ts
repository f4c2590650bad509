import { dueInstant, type DeliveryHour } from "./due-instant.ts";
import { closeOf, openReportDay } from "./report-day.ts";

/** The longest that a report can wait for its hour, in days, and one for the day that is still open. */
const DAYS_TO_LOOK_BACK = 4;

export interface NextReport {
  readonly day: Temporal.PlainDate;
  readonly dueAt: Temporal.Instant;
}

/** The first report that is due after `now`: which day it tells of, and when. */
export const nextReport = (hour: DeliveryHour, now: Temporal.Instant): NextReport => {
  const today = openReportDay(now);
  for (let daysAgo = DAYS_TO_LOOK_BACK; daysAgo > 0; daysAgo--) {
    const day = today.subtract({ days: daysAgo });
    const dueAt = dueInstant(closeOf(day), hour);
    if (Temporal.Instant.compare(dueAt, now) > 0) return { day, dueAt };
  }
  return { day: today, dueAt: dueInstant(closeOf(today), hour) };
};

/** Hour of the zone's clocks at which the day that `next` tells of had closed. */
export const closeHour = ({ day }: NextReport, timeZone: string): Temporal.PlainTime =>
  closeOf(day).toZonedDateTimeISO(timeZone).toPlainTime();

/** Whether a report at this hour comes before the close of its own date, and so tells of the last complete day. */
export const precedesClose = (next: NextReport, { time, timeZone }: DeliveryHour): boolean =>
  Temporal.PlainTime.compare(time, closeHour(next, timeZone)) < 0;
