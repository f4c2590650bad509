import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  closeDueAt,
  type CloseFigures,
  closeFigures,
  closeKey,
  closesOwed,
  type CloseRoute,
  isQuiet,
  lackingOf,
  mayWait,
  newestPeriod,
  periodBefore,
  periodOfText,
  type SellerDays,
  textOfPeriod,
} from "#src/closes/close.ts";
import { daysOf } from "#src/reports/sales-period.ts";
import { daysToRead, HISTORY_DAYS, type SalesDay, sumOf } from "#src/reports/sales-days.ts";
import { cents } from "#src/shared/money.ts";
import { settledAt } from "#src/shared/report-day.ts";
import { expectInOrder } from "../shared/zone-transitions.ts";
import { salesDay } from "./close-samples.ts";

const date = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);
const hour = (time: string, timeZone = "America/Sao_Paulo") => ({
  time: Temporal.PlainTime.from(time),
  timeZone,
});
const WEEK = newestPeriod("week", date("2026-11-22"));
describe("periods", () => {
  test.each([
    ["week", "2026-11-22", "week:2026-11-16:2026-11-22"],
    ["week", "2026-11-28", "week:2026-11-16:2026-11-22"],
    ["month", "2026-11-30", "month:2026-11-01:2026-11-30"],
    ["month", "2026-11-29", "month:2026-10-01:2026-10-31"],
    ["month", "2028-02-29", "month:2028-02-01:2028-02-29"],
  ] as const)("the newest %s that is over with %s is %s", (kind, day, text) => {
    expect(textOfPeriod(newestPeriod(kind, date(day)))).toBe(text);
  });

  test("follow each other without a gap or an overlap", () => {
    for (const kind of ["week", "month"] as const) {
      let period = newestPeriod(kind, date("2028-03-05"));
      for (let times = 0; times < 60; times++) {
        const before = periodBefore(period);
        expect(before.to.add({ days: 1 }).equals(period.from)).toBe(true);
        expect(periodOfText(textOfPeriod(before))).toEqual(before);
        period = before;
      }
    }
  });

  test.each([
    "week:2026-11-17:2026-11-23",
    "week:2026-11-09:2026-11-22",
    "month:2026-11-01:2026-11-29",
    "month:2026-11-01:2026-11-31",
    "year:2026-01-01:2026-12-31",
    "week:2026-11-16:2026-11-22:x",
    "",
  ])("are not made of the button %s", (text) => {
    expect(periodOfText(text)).toBeUndefined();
  });
});

describe("a close is due", () => {
  test.each([
    ["on Monday morning", "week", "2026-11-22", hour("08:00"), "2026-11-23T11:00:00Z"],
    ["on Monday evening", "week", "2026-11-22", hour("21:05"), "2026-11-24T00:05:00Z"],
    ["on the 1st", "month", "2026-11-30", hour("08:00"), "2026-12-01T11:00:00Z"],
    [
      "a day later where Sunday closes on Monday after that hour",
      "week",
      "2026-11-22",
      hour("08:00", "Asia/Tokyo"),
      "2026-11-23T23:00:00Z",
    ],
    ["once Sunday has settled", "week", "2026-11-22", hour("00:00", "UTC"), "2026-11-23T00:05:00Z"],
  ] as const)("%s", (_, kind, to, of, due) => {
    expect(closeDueAt(newestPeriod(kind, date(to)), of).toString()).toBe(due);
  });

  test("in order and after its last day around every change of offset of every zone, from 2005 to 2037", () => {
    const years = ["2005-01-01T00:00Z", "2037-01-01T00:00Z"] as const;
    expectInOrder(years, [5 * 60_000, 98 * 3_600_000], (to, hour) => closeDueAt({ to }, hour));
  });
});

