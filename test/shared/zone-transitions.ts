import { expect } from "vitest";
import type { DeliveryHour } from "#src/reports/report-schedule.ts";
import { closeOf } from "#src/shared/report-day.ts";

const transitionsOf = (
  timeZone: string,
  from: Temporal.Instant,
  to: Temporal.Instant,
): readonly Temporal.Instant[] => {
  const found: Temporal.Instant[] = [];
  let next = from.toZonedDateTimeISO(timeZone).getTimeZoneTransition("next");
  while (next !== null && Temporal.Instant.compare(next.toInstant(), to) < 0) {
    found.push(next.toInstant());
    next = next.getTimeZoneTransition("next");
  }
  return found;
};

export interface Transition {
  readonly timeZone: string;
  readonly at: Temporal.Instant;
}

/** Every offset change of every zone known to this runtime. */
export const allTransitions = (from: string, to: string): readonly Transition[] =>
  Intl.supportedValuesOf("timeZone").flatMap((timeZone) =>
    transitionsOf(timeZone, Temporal.Instant.from(from), Temporal.Instant.from(to)).map((at) => ({
      timeZone,
      at,
    })),
  );

/** One zone of those whose clocks are changed alike at the same instant, as most of a continent's are. */
const differentTransitions = (from: string, to: string): Iterable<Transition> => {
  const found = new Map<string, Transition>();
  for (const transition of allTransitions(from, to)) {
    const after = transition.at.toZonedDateTimeISO(transition.timeZone);
    const before = after.subtract({ seconds: 1 });
    found.set(`${transition.at.toString()} ${before.offset} ${after.offset}`, transition);
  }
  return found.values();
};

/** Times of day around the offset change, and one far from it. */
const tellingTimes = ({ timeZone, at }: Transition): readonly Temporal.PlainTime[] => {
  const after = at.toZonedDateTimeISO(timeZone);
  const before = after.subtract({ seconds: 1 });
  const justBefore = before.toPlainTime().round({ smallestUnit: "minute", roundingMode: "floor" });
  const justAfter = after.toPlainTime().round({ smallestUnit: "minute", roundingMode: "ceil" });
  return [justBefore, justAfter, justBefore.add({ minutes: 20 }), new Temporal.PlainTime(12)];
};

/** Around every such change, days are due in their order, and each within these limits after its close. */
export const expectInOrder = (
  [from, to]: readonly [string, string],
  [leastMs, mostMs]: readonly [number, number],
  dueOf: (day: Temporal.PlainDate, hour: DeliveryHour) => Temporal.Instant,
): void => {
  for (const transition of differentTransitions(from, to)) {
    const { timeZone, at } = transition;
    for (const time of tellingTimes(transition)) {
      let before = -Infinity;
      for (let days = -3; days <= 2; days++) {
        const day = at.toZonedDateTimeISO("UTC").toPlainDate().add({ days });
        const due = dueOf(day, { time, timeZone }).epochMilliseconds;
        const waitedMs = due - closeOf(day).epochMilliseconds;
        if (due < before || waitedMs < leastMs || waitedMs > mostMs)
          expect.fail(`${timeZone} ${time.toString()} ${day.toString()}: ${waitedMs} ms`);
        before = due;
      }
    }
  }
};
