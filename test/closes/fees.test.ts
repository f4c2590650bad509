import fc from "fast-check";
import { expect, test } from "vitest";
import { salesFeeDifferences, wrongChargeFees, wrongWithdrawalFees } from "#src/closes/fees.ts";
import type { WithdrawKind } from "#src/withdrawals/withdraw-op.ts";
import { cents } from "#src/shared/money.ts";
import { paidElsewhere, paidHere } from "../accounting-files/accounting-samples.ts";
import { salesDay } from "./close-samples.ts";

const DAY = Temporal.PlainDate.from("2026-11-25");
const charged = (sales: number, fees: number, count: number) =>
  salesDay(DAY, sales / 100, { fees: cents(fees), api: { count, sales: cents(sales) } });

test.each([
  [50_000, 3_000, 1, false],
  [50_000, 3_120, 1, true],
  [50_000, 2_880, 1, true],
  // 6% of 10.05 is 60.3 centavos: the service may round each sale either way.
  [1_005, 60, 1, false],
  [1_005, 61, 1, false],
  [1_005, 59, 1, true],
  [1_005, 62, 1, true],
  [2_010, 122, 2, false],
  [2_010, 123, 2, true],
  [4_020, 244, 4, false],
  [10_000, 600, 1, false],
  [10_000, 599, 1, true],
  [10_000, 601, 1, true],
  [10_000, 601, 0, true],
  [9, 1, 1, false],
  [20_000, 1_201, 2, false],
  [20_000, 1_202, 2, true],
  [0, 0, 0, false],
  [0, 1, 0, true],
])(
  "%i centavos with a fee of %i in %i sales: another fee than 6%% is %s",
  (sales, fees, count, is) => {
    expect(salesFeeDifferences([charged(sales, fees, count)])).toHaveLength(is ? 1 : 0);
  },
);

test.each([
  ["truncated", Math.trunc],
  ["rounded up", Math.ceil],
  ["rounded to the nearest", Math.round],
  ["rounded to the nearest, half a centavo down", (exact: number) => Math.ceil(exact - 0.5)],
])("no day and no charge is told when each sale's fee is %s", (_, rounded) => {
  const at = Temporal.Instant.from("2026-11-25T12:00:00Z");
  const amounts = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(amounts, (sales) => {
      const fees = sales.map((amount) => rounded((amount * 6) / 100));
      const sum = (each: readonly number[]) => each.reduce((total, one) => total + one);
      expect(salesFeeDifferences([charged(sum(sales), sum(fees), sales.length)])).toEqual([]);
      const charges = sales.map((amount, index) => ({
        at,
        amount: cents(amount),
        fee: cents(fees[index] ?? 0),
      }));
      expect(wrongChargeFees(charges)).toEqual([]);
    }),
  );
});

test("the sellers of a day are told as one sum, days in order, and eSales are noted", () => {
  const later = DAY.add({ days: 1 });
  const esales = salesDay(later, 100, {
    fees: cents(700),
    esales: { count: 1, sales: cents(10_000) },
  });
  const told = salesFeeDifferences([
    esales,
    salesDay(later, 100, { fees: cents(650), esales: { count: 0, sales: cents(0) } }),
    charged(50_000, 3_120, 1),
    charged(10_000, 620, 1),
    charged(10_000, 600, 1),
  ]);
  expect(told).toEqual([
    { day: DAY, came: 3_740, expected: 3_600, hasEsales: false },
    { day: later, came: 1_350, expected: 1_200, hasEsales: true },
  ]);
});

test("a day is not told whose sellers paid together what is documented", () => {
  const told = salesFeeDifferences([charged(50_000, 3_500, 1), charged(50_000, 2_500, 1)]);
  expect(told).toEqual([]);
});

test("a withdrawal's fee has no rounding", () => {
  const at = "2026-11-25T12:00:00Z";
  const paid = (fee: number | undefined, kind: WithdrawKind) =>
    paidHere(at, [5_000, fee], { kind });
  const told = wrongWithdrawalFees([
    paid(350, "turbo"),
    paid(351, "turbo"),
    paid(80, "normal"),
    paid(undefined, "normal"),
    paid(400, "split_turbo"),
    paidElsewhere(at, [5_000, 400]),
  ]);
  expect(told.map(({ came, expected }) => `${came} of ${expected}`)).toEqual([
    "351 of 350",
    "80 of 50",
  ]);
});

test("a charge's fee may be rounded either way, by less than a centavo", () => {
  const at = Temporal.Instant.from("2026-11-25T12:00:00Z");
  const told = wrongChargeFees(
    [
      [10_000, 600],
      [10_000, 601],
      // 6% of 0.75 is 4.5 centavos.
      [75, 3],
      [75, 4],
      [75, 5],
      [75, 6],
    ].map(([amount = 0, fee = 0]) => ({ at, amount: cents(amount), fee: cents(fee) })),
  );
  expect(told.map(({ came, expected }) => `${came} of ${expected}`)).toEqual([
    "601 of 600",
    "3 of 5",
    "6 of 5",
  ]);
});
