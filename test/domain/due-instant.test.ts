import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deliveryInstant, dueInstant, dueInstants } from "#src/domain/due-instant.ts";
import { allTransitions } from "./zone-transitions.ts";

const time = (text: string): Temporal.PlainTime => Temporal.PlainTime.from(text);
const date = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const close = (text: string): Temporal.Instant => Temporal.Instant.from(`${text}T00:00Z`);

const TRANSITIONS = allTransitions("1970-01-01T00:00Z", "2038-01-01T00:00Z");
const anyTransition = fc.constantFrom(...TRANSITIONS);
const anyMinute = fc.integer({ min: 0, max: 1439 });
const timeAt = (minuteOfDay: number): Temporal.PlainTime =>
  new Temporal.PlainTime(Math.floor(minuteOfDay / 60), minuteOfDay % 60);

describe("deliveryInstant", () => {
  const cases = [
    ["an ordinary hour", "2026-11-20", "21:05", "America/Sao_Paulo", "2026-11-21T00:05:00Z"],
    ["a skipped hour", "2026-03-08", "02:30", "America/New_York", "2026-03-08T07:00:00Z"],
    ["an hour shown twice", "2026-11-01", "01:30", "America/New_York", "2026-11-01T05:30:00Z"],
    [
      "a midnight that is skipped",
      "2018-11-04",
      "00:00",
      "America/Sao_Paulo",
      "2018-11-04T03:00:00Z",
    ],
    ["a gap of half an hour", "2026-10-04", "02:10", "Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
    ["a day that is skipped", "2011-12-30", "21:05", "Pacific/Apia", "2011-12-30T10:00:00Z"],
    [
      "a gap that ends within a minute",
      "1972-01-07",
      "00:20",
      "Africa/Monrovia",
      "1972-01-07T00:45:00Z",
    ],
  ] as const;

  it.each(cases)("finds %s", (_, day, at, timeZone, expected) => {
    const found = deliveryInstant(date(day), { time: time(at), timeZone });

    expect(found.toString()).toBe(expected);
  });

  it("is the first whole minute at which the zone's clocks have come so far, around any transition", () => {
    fc.assert(
      fc.property(
        anyTransition,
        anyMinute,
        fc.integer({ min: -1, max: 1 }),
        (transition, minute, days) => {
          const { timeZone } = transition;
          const wanted = transition.at
            .toZonedDateTimeISO(timeZone)
            .toPlainDate()
            .add({ days })
            .toPlainDateTime(timeAt(minute));
          const found = deliveryInstant(wanted.toPlainDate(), { time: timeAt(minute), timeZone });
          const clockAt = (instant: Temporal.Instant): Temporal.PlainDateTime =>
            instant.toZonedDateTimeISO(timeZone).toPlainDateTime();

          expect(Temporal.PlainDateTime.compare(clockAt(found), wanted)).toBeGreaterThanOrEqual(0);
          for (let minutes = 1; minutes <= 180; minutes++) {
            const earlier = clockAt(found.subtract({ minutes }));
            expect(Temporal.PlainDateTime.compare(earlier, wanted)).toBeLessThan(0);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("dueInstant", () => {
  it("is the day's first hour of delivery after its close", () => {
    const hour = { time: time("08:30"), timeZone: "America/Sao_Paulo" };

    expect(dueInstant(close("2026-11-21"), hour).toString()).toBe("2026-11-21T11:30:00Z");
  });

  it("leaves five minutes for the day's last sales to be counted", () => {
    const hour = { time: time("21:00"), timeZone: "America/Sao_Paulo" };

    expect(dueInstant(close("2026-11-21"), hour).toString()).toBe("2026-11-21T00:05:00Z");
  });
});

describe("dueInstants", () => {
  it("answers as dueInstant does, near changes of offset and far from them", () => {
    fc.assert(
      fc.property(
        anyTransition,
        fc.array(fc.tuple(anyMinute, fc.integer({ min: -40, max: 40 })), { minLength: 1 }),
        ({ timeZone, at }, questions) => {
          const day = at.toZonedDateTimeISO("UTC").toPlainDate();
          const dueMsOf = dueInstants();
          for (const [minute, days] of questions) {
            const closeAt = close(day.add({ days }).toString());
            const hour = { time: timeAt(minute), timeZone };

            const fast = dueMsOf(closeAt.epochMilliseconds, hour);

            expect(fast).toBe(dueInstant(closeAt, hour).epochMilliseconds);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
