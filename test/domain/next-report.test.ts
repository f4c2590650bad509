import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dueInstant } from "#src/domain/due-instant.ts";
import { hourRemark, nextReport } from "#src/domain/next-report.ts";
import { closeOf } from "#src/domain/report-day.ts";

const zones = [
  "America/Sao_Paulo",
  "America/Manaus",
  "UTC",
  "Asia/Tokyo",
  "Pacific/Kiritimati",
  "America/New_York",
];
const at = (time: string, timeZone = "America/Sao_Paulo") => ({
  time: Temporal.PlainTime.from(time),
  timeZone,
});
const instants = fc
  .integer({ min: 0, max: 3 * 366 * 24 * 60 })
  .map((minutes) => Temporal.Instant.from("2025-01-01T00:00:00Z").add({ minutes }));

describe("the next report", () => {
  test("is the first one due after now, in any zone, at any hour, on any day", () => {
    const hours = fc.record({
      time: fc
        .integer({ min: 0, max: 1_439 })
        .map((minutes) => new Temporal.PlainTime().add({ minutes })),
      timeZone: fc.constantFrom(...zones),
    });
    fc.assert(
      fc.property(hours, instants, (hour, now) => {
        const { day, dueAt } = nextReport(hour, now);
        expect(dueAt).toEqual(dueInstant(closeOf(day), hour));
        expect(Temporal.Instant.compare(dueAt, now)).toBe(1);
        const before = dueInstant(closeOf(day.subtract({ days: 1 })), hour);
        expect(Temporal.Instant.compare(before, now)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["2026-11-20T20:00:00Z", "21:05", "2026-11-20", "2026-11-21T00:05:00Z"],
    ["2026-11-21T00:05:00Z", "21:05", "2026-11-21", "2026-11-22T00:05:00Z"],
    ["2026-11-20T20:00:00Z", "08:00", "2026-11-20", "2026-11-21T11:00:00Z"],
    ["2026-11-20T20:00:00Z", "20:00", "2026-11-19", "2026-11-20T23:00:00Z"],
  ])("seen at %s for %s tells of %s, at %s", (now, time, day, dueAt) => {
    const next = nextReport(at(time), Temporal.Instant.from(now));
    expect([next.day.toString(), next.dueAt.toString()]).toEqual([day, dueAt]);
  });
});

test("the next report is of no day that is settled", () => {
  const now = Temporal.Instant.from("2026-11-21T00:10:00Z");
  const next = (settledDay: string) =>
    nextReport(at("22:00"), now, Temporal.PlainDate.from(settledDay));
  expect(next("2026-11-19").day.toString()).toBe("2026-11-20");
  expect(next("2026-11-20").day.toString()).toBe("2026-11-21");
  expect(next("2026-11-20").dueAt.toString()).toBe("2026-11-22T01:00:00Z");
});

test("the next report can be of two days ago, when clocks went back while it waited", () => {
  const next = nextReport(
    at("19:30", "America/New_York"),
    Temporal.Instant.from("2025-11-03T00:10:00Z"),
  );
  expect([next.day.toString(), next.dueAt.toString()]).toEqual([
    "2025-11-01",
    "2025-11-03T00:30:00Z",
  ]);
});

describe("an hour of delivery", () => {
  const remarkOn = (hour: ReturnType<typeof at>) =>
    hourRemark(nextReport(hour, Temporal.Instant.from("2026-11-20T15:00:00Z")), hour);

  test.each([
    [at("20:59"), "21:00"],
    [at("08:00"), "21:00"],
    [at("19:59", "America/Manaus"), "20:00"],
    [at("08:59", "Asia/Tokyo"), "09:00"],
  ])("%j comes before its date's close", (hour, close) => {
    expect(
      hourRemark(nextReport(hour, Temporal.Instant.from("2026-11-20T15:00:00Z")), hour),
    ).toEqual({
      kind: "before_close",
      close: Temporal.PlainTime.from(close),
    });
  });

  test.each([at("21:00"), at("21:04"), at("20:00", "America/Manaus")])(
    "%j waits five minutes",
    (hour) => {
      expect(remarkOn(hour)?.kind).toBe("settling");
    },
  );

  test.each([at("21:05"), at("23:30"), at("20:05", "America/Manaus"), at("00:05", "UTC")])(
    "%j means what it says",
    (hour) => {
      expect(remarkOn(hour)).toBeUndefined();
    },
  );
});
