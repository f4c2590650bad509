import { DAY, HOUR, MINUTE } from "../shared/duration.ts";

/** Hour of delivery in a zone. */
export interface DeliveryHour {
  /** To the minute. */
  readonly time: Temporal.PlainTime;
  /** IANA name. */
  readonly timeZone: string;
}

/** Sales of the last minutes are still being counted when a day closes. */
export const SETTLING_MS = 5 * MINUTE;
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
export type DueInstants = (closeMs: number, hour: DeliveryHour) => number;

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
