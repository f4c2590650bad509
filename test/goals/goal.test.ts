import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { goalProgress, goalReadings, lastGoalDay } from "#src/goals/goal.ts";
import { cents } from "#src/shared/money.ts";
import { inBrasilia } from "#src/shared/local-time.ts";
import { closeOf, openReportDay } from "#src/shared/report-day.ts";

const at = (text: string) => Temporal.Instant.from(text);
const dayOf = (text: string) => Temporal.PlainDate.from(text);
const figures = (day: Temporal.PlainDate, sales: number, readAt = closeOf(day)) => ({
  day,
  sales: cents(sales),
  readAt,
});
const monthOf = (upTo: Temporal.PlainDate) =>
  Array.from({ length: upTo.day }, (_, place) => upTo.with({ day: place + 1 }));

/** Around the ends of months, and any instant of forty years. */
const anyInstant = fc.oneof(
  fc.integer({ min: 946_684_800_000, max: 2_208_988_800_000 }),
  fc
    .tuple(fc.integer({ min: 0, max: 479 }), fc.integer({ min: -18_000_000, max: 18_000_000 }))
    .map(
      ([months, ms]) =>
        dayOf("2000-01-01").add({ months }).toZonedDateTime("UTC").epochMilliseconds + ms,
    ),
);
const instantOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms);

describe("the last day that counts for a goal", () => {
  test.each([
    ["2026-11-24T18:00:00Z", "2026-11-24", "by day the open one"],
    ["2026-11-25T01:00:00Z", "2026-11-25", "after 21:00 the one that has just begun"],
    ["2026-11-30T23:59:59Z", "2026-11-30", "before 21:00 of the last day that day"],
    ["2026-12-01T00:00:00Z", "2026-11-30", "after 21:00 of the last day still that day"],
    ["2026-12-01T02:59:59Z", "2026-11-30", "to the end of Brasília's month"],
    ["2026-12-01T03:00:00Z", "2026-12-01", "then the first of the next month"],
    ["2024-02-29T23:00:00Z", "2024-02-29", "in a leap year the 29th"],
  ])("at %s is %s: %s", (now, day) => {
    expect(lastGoalDay(at(now)).toString()).toBe(day);
  });

  test("is in Brasília's month, and never after the open day", () => {
    fc.assert(
      fc.property(anyInstant, (ms) => {
        const now = instantOf(ms);
        const day = lastGoalDay(now);
        expect([day.year, day.month]).toEqual([inBrasilia(now).year, inBrasilia(now).month]);
        expect(Temporal.PlainDate.compare(day, openReportDay(now))).toBeLessThanOrEqual(0);
      }),
      { numRuns: 2_000 },
    );
  });
});

test("the figures of a goal are as old as those that count", () => {
  const now = at("2026-11-25T12:00:00Z");
  const days = [
    figures(dayOf("2026-10-31"), 1, at("2026-11-01T00:05:00Z")),
    // Read before its close: it does not count.
    figures(dayOf("2026-11-02"), 1, at("2026-11-02T12:00:00Z")),
    figures(dayOf("2026-11-03"), 1, at("2026-11-10T00:05:00Z")),
    figures(dayOf("2026-11-25"), 1, at("2026-11-25T11:00:00Z")),
  ];
  expect(goalReadings(days, now)).toEqual({
    oldestAt: at("2026-11-10T00:05:00Z"),
    readAt: at("2026-11-25T11:00:00Z"),
  });
  expect(goalReadings(days.slice(0, 2), now)).toEqual({ oldestAt: now, readAt: now });
});

