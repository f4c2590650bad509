import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  deliveryInstant,
  dueInstant,
  dueReportsAt,
  hourRemark,
  hoursDue,
  isLate,
  latestClosedDay,
  nextReport,
  type ReportSubscription,
} from "#src/reports/report-schedule.ts";
import { closeOf } from "#src/shared/report-day.ts";
import { HOUR } from "#src/shared/time.ts";
import { deliveryPolicies } from "#src/delivery/delivery-policies.ts";
import { allTransitions } from "../shared/zone-transitions.ts";

const time = (text: string): Temporal.PlainTime => Temporal.PlainTime.from(text);
const date = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const close = (text: string): Temporal.Instant => Temporal.Instant.from(`${text}T00:00Z`);

const at = (text: string, timeZone = "America/Sao_Paulo") => ({ time: time(text), timeZone });

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

  it.each(cases)("finds %s", (_, day, hour, timeZone, expected) => {
    const found = deliveryInstant(date(day), { time: time(hour), timeZone });

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
      { numRuns: 100 },
    );
  });
});

describe("dueInstant", () => {
  it("is the day's first hour of delivery after its close", () => {
    expect(dueInstant(close("2026-11-21"), at("08:30")).toString()).toBe("2026-11-21T11:30:00Z");
  });

  it("leaves five minutes for the day's last sales to be counted", () => {
    expect(dueInstant(close("2026-11-21"), at("21:00")).toString()).toBe("2026-11-21T00:05:00Z");
  });
});

const instant = (text: string): Temporal.Instant => Temporal.Instant.from(text);

/** Due each day at 09:00 in Brasília (12:00 UTC). */
const subscription = (given: Partial<ReportSubscription> = {}): ReportSubscription => ({
  accountId: "a1",
  correctionsTold: undefined,
  guildId: "g1",
  ownerId: "u1",
  subscriberId: "g1",
  target: { kind: "channel", channelId: "c1" },
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
    const hours = ["00:00", "12:00", "12:01"].map((text) => at(text, "UTC"));

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
    const isLateAt = (now: string): readonly (readonly [string, boolean])[] =>
      dueReportsAt(instant(now))([subscription()]).map(({ dueAt }) => [
        dueAt.toString(),
        isLate(dueAt, instant(now)),
      ]);

    expect(isLateAt("2026-11-20T13:00:00Z")).toEqual([["2026-11-20T12:00:00Z", false]]);
    expect(isLateAt("2026-11-20T13:00:01Z")).toEqual([["2026-11-20T12:00:00Z", true]]);
  });

  it("spreads late days three to the hour", () => {
    const now = instant("2026-11-20T12:30Z");
    const owed = dueReportsAt(now)([subscription({ lastDay: undefined })]);

    expect(owed.map(({ dueAt }) => isLate(dueAt, now))).toEqual([
      ...Array.from({ length: 6 }, () => true),
      false,
    ]);
    const hoursLater = owed.map(({ notBefore }) => now.until(notBefore).total("hours"));
    expect(hoursLater).toEqual([0, 0, 0, 1, 1, 1, 0]);
    const longestHours = deliveryPolicies.sales_report.longestWaitMs / HOUR;
    expect(Math.max(...hoursLater)).toBeLessThan(longestHours);
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
    const waits = fc.array(fc.integer({ min: 1, max: 20 * 60 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(anyTransition, anyMinute, waits, ({ timeZone, at }, minute, waitsMinutes) => {
        const since = at.subtract({ hours: 72 });
        const end = at.add({ hours: 96 });
        const time = timeAt(minute);
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

const zones = [
  "America/Sao_Paulo",
  "America/Manaus",
  "UTC",
  "Asia/Tokyo",
  "Pacific/Kiritimati",
  "America/New_York",
];
const instants = fc
  .integer({ min: 0, max: 3 * 366 * 24 * 60 })
  .map((minutes) => Temporal.Instant.from("2025-01-01T00:00:00Z").add({ minutes }));

describe("the next report", () => {
  test("is the first one due after now, in any zone, at any hour, on any day", () => {
    const hours = fc.record({
      time: anyMinute.map(timeAt),
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
      { numRuns: 100 },
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
    expect(remarkOn(hour)).toEqual({ kind: "before_close", close: time(close) });
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
