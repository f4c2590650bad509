import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { averageOf, feeShare, salesCount } from "#src/reports/sales.ts";
import { cents } from "#src/shared/money.ts";

const amount = fc.integer({ min: 0, max: 1e13 });

describe("the average ticket", () => {
  test("is the nearest centavo, halves upwards", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), amount, (count, sales) => {
        const average = averageOf(cents(sales), count) ?? Number.NaN;
        const off = BigInt(average) * BigInt(count) - BigInt(sales);
        expect(2n * off <= BigInt(count) && 2n * off > -BigInt(count)).toBe(true);
      }),
    );
  });

  test("is of both origins", () => {
    const count = salesCount({ api: { count: 4 }, esales: { count: 2 } });
    expect([count, averageOf(cents(77_700), count)]).toEqual([6, 12_950]);
  });

  test("does not exist without sales", () => {
    expect(averageOf(cents(0), 0)).toBeUndefined();
  });
});

describe("the effective fee", () => {
  test.each([
    [10_000, 600, 600],
    [77_700, 4_662, 600],
    [300, 100, 3_333],
    [100, 0, 0],
    [20_000, 1_289, 645],
  ])("of %i with %i in fees is %i hundredths of a per cent", (sales, fees, share) => {
    expect(feeShare({ sales: cents(sales), fees: cents(fees) })).toBe(share);
  });

  test("does not exist without sales", () => {
    expect(feeShare({ sales: cents(0), fees: cents(0) })).toBeUndefined();
  });
});