describe("closes owed", () => {
  const never = { active: true, since: undefined, lastDay: undefined };
  const route = (given: Partial<CloseRoute> = {}): CloseRoute => ({
    ...hour("08:00"),
    progressId: "g",
    guildId: "g",
    subscriberId: "g",
    target: { kind: "channel", channelId: "c" },
    locale: "pt-BR",
    emptyChoice: "line",
    since: at("2026-11-01T00:00:00Z"),
    progress: { week: never, month: never },
    ...given,
  });
  const owed = (given: CloseRoute, now: string): readonly string[] =>
    closesOwed(given, at(now)).map(({ period }) => textOfPeriod(period));

  test("are the periods due since the route was switched on, oldest first", () => {
    expect(owed(route(), "2026-12-01T10:59:59Z")).toEqual([
      "week:2026-11-09:2026-11-15",
      "week:2026-11-16:2026-11-22",
      "week:2026-11-23:2026-11-29",
    ]);
    expect(owed(route(), "2026-12-01T11:00:00Z")).toContain("month:2026-11-01:2026-11-30");
  });

  test("none of a week that was over when the route was switched on; of that week the whole", () => {
    const monday = route({ since: at("2026-11-23T00:00:00Z") });
    expect(owed(monday, "2026-11-23T12:00:00Z")).toEqual([]);
    const fresh = route({ since: at("2026-11-25T12:00:00Z") });
    expect(owed(fresh, "2026-11-30T10:59:00Z")).toEqual([]);
    expect(owed(fresh, "2026-11-30T11:00:00Z")).toEqual(["week:2026-11-23:2026-11-29"]);
  });

  test("none of a kind that is off, nor of periods that were over when it was switched on again", () => {
    const off = { ...never, active: false };
    const again = { ...never, since: at("2026-11-23T00:00:00Z") };
    const now = "2026-12-01T12:00:00Z";
    expect(owed(route({ progress: { week: off, month: off } }), now)).toEqual([]);
    expect(owed(route({ progress: { week: again, month: off } }), now)).toEqual([
      "week:2026-11-23:2026-11-29",
    ]);
  });

  test("none that was settled, and none older than three weeks", () => {
    const settled = { ...never, lastDay: date("2026-11-22") };
    expect(
      owed(route({ progress: { week: settled, month: settled } }), "2026-11-29T12:00:00Z"),
    ).toEqual([]);
    const old = route({ since: at("2020-01-01T00:00:00Z") });
    expect(owed(old, "2026-12-31T12:00:00Z").length).toBe(3);
  });

  test.each([
    ["21:05", "America/Sao_Paulo"],
    ["23:59", "America/Rio_Branco"],
    ["23:59", "Pacific/Pago_Pago"],
  ])("of a month due at %s in %s, every day is read of who joins just before", (time, zone) => {
    for (let number = 1; number <= 12; number++) {
      const last = Temporal.PlainDate.from({ year: 2026, month: number, day: 31 });
      const month = newestPeriod("month", last);
      const read = daysToRead([], HISTORY_DAYS, closeDueAt(month, hour(time, zone))).map(String);
      expect(read).toEqual(expect.arrayContaining(daysOf(month).map(String)));
    }
  });

  test("a close waits six hours for its days, half an hour for those before, and half an hour after a start", () => {
    const due = at("2026-11-23T11:00:00Z");
    const started = at("2026-11-01T00:00:00Z");
    expect(mayWait("days", due, started, at("2026-11-23T16:59:59Z"))).toBe(true);
    expect(mayWait("days", due, started, at("2026-11-23T17:00:00Z"))).toBe(false);
    expect(mayWait("base", due, started, at("2026-11-23T11:29:00Z"))).toBe(true);
    expect(mayWait("base", due, started, at("2026-11-23T11:30:00Z"))).toBe(false);
    const woken = at("2026-11-24T11:00:00Z");
    expect(mayWait("days", due, woken, at("2026-11-24T11:29:00Z"))).toBe(true);
    expect(mayWait("days", due, woken, at("2026-11-24T11:30:00Z"))).toBe(false);
  });
});

test.each([
  ["a channel", "g", { kind: "channel", channelId: "c" }, "close|g|c|week:2026-11-16:2026-11-22"],
  [
    "a person",
    "watch",
    { kind: "person", userId: "u" },
    "close|watch|u|week:2026-11-16:2026-11-22",
  ],
] as const)("the key of a close to %s never changes", (_, subscriberId, target, key) => {
  expect(closeKey({ subscriberId, target }, WEEK)).toBe(key);
});

