import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cents } from "#src/shared/money.ts";
import { type SalesDay, sumOf } from "#src/reports/sales-days.ts";
import { openReportDay, settledAt } from "#src/shared/report-day.ts";
import { bestDay, salesChangeOf, neighbour, periodDays } from "#src/reports/sales-period.ts";
import { parsePeriod } from "#src/reports/typed-period.ts";

const NOW = Temporal.Instant.from("2026-11-20T18:00:00Z");
const EVENING = Temporal.Instant.from("2026-11-21T01:00:00Z");
const TENTH_EVENING = Temporal.Instant.from("2026-11-11T01:00:00Z");
const LAST_DAY = Temporal.Instant.from("2026-11-30T15:00:00Z");
const dayOf = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

const figures = (day: Temporal.PlainDate, sales: number, readAt = settledAt(day)): SalesDay => ({
  day,
  sales: cents(sales),
  fees: cents(0),
  net: cents(sales),
  api: { count: sales === 0 ? 0 : 1, sales: cents(sales) },
  esales: { count: 0, sales: cents(0) },
  readAt,
});
const knownOf = (days: readonly SalesDay[]) =>
  new Map(days.map((each) => [each.day.toString(), each]));
/** First and last day, and how many. */
const ends = (days: readonly Temporal.PlainDate[]) => {
  const [first = "", ...more] = days.map(String);
  return more.length === 0 ? first : `${first}/${more.at(-1)} ${days.length}`;
};

describe("the days of a period", () => {
  test.each([
    ["7 dias", NOW, "2026-11-14/2026-11-20 7", "2026-11-07/2026-11-12 6", "", undefined],
    ["ontem", NOW, "2026-11-19", "2026-11-18", "2026-11-12", undefined],
    ["hoje", NOW, "2026-11-20", "", "", undefined],
    ["hoje", EVENING, "2026-11-20", "2026-11-19", "2026-11-13", "2026-11-21"],
    [
      "16/11 a 18/11",
      NOW,
      "2026-11-16/2026-11-18 3",
      "2026-11-13/2026-11-15 3",
      "2026-11-09/2026-11-11 3",
      undefined,
    ],
    ["16/11 a 20/11", NOW, "2026-11-16/2026-11-20 5", "2026-11-09/2026-11-12 4", "", undefined],
    ["30 dias", EVENING, "2026-10-22/2026-11-20 30", "2026-09-22/2026-10-21 30", "", "2026-11-21"],
    ["este mês", NOW, "2026-11-01/2026-11-20 20", "2026-10-01/2026-10-19 19", "", undefined],
    ["mês passado", NOW, "2026-10-01/2026-10-31 31", "2026-09-01/2026-09-30 30", "", undefined],
    ["03/2026", NOW, "2026-03-01/2026-03-31 31", "2026-02-01/2026-02-28 28", "", undefined],
    ["02/2026", NOW, "2026-02-01/2026-02-28 28", "2026-01-01/2026-01-31 31", "", undefined],
    ["este mês", LAST_DAY, "2026-11-01/2026-11-30 30", "2026-10-01/2026-10-29 29", "", undefined],
    [
      "este mês",
      TENTH_EVENING,
      "2026-11-01/2026-11-10 10",
      "2026-10-01/2026-10-10 10",
      "",
      "2026-11-11",
    ],
    ["7 dias", EVENING, "2026-11-14/2026-11-20 7", "2026-11-07/2026-11-13 7", "", "2026-11-21"],
  ] as const)("%s at %s", (typed, now, shown, before, weekdays, since) => {
    const days = periodDays(parsePeriod(typed, now), now);
    expect([ends(days.shown), ends(days.before), ends(days.weekdays)]).toEqual([
      shown,
      before,
      weekdays,
    ]);
    expect(days.since?.toString()).toBe(since);
  });

  const instant = fc
    .integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) })
    .map((ms) => Temporal.Instant.fromEpochMilliseconds(ms));

  test("never compare an open day, nor a day with itself, at any time", () => {
    const words = fc.constantFrom(
      "hoje",
      "ontem",
      "7 dias",
      "3 dias",
      "30 dias",
      "mes",
      "mês passado",
    );
    fc.assert(
      fc.property(words, instant, (typed, now) => {
        const { shown, closed, before, weekdays } = periodDays(parsePeriod(typed, now), now);
        const open = openReportDay(now);
        const first = shown[0]!;
        expect(closed.every((day) => Temporal.PlainDate.compare(day, open) < 0)).toBe(true);
        for (const base of [before, weekdays]) {
          expect(base.every((day) => Temporal.PlainDate.compare(day, first) < 0)).toBe(true);
          expect(new Set(base.map(String)).size).toBe(base.length);
        }
        expect(weekdays.every((day, place) => day.dayOfWeek === closed[place]!.dayOfWeek)).toBe(
          true,
        );
      }),
    );
  });

  test("are followed and preceded by periods of the same form, up to today", () => {
    const week = parsePeriod("7 dias", NOW);
    expect(neighbour(week, 1, NOW)).toBeUndefined();
    const before = neighbour(week, -1, NOW)!;
    expect([before.from.toString(), before.to.toString()]).toEqual(["2026-11-07", "2026-11-13"]);
    expect(neighbour(before, 1, NOW)).toEqual(week);
    const month = parsePeriod("mes", NOW);
    expect(neighbour(month, 1, NOW)).toBeUndefined();
    expect(neighbour(neighbour(month, -1, NOW)!, 1, NOW)).toEqual(month);
    expect(neighbour(parsePeriod("hoje", EVENING), 1, EVENING)?.to.toString()).toBe("2026-11-21");
  });
});

