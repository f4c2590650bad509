import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  averageTicket,
  effectiveFee,
  isEmpty,
  type OriginSales,
  salesCount,
  type SalesReport,
} from "#src/reports/sales.ts";
import { cents } from "#src/shared/money.ts";

const amount = fc.integer({ min: 0, max: 1e13 });

const origin = (count: number, sales: number, fees: number): OriginSales => ({
  count,
  sales: cents(sales),
  fees: cents(fees),
  net: cents(sales - fees),
});

const report = (api: OriginSales, esales: OriginSales): SalesReport => ({
  day: Temporal.PlainDate.from("2026-11-20"),
  userId: "1",
  total: {
    sales: cents(api.sales + esales.sales),
    fees: cents(api.fees + esales.fees),
    net: cents(api.net + esales.net),
  },
  byOrigin: { api, esales },
});
const nothing = origin(0, 0, 0);

describe("the average ticket", () => {
  test("is the nearest centavo, halves upwards", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), amount, (count, sales) => {
        const average = averageTicket(report(origin(count, sales, 0), nothing)) ?? Number.NaN;
        const off = BigInt(average) * BigInt(count) - BigInt(sales);
        expect(2n * off <= BigInt(count) && 2n * off > -BigInt(count)).toBe(true);
      }),
    );
  });

  test("is of both origins", () => {
    const both = report(origin(4, 59_800, 3_588), origin(2, 17_900, 1_074));
    expect([salesCount(both.byOrigin), averageTicket(both)]).toEqual([6, 12_950]);
  });

  test("does not exist without sales", () => {
    expect(averageTicket(report(nothing, nothing))).toBeUndefined();
  });
});

describe("the effective fee", () => {
  test.each([
    [10_000, 600, 600],
    [77_700, 4_662, 600],
    [300, 100, 3_333],
    [100, 0, 0],
  ])("of %i with %i in fees is %i hundredths of a per cent", (sales, fees, share) => {
    expect(effectiveFee(report(origin(1, sales, fees), nothing))).toBe(share);
  });

  test("does not exist without sales", () => {
    expect(effectiveFee(report(nothing, nothing))).toBeUndefined();
  });
});

test("a day is empty only when neither sales nor amounts were counted", () => {
  const cases = [
    report(nothing, nothing),
    report(origin(1, 0, 0), nothing),
    report(nothing, origin(0, 1, 0)),
  ];
  expect(cases.map(isEmpty)).toEqual([true, false, false]);
});