describe("progress", () => {
  test("says what is sold, what is left and in how many days", () => {
    const now = at("2026-11-25T01:00:00Z");
    const days = monthOf(dayOf("2026-11-25")).map((day) => figures(day, 100_000, now));
    const { missing, upTo, ...amounts } = goalProgress(cents(4_000_000), days, now);
    expect([missing, upTo.toString()]).toEqual([[], "2026-11-25"]);
    expect(amounts).toEqual({
      goal: 4_000_000,
      sold: 2_500_000,
      percent: 62,
      remaining: 1_500_000,
      daysLeft: 6,
    });
  });

  test.each([
    ["2026-11-01T12:00:00Z", 30],
    ["2026-11-30T12:00:00Z", 1],
    ["2026-12-01T01:00:00Z", 0],
    ["2024-02-10T12:00:00Z", 20],
  ])("at %s has %d days left", (now, left) => {
    expect(goalProgress(cents(1), [], at(now)).daysLeft).toBe(left);
  });

  test("of a report's day counts to that day, whatever the hour of the report", () => {
    const day = dayOf("2026-11-26");
    const days = monthOf(dayOf("2026-11-28")).map((each) => figures(each, 100));
    for (const now of ["2026-11-27T00:06:00Z", "2026-11-29T12:00:00Z"]) {
      const { sold, daysLeft, missing } = goalProgress(cents(10_000), days, at(now), day);
      expect([sold, daysLeft, missing]).toEqual([2_600, 4, []]);
    }
  });

  test("leaves out a closed day that was last read before its close, and names it", () => {
    const now = at("2026-11-02T12:00:00Z");
    const first = dayOf("2026-11-01");
    const early = figures(first, 500, closeOf(first).subtract({ seconds: 1 }));
    const open = figures(dayOf("2026-11-02"), 200, now);
    const { sold, missing } = goalProgress(cents(1_000), [early, open], now);
    expect([sold, missing.map(String)]).toEqual([200, ["2026-11-01"]]);
  });

  test("is 100% when the goal is reached and not a cent before", () => {
    const now = at("2026-11-01T12:00:00Z");
    const of = (sold: number, goal: number) =>
      goalProgress(cents(goal), [figures(dayOf("2026-11-01"), sold, now)], now);
    expect(of(999_999_999_999, 1_000_000_000_000)).toMatchObject({ percent: 99, remaining: 1 });
    expect(of(1_000_000_000_000, 1_000_000_000_000)).toMatchObject({ percent: 100, remaining: 0 });
    expect(of(-500, 1_000)).toMatchObject({ percent: 0, remaining: 1_500 });
  });

  test("has the share rounded down from whole centavos", () => {
    const now = at("2026-11-01T12:00:00Z");
    const percentOf = (sold: number, goal: number) =>
      goalProgress(cents(goal), [figures(dayOf("2026-11-01"), sold, now)], now).percent;
    expect(percentOf(1_160_000, 4_000_000)).toBe(29);
    const amount = fc.integer({ min: 1, max: 1e12 });
    fc.assert(
      fc.property(amount, amount, (sold, goal) => {
        expect(percentOf(sold, goal)).toBe(Number((BigInt(sold) * 100n) / BigInt(goal)));
      }),
      { numRuns: 2_000 },
    );
  });

  test("sums the days of its month alone; each day either counts or is missing", () => {
    const someDays = fc.array(
      fc.record({
        back: fc.integer({ min: -3, max: 70 }),
        sales: fc.integer({ min: 0, max: 1e9 }),
        late: fc.boolean(),
      }),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(anyInstant, someDays, fc.integer({ min: 1, max: 1e12 }), (ms, given, goal) => {
        const now = instantOf(ms);
        const upTo = lastGoalDay(now);
        const byDay = new Map(
          given.map(({ back, sales, late }) => {
            const day = upTo.subtract({ days: back });
            const readAt = late ? closeOf(day) : closeOf(day).subtract({ seconds: 1 });
            return [day.toString(), figures(day, sales, readAt)] as const;
          }),
        );
        const progress = goalProgress(cents(goal), [...byDay.values()], now);
        const missing = new Set(progress.missing.map(String));
        const counted = monthOf(upTo).filter((day) => !missing.has(day.toString()));
        const sum = counted.reduce(
          (all, day) => all + (byDay.get(day.toString())?.sales ?? NaN),
          0,
        );
        expect(progress.sold).toBe(sum);
        expect(counted.length + missing.size).toBe(upTo.day);
        expect(progress.percent >= 100).toBe(progress.sold >= goal);
        expect(progress.remaining).toBe(Math.max(0, goal - sum));
        expect(progress.daysLeft).toBeGreaterThanOrEqual(0);
        expect(progress.daysLeft).toBeLessThanOrEqual(upTo.daysInMonth);
        expect(progress.daysLeft === 0).toBe(
          Temporal.Instant.compare(now, closeOf(upTo.with({ day: upTo.daysInMonth }))) >= 0,
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
