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
  // 6% of 10.05 is 60.3 centavos: the service may round each sale.
  [1_005, 60, 1, false],
  [1_005, 61, 1, true],
  [2_010, 122, 2, true],
  [4_020, 243, 4, false],
  [0, 0, 0, false],
  [0, 1, 0, true],
])(
  "%i centavos with a fee of %i in %i sales: another fee than 6%% is %s",
  (sales, fees, count, is) => {
    expect(salesFeeDifferences([charged(sales, fees, count)])).toHaveLength(is ? 1 : 0);
  },
);

test("whatever way each sale is rounded, no day is told", () => {
  const sale = fc.record({ amount: fc.integer({ min: 1, max: 100_000 }), up: fc.boolean() });
  fc.assert(
    fc.property(fc.array(sale, { minLength: 1, maxLength: 50 }), (sales) => {
      const amount = sales.reduce((sum, each) => sum + each.amount, 0);
      // Half a centavo may go either way; all else goes to the nearest.
      const fees = sales.reduce((sum, each) => {
        const exact = (each.amount * 6) / 100;
        return sum + (exact % 1 === 0.5 && !each.up ? Math.floor(exact) : Math.round(exact));
      }, 0);
      expect(salesFeeDifferences([charged(amount, fees, sales.length)])).toEqual([]);
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
    charged(50_000, 3_120, 1),
    charged(10_000, 620, 1),
    charged(10_000, 600, 1),
  ]);
  expect(told).toEqual([
    { day: DAY, came: 3_740, expected: 3_600, hasEsales: false },
    { day: later, came: 700, expected: 600, hasEsales: true },
  ]);
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

test("a charge's fee may be rounded either way, by half a centavo at most", () => {
  const at = Temporal.Instant.from("2026-11-25T12:00:00Z");
  const told = wrongChargeFees(
    [
      [10_000, 600],
      [10_000, 601],
      // 6% of 0.75 is 4.5 centavos.
      [75, 4],
      [75, 5],
      [75, 6],
    ].map(([amount = 0, fee = 0]) => ({ at, amount: cents(amount), fee: cents(fee) })),
  );
  expect(told.map(({ came, expected }) => `${came} of ${expected}`)).toEqual([
    "601 of 600",
    "6 of 5",
  ]);
});
