import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  dueReportsAt,
  hoursDue,
  latestClosedDay,
  type ReportSubscription,
} from "#src/domain/report-schedule.ts";
import { allTransitions } from "./zone-transitions.ts";

const instant = (text: string): Temporal.Instant => Temporal.Instant.from(text);
const date = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

/** Due each day at 09:00 in Brasília, which is 12:00 UTC. */
const subscription = (given: Partial<ReportSubscription> = {}): ReportSubscription => ({
  accountId: "a1",
  guildId: "g1",
  ownerId: "u1",
  channelId: "c1",
  time: Temporal.PlainTime.from("09:00"),
  timeZone: "America/Sao_Paulo",
  locale: "pt-BR",
  emptyChoice: "send",
  since: instant("2026-11-01T00:00Z"),
  lastDay: date("2026-11-18"),
  ...given,
});

const daysOwed = (now: string, given: Partial<ReportSubscription> = {}): readonly string[] =>
  dueReportsAt(instant(now))([subscription(given)]).map(({ day }) => day.toString());

describe("latestClosedDay", () => {
  it("closes a day at midnight UTC", () => {
    expect(latestClosedDay(instant("2026-11-20T00:00Z")).toString()).toBe("2026-11-19");
    expect(latestClosedDay(instant("2026-11-19T23:59:59Z")).toString()).toBe("2026-11-18");
  });
});

describe("hoursDue", () => {
  it("are those whose newest closed day is due", () => {
    const at = (time: string) => ({ time: Temporal.PlainTime.from(time), timeZone: "UTC" });
    const hours = ["00:00", "12:00", "12:01"].map(at);

    const due = hoursDue(hours, instant("2026-11-20T12:00Z"));

    expect(due).toEqual(hours.slice(0, 2));
  });
});

describe("reports that are due", () => {
  it("owes a day from its hour of delivery on", () => {
    expect(daysOwed("2026-11-20T11:59:59Z")).toEqual([]);
    expect(daysOwed("2026-11-20T12:00:00Z")).toEqual(["2026-11-19"]);
  });

  it("owes nothing twice", () => {
    expect(daysOwed("2026-11-20T12:00Z", { lastDay: date("2026-11-19") })).toEqual([]);
  });

  it("owes nothing that fell due before the seller agreed or the route was switched on", () => {
    const since = instant("2026-11-20T12:00Z");

    expect(daysOwed("2026-11-21T11:59Z", { since, lastDay: undefined })).toEqual([]);
    expect(daysOwed("2026-11-21T12:00Z", { since, lastDay: undefined })).toEqual(["2026-11-20"]);
  });

  it("owes the days missed while the bot was down, oldest first", () => {
    expect(daysOwed("2026-11-22T12:00Z")).toEqual(["2026-11-19", "2026-11-20", "2026-11-21"]);
  });

  it("owes nothing that was due more than seven days ago", () => {
    const lastDay = date("2026-11-01");

    expect(daysOwed("2026-11-20T12:00:00Z", { lastDay })[0]).toBe("2026-11-12");
    expect(daysOwed("2026-11-20T12:00:01Z", { lastDay })[0]).toBe("2026-11-13");
  });

  it("calls a report late when its hour is more than an hour ago", () => {
    const [inTime] = dueReportsAt(instant("2026-11-20T13:00:00Z"))([subscription()]);
    const [late] = dueReportsAt(instant("2026-11-20T13:00:01Z"))([subscription()]);

    expect([inTime?.late, late?.late]).toEqual([false, true]);
    expect(late?.dueAt.toString()).toBe("2026-11-20T12:00:00Z");
  });

  it("spreads late days three to the hour", () => {
    const now = instant("2026-11-20T12:30Z");
    const owed = dueReportsAt(now)([subscription({ lastDay: undefined })]);

    expect(owed.map(({ late }) => late)).toEqual([...Array.from({ length: 6 }, () => true), false]);
    const hoursLater = owed.map(({ notBefore }) => now.until(notBefore).total("hours"));
    expect(hoursLater).toEqual([0, 0, 0, 1, 1, 1, 0]);
  });

  it("puts the oldest of all sellers first", () => {
    const owed = dueReportsAt(instant("2026-11-20T12:00Z"))([
      subscription({ accountId: "new", lastDay: date("2026-11-18") }),
      subscription({ accountId: "old", lastDay: date("2026-11-17") }),
    ]);

    expect(owed.map(({ subscription, day }) => [subscription.accountId, day.day])).toEqual([
      ["old", 18],
      ["new", 19],
      ["old", 19],
    ]);
  });

  it("loses no day and owes none twice, in any zone, around any change of offset, asked at any instants", () => {
    const anyTransition = fc.constantFrom(
      ...allTransitions("1970-01-01T00:00Z", "2038-01-01T00:00Z"),
    );
    const anyTime = fc.integer({ min: 0, max: 1439 });
    const waits = fc.array(fc.integer({ min: 1, max: 20 * 60 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(anyTransition, anyTime, waits, ({ timeZone, at }, minute, waitsMinutes) => {
        const since = at.subtract({ hours: 72 });
        const end = at.add({ hours: 96 });
        const time = new Temporal.PlainTime(Math.floor(minute / 60), minute % 60);
        const told: Temporal.PlainDate[] = [];
        let now = since;
        for (let turn = 0; Temporal.Instant.compare(now, end) < 0; turn++) {
          now = now.add({ minutes: waitsMinutes[turn % waitsMinutes.length] ?? 1 });
          const given = subscription({ timeZone, time, since, lastDay: told.at(-1) });
          for (const { day, dueAt } of dueReportsAt(now)([given])) {
            expect(Temporal.Instant.compare(dueAt, now)).toBeLessThanOrEqual(0);
            told.push(day);
          }
        }
        for (const [place, day] of told.entries()) {
          expect(day.toString()).toBe(told[0]?.add({ days: place }).toString());
        }
        expect(told.length).toBeGreaterThanOrEqual(4);
      }),
      { numRuns: 100 },
    );
  });
});
