import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ASKED_HISTORY_DAYS,
  correctionsInRoom,
  correctionsToTell,
  createServiceClock,
  daysToRead,
  HISTORY_DAYS,
  isWhole,
  nextReading,
} from "#src/reports/sales-days.ts";
import { cents } from "#src/shared/money.ts";
import { openReportDay, settledAt, todayOf } from "#src/shared/report-day.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { standingClock } from "../support/databases.ts";
import { sold } from "../support/stage.ts";

const instant = fc
  .integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 11, 31) })
  .map((ms) => Temporal.Instant.fromEpochMilliseconds(ms));
const NOW = Temporal.Instant.from("2026-11-20T18:00:00Z");
const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);
const dayOf = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

/** Reads what is due as the background does, and keeps it. */
const readAll = (kept: Map<string, ReturnType<typeof reading>>, now: Temporal.Instant) => {
  const due = daysToRead([...kept.values()], HISTORY_DAYS, now);
  for (const day of due) kept.set(day.toString(), reading(day, now));
  return due.map(String);
};
const reading = (day: Temporal.PlainDate, readAt: Temporal.Instant) => ({ day, readAt });

describe("the service's clock", () => {
  const ofAnswer = (skewMs?: number) => {
    const clock = standingClock(NOW.toString());
    const service = createServiceClock(clock);
    service.note({ ...sold(todayOf(NOW)), skewMs });
    const aheadMs = () => clock.now().since(service.now()).total("milliseconds");
    return { clock, aheadMs };
  };

  test.each([
    ["is not known without a `Date`", undefined, 0],
    ["is ours within five minutes", -5 * MINUTE, 0],
    ["counts where ours is further ahead", -6 * MINUTE, 6 * MINUTE],
    ["counts up to three days", -3 * DAY, 3 * DAY],
    ["is wrong beyond them", -3 * DAY - 1, 0],
    ["ends nothing earlier than ours", HOUR, 0],
  ])("%s", (_, skewMs, aheadMs) => {
    expect(ofAnswer(skewMs).aheadMs()).toBe(aheadMs);
  });

  test.each([
    ["for six hours", 6 * HOUR, DAY],
    ["and no longer", 6 * HOUR + 1, 0],
    ["and not once ours was set back", -1, 0],
  ])("is that of the newest answer %s", (_, laterMs, aheadMs) => {
    const answered = ofAnswer(-DAY);
    answered.clock.moveBy(laterMs);
    expect(answered.aheadMs()).toBe(aheadMs);
  });
});

describe("the corrections to tell", () => {
  const correction = (day: string, oldSales: number, newSales: number, noticedAt = NOW) => ({
    day: dayOf(day),
    oldSales: cents(oldSales),
    newSales: cents(newSales),
    oldNet: cents(oldSales),
    newNet: cents(newSales),
    noticedAt,
  });
  const told = (given: Parameters<typeof correctionsToTell>[0], reported = "2026-11-19") =>
    correctionsToTell(given, dayOf(reported)).map(
      ({ day, oldSales, newSales }) => `${day.toString()} ${oldSales} ${newSales}`,
    );

  test("are one for each day, newest day first, from the first old to the last new figure", () => {
    const steps = [
      correction("2026-11-17", 900, 800),
      correction("2026-11-18", 50, 40),
      correction("2026-11-17", 800, 600),
    ];
    expect(told(steps)).toEqual(["2026-11-18 50 40", "2026-11-17 900 600"]);
    const ofFees = { ...correction("2026-11-16", 70, 70), newNet: cents(60) };
    expect(told([ofFees])).toEqual(["2026-11-16 70 70"]);
  });

  test("are none of days that came back to what was told, or were never told", () => {
    const back = [correction("2026-11-17", 900, 800), correction("2026-11-17", 800, 900)];
    expect(told(back)).toEqual([]);
    expect(told([correction("2026-11-19", 900, 800)], "2026-11-18")).toEqual([]);
    expect(correctionsToTell([correction("2026-11-17", 900, 800)], undefined)).toEqual([]);
  });
});

describe("the corrections in the room of a report", () => {
  const noticed = (...days: readonly string[]) =>
    days.map((day, place) => ({
      day: dayOf(day),
      oldSales: cents(900),
      newSales: cents(800 - place),
      oldNet: cents(900),
      newNet: cents(800),
      noticedAt: NOW.add({ seconds: place }),
    }));
  const inRoom = (days: readonly string[], room: number) =>
    correctionsInRoom(noticed(...days), dayOf("2026-11-18"), room).map(({ day }) => day.day);

  test("are those that were noticed first, each day once", () => {
    expect(inRoom(["2026-11-17", "2026-11-16", "2026-11-17", "2026-11-15"], 2)).toEqual([
      17, 16, 17,
    ]);
    expect(inRoom(["2026-11-17", "2026-11-16"], 0)).toEqual([]);
  });

  test("are all up to that of a day which its own report tells anew", () => {
    const days = ["2026-11-17", "2026-11-16", "2026-11-19", "2026-11-15"];
    expect(inRoom(days, 1)).toEqual([17, 16, 19]);
  });
});