describe("the figures of a close", () => {
  const weekOf = (reais: number, period = WEEK): readonly SalesDay[] =>
    daysOf(period).map((day) => salesDay(day, reais));
  const both = (reais: number, before: number): SellerDays => ({
    ownerId: "ana",
    days: [...weekOf(before, periodBefore(WEEK)), ...weekOf(reais)],
  });

  const daysIn = ({ period, known }: CloseFigures): readonly SalesDay[] =>
    daysOf(period).flatMap((day) => known.get(day.toString()) ?? []);

  test("compare with the period before; no sales before are no base", () => {
    const changeOf = (seller: SellerDays) => closeFigures(WEEK, [seller]).change;
    expect(changeOf(both(112, 100))).toEqual({ kind: "change", percent: 12 });
    expect(changeOf(both(0, 100))).toEqual({ kind: "change", percent: -100 });
    expect(changeOf(both(100, 0))).toEqual({ kind: "no_base" });
    expect(changeOf({ ownerId: "ana", days: weekOf(100) })).toEqual({ kind: "unknown" });
  });

  test("name best and worst day, the days that are missing, and compare nothing then", () => {
    const days = daysOf(WEEK).map((day, place) => salesDay(day, 100 + place));
    const whole = closeFigures(WEEK, [{ ownerId: "ana", days }]);
    expect([whole.best?.day.toString(), whole.worst?.day.toString()]).toEqual([
      "2026-11-22",
      "2026-11-16",
    ]);
    const partial = closeFigures(WEEK, [{ ownerId: "ana", days: days.slice(2) }, both(50, 50)]);
    expect(partial.missing).toEqual([
      { ownerId: "ana", isRefused: false, days: [date("2026-11-16"), date("2026-11-17")] },
    ]);
    expect(partial.change).toEqual({ kind: "unknown" });
    expect(daysIn(partial).length).toBe(5);
    expect(lackingOf(WEEK, [{ ownerId: "ana", days: days.slice(2) }])).toBe("days");
    const { best, worst } = closeFigures(WEEK, [{ ownerId: "ana", days: days.slice(6) }]);
    expect([best, worst]).toEqual([undefined, undefined]);
  });

  test("name no best day among days of equal sales", () => {
    const { best, worst } = closeFigures(WEEK, [{ ownerId: "ana", days: weekOf(100) }]);
    expect([best, worst]).toEqual([undefined, undefined]);
  });

  test("compare those who have a part in the sum, and wait for no key refused all along", () => {
    const before = { ownerId: "bruno", isRefused: true, days: weekOf(900, periodBefore(WEEK)) };
    const without = closeFigures(WEEK, [both(112, 100), before]);
    expect(without.change).toEqual({ kind: "change", percent: 12 });
    expect(without.total).toEqual(sumOf(daysIn(without)));
    expect(without.missing).toEqual([{ ownerId: "bruno", isRefused: true, days: daysOf(WEEK) }]);
    expect(lackingOf(WEEK, [both(112, 100), before])).toBe("nothing");
    const partly = { ...before, days: [...before.days, ...weekOf(900).slice(0, 1)] };
    expect(closeFigures(WEEK, [both(112, 100), partly]).change).toEqual({ kind: "unknown" });
    // A key that was accepted in the period may be so again before the close gives up.
    expect(lackingOf(WEEK, [both(112, 100), partly])).toBe("days");
  });

  test("take no day that was read before its end, and a month only read again after its last day", () => {
    const days = weekOf(100);
    const early = { ...days[0]!, readAt: settledAt(days[0]!.day).subtract({ milliseconds: 1 }) };
    const partly = [{ ownerId: "ana", days: [early, ...days.slice(1)] }];
    expect(lackingOf(WEEK, partly)).toBe("days");
    const told = closeFigures(WEEK, [both(100, 100), ...partly]);
    expect(daysIn(told).map(({ day }) => day.toString())).not.toContain("2026-11-16");
    expect(told.missing).toMatchObject([{ ownerId: "ana", days: [date("2026-11-16")] }]);
    expect(told.change).toEqual({ kind: "unknown" });
    expect(lackingOf(WEEK, [{ ownerId: "ana", days }])).toBe("base");
    expect(lackingOf(WEEK, [both(100, 0)])).toBe("nothing");
    const month = newestPeriod("month", date("2026-11-30"));
    const read = daysOf(month).map((day) => salesDay(day, 1));
    expect(lackingOf(month, [{ ownerId: "ana", days: read }])).toBe("days");
    const readAt = settledAt(month.to);
    const again = read.map((day) => ({ ...day, readAt }));
    expect(lackingOf(month, [{ ownerId: "ana", days: again }])).toBe("base");
  });

  test("take no day with a refund since it was read, nor compare with one, and wait for it", () => {
    const refunded = (days: readonly SalesDay[]): SellerDays => {
      const stale = { ...days[0]!, refundedAt: days[0]!.readAt };
      return { ownerId: "ana", days: [stale, ...days.slice(1)] };
    };
    const own = refunded(weekOf(100));
    expect(lackingOf(WEEK, [own])).toBe("days");
    const told = closeFigures(WEEK, [both(100, 100), own]);
    expect(told.missing).toMatchObject([{ ownerId: "ana", days: [date("2026-11-16")] }]);
    expect(daysIn(told).map(({ day }) => day.toString())).not.toContain("2026-11-16");
    expect(told.total).toEqual(sumOf([...weekOf(100), ...own.days.slice(1)]));
    const base = refunded(both(100, 100).days);
    expect(lackingOf(WEEK, [base])).toBe("base");
    expect(closeFigures(WEEK, [base])).toMatchObject({ missing: [], change: { kind: "unknown" } });
  });

  test("are quiet only without a sale and a missing day", () => {
    expect(isQuiet(closeFigures(WEEK, [both(0, 0)]))).toBe(true);
    expect(isQuiet(closeFigures(WEEK, [both(1, 0)]))).toBe(false);
    expect(isQuiet(closeFigures(WEEK, [{ ownerId: "ana", days: [] }]))).toBe(false);
  });

  /** Days of a seller for two months: missing, without sales, or sold; or all known; or sold in the second month alone. */
  const sold = fc.nat(500_000);
  const daysOfSeller = (reading: fc.Arbitrary<number | undefined>) =>
    fc.array(reading, { minLength: 61, maxLength: 61 });
  const seller = fc.oneof(
    daysOfSeller(fc.oneof(fc.constant(undefined), fc.constant(0), sold)),
    daysOfSeller(sold),
    daysOfSeller(sold).map((amounts) => amounts.map((each, place) => (place < 31 ? 0 : each))),
  );
  const periods = fc.constantFrom(
    newestPeriod("week", date("2026-11-29")),
    newestPeriod("month", date("2026-11-30")),
  );

  test("sum to the centavo what is known of the days, compare whole periods alone, and never rise from zero by percents", () => {
    fc.assert(
      fc.property(periods, fc.array(seller, { minLength: 1, maxLength: 4 }), (period, some) => {
        const before = daysOf(periodBefore(period));
        const all = [...before, ...daysOf(period)];
        const sellers = some.map((amounts) => amounts.slice(0, all.length));
        const given = sellers.map((amounts, place): SellerDays => ({
          ownerId: `s${place}`,
          days: amounts.flatMap((amount, index) => {
            const day = all[index];
            return amount === undefined || day === undefined ? [] : [salesDay(day, amount / 100)];
          }),
        }));
        const figures = closeFigures(period, given);
        const within = given.flatMap(({ days }) =>
          days.filter(({ day }) => Temporal.PlainDate.compare(day, period.from) >= 0),
        );
        expect(figures.total).toEqual(sumOf(within));
        const told = sellers.filter((amounts) =>
          amounts.slice(before.length).some((amount) => amount !== undefined),
        );
        const isWhole = told.length > 0 && told.every((amounts) => !amounts.includes(undefined));
        if (isWhole) expect(sumOf(daysIn(figures))).toEqual(figures.total);
        expect(figures.missing.reduce((sum, { days }) => sum + days.length, within.length)).toBe(
          daysOf(period).length * sellers.length,
        );
        const base = told.flatMap((amounts) => amounts.slice(0, before.length));
        const sum = base.reduce<number>((total, each) => total + (each ?? 0), 0);
        expect(figures.change?.kind).toBe(!isWhole ? "unknown" : sum === 0 ? "no_base" : "change");
        if (figures.change?.kind === "change")
          expect(figures.change.percent).toBe(
            Math.round(((figures.total.sales - sum) / sum) * 100),
          );
        for (const { sales } of figures.best === undefined ? [] : daysIn(figures)) {
          expect(sales).toBeLessThanOrEqual(figures.best?.sales ?? cents(-1));
          expect(sales).toBeGreaterThanOrEqual(figures.worst?.sales ?? cents(-1));
        }
      }),
      { numRuns: 300 },
    );
  });
});