describe("the change between two sets of days", () => {
  const [first, second] = [dayOf("2026-11-18"), dayOf("2026-11-19")];
  const change = (before: SalesDay | undefined, now: SalesDay | undefined) =>
    salesChangeOf([second], [first], knownOf([before, now].filter((each) => each !== undefined)));

  test.each([
    [1_000, 1_120, 12],
    [1_000, 970, -3],
    [1_000, 1_000, 0],
    [1_000, 0, -100],
    [100_00, 51, -99],
    [100_00, 50, -99.5],
    [22_115_00, 88_46, -99.5],
    [100_000_00, 1, -99.5],
    [3, 4, 33],
    [20_000, 25_700, 29],
    [20_000, 14_300, -29],
    [1, 9_000_000_000_000, 899_999_999_999_900],
  ])("from %i to %i centavos is %i per cent", (before, now, percent) => {
    expect(change(figures(first, before), figures(second, now))).toEqual({
      kind: "change",
      percent,
    });
  });

  test("from nothing is none, never a hundred per cent", () => {
    fc.assert(
      fc.property(fc.nat(), (sales) => {
        expect(change(figures(first, 0), figures(second, sales))).toEqual({ kind: "no_base" });
      }),
    );
  });

  test("is unknown while a day of either side is missing or was read before it was counted", () => {
    const open = figures(second, 5, NOW.subtract({ hours: 30 }));
    const counting = (day: Temporal.PlainDate) =>
      figures(day, 5, settledAt(day).subtract({ seconds: 1 }));
    for (const [before, now] of [
      [undefined, figures(second, 5)],
      [figures(first, 5), undefined],
      [figures(first, 5), open],
      [figures(first, 5), counting(second)],
      [counting(first), figures(second, 5)],
    ])
      expect(change(before, now)).toEqual({ kind: "unknown" });
  });

  test("of no days is no change", () => {
    expect(salesChangeOf([], [], new Map())).toBeUndefined();
  });

  test("follows a correction: the lower figure is the one that counts", () => {
    const corrected = figures(first, 500);
    expect(change(corrected, figures(second, 1_000))).toEqual({ kind: "change", percent: 100 });
  });

  test("over many days is that of their sums, whatever the days", () => {
    const amounts = fc.array(fc.nat(1e9), { minLength: 1, maxLength: 31 });
    fc.assert(
      fc.property(amounts, amounts, (before, now) => {
        const start = dayOf("2026-01-01");
        const base = before.map((sales, place) => figures(start.add({ days: place }), sales));
        const shown = now.map((sales, place) => figures(start.add({ days: 40 + place }), sales));
        const found = salesChangeOf(
          shown.map(({ day }) => day),
          base.map(({ day }) => day),
          knownOf([...base, ...shown]),
        );
        const [then, here] = [sumOf(base).sales, sumOf(shown).sales];
        if (then === 0) {
          expect(found).toEqual({ kind: "no_base" });
          return;
        }
        expect(found?.kind).toBe("change");
        const percent = found?.kind === "change" ? found.percent : 0;
        expect(Math.abs(then + (then * percent) / 100 - here)).toBeLessThanOrEqual(then / 199);
      }),
    );
  });
});

test("the best day is the first of the largest, and there is none without sales", () => {
  const period = parsePeriod("17/11 a 19/11", NOW);
  const days = periodDays(period, NOW);
  const best = (amounts: readonly number[]) =>
    bestDay({
      period,
      days,
      known: knownOf(amounts.map((sales, place) => figures(days.shown[place]!, sales))),
      missing: 0,
      readAt: NOW,
      isKept: false,
    })?.day.toString();
  expect(best([1, 5, 5])).toBe("2026-11-18");
  expect(best([0, 0, 0])).toBeUndefined();
  expect(best([7])).toBeUndefined();
  expect(best([5, 5, 5])).toBeUndefined();
});