describe("the days to read", () => {
  test("are at first the last 32 closed days, newest first", () => {
    const due = daysToRead([], HISTORY_DAYS, NOW).map(String);
    expect(due).toHaveLength(32);
    expect([due[0], due[31]]).toEqual(["2026-11-19", "2026-10-19"]);
  });

  test("are for a person who asks all of the last month, and of the one before, whenever that is", () => {
    fc.assert(
      fc.property(instant, (now) => {
        const first = todayOf(now).with({ day: 1 }).subtract({ months: 2 });
        const due = daysToRead([], ASKED_HISTORY_DAYS, now).map(String);
        expect(due).toContain(first.toString());
      }),
    );
  });

  test("are none once all are read, whenever that is", () => {
    fc.assert(
      fc.property(instant, fc.constantFrom(HISTORY_DAYS, ASKED_HISTORY_DAYS), (now, history) => {
        const due = daysToRead([], history, now);
        const kept = due.map((day) => reading(day, now));
        expect(daysToRead(kept, history, now)).toEqual([]);
        expect(due.every((day) => isWhole(reading(day, now)))).toBe(true);
      }),
    );
  });

  test("are the last seven on the next day, and no sooner", () => {
    const kept = new Map<string, ReturnType<typeof reading>>();
    readAll(kept, NOW);
    expect(readAll(kept, at("2026-11-20T23:59:00Z"))).toEqual([]);
    expect(readAll(kept, at("2026-11-21T00:30:00Z"))).toEqual(
      [20, 19, 18, 17, 16, 15, 14].map((day) => `2026-11-${day}`),
    );
    expect(readAll(kept, at("2026-11-21T12:00:00Z"))).toEqual([]);
  });

  test("hold each day of a month again after its close, once, however often the background looks", () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: 1, max: 6 }), (start, looksADay) => {
        const kept = new Map<string, ReturnType<typeof reading>>();
        const month = openReportDay(start).with({ day: 1 }).add({ months: 1 });
        const [opens, closes] = [month, month.add({ months: 1 })];
        let now = settledAt(opens);
        const monthSettled = settledAt(closes.subtract({ days: 1 }));
        while (Temporal.Instant.compare(now, monthSettled.add({ hours: 240 })) < 0) {
          readAll(kept, now);
          now = now.add({ hours: Math.ceil(24 / looksADay) });
        }
        for (
          let day = opens;
          Temporal.PlainDate.compare(day, closes) < 0;
          day = day.add({ days: 1 })
        ) {
          const last = kept.get(day.toString())!.readAt;
          expect(Temporal.Instant.compare(last, monthSettled)).toBeGreaterThanOrEqual(0);
          expect(last.since(monthSettled).total("hours")).toBeLessThan(24 * 8);
        }
      }),
      { numRuns: 12 },
    );
  });

  test("hold a day that was read before it was over, but not in the minutes after its close", () => {
    const early = [reading(dayOf("2026-11-20"), NOW)];
    const due = (now: string) => daysToRead(early, 1, at(now)).map(String);
    expect(due("2026-11-21T00:04:59Z")).toEqual([]);
    expect(due("2026-11-21T00:05:00Z")).toEqual(["2026-11-20"]);
    const later = daysToRead(early, HISTORY_DAYS, at("2026-11-29T12:00:00Z")).map(String);
    expect(later).toContain("2026-11-20");
  });

  test("hold a day with a refund since, though it is older than those that are filled in", () => {
    const read = reading(dayOf("2026-09-01"), at("2026-09-09T12:00:00Z"));
    const due = (kept: Parameters<typeof daysToRead>[0]) =>
      daysToRead(kept, HISTORY_DAYS, NOW).map(String);
    expect(due([{ ...read, refundedAt: NOW }])).toContain("2026-09-01");
    expect(due([read])).not.toContain("2026-09-01");
  });

  test("are looked at next after the coming close", () => {
    expect(nextReading(NOW).toString()).toBe("2026-11-21T01:00:00Z");
    expect(nextReading(at("2026-11-21T00:20:00Z")).toString()).toBe("2026-11-21T01:00:00Z");
    expect(nextReading(at("2026-11-21T01:00:00Z")).toString()).toBe("2026-11-22T01:00:00Z");
  });
});
