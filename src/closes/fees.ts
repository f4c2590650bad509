import type { AccountingWithdrawal } from "../accounting-files/accounting.ts";
import { expectedFee, isOtherFee } from "../charges/charge.ts";
import { inBrasilia } from "../shared/local-time.ts";
import { type Cents, cents } from "../shared/money.ts";
import type { SalesDay } from "../reports/sales-days.ts";
import { salesCount } from "../reports/sales.ts";
import { withdrawalFee } from "../withdrawals/withdraw-limits.ts";
import { isSplit, isTurbo } from "../withdrawals/withdraw-op.ts";

/** A fee that came, and the documented one. */
export interface FeePaid {
  readonly day: Temporal.PlainDate;
  readonly came: Cents;
  readonly expected: Cents;
}

/** Fees of a day that differ from the documented ones by more than rounding. */
export interface FeeDifference extends FeePaid {
  /** Whether sales through eSales are among them: whether they pay the same is not documented. */
  readonly hasEsales: boolean;
}

const differs = ({ sales, fees, ...day }: SalesDay): boolean =>
  isOtherFee(sales, fees, salesCount(day));

/** Days on which the fee was another, oldest first, each with the sum of the sellers concerned. */
export const salesFeeDifferences = (days: readonly SalesDay[]): readonly FeeDifference[] =>
  [...Map.groupBy(days.filter(differs), ({ day }) => day.toString()).values()]
    .flatMap((sellers): FeeDifference[] => {
      const [first] = sellers;
      if (first === undefined) return [];
      const sum = (of: (day: SalesDay) => number): number =>
        sellers.reduce((total, each) => total + of(each), 0);
      return [
        {
          day: first.day,
          came: cents(sum(({ fees }) => fees)),
          expected: expectedFee(cents(sum(({ sales }) => sales))),
          hasEsales: sellers.some(({ esales }) => esales.count > 0),
        },
      ];
    })
    // Sellers who paid more and less may have paid the documented sum.
    .filter(({ came, expected }) => came !== expected)
    .sort((one, other) => Temporal.PlainDate.compare(one.day, other.day));

const dayOf = (at: Temporal.Instant): Temporal.PlainDate => inBrasilia(at).toPlainDate();

/** Withdrawals made here, but no splits. Their fees are fixed amounts, so any difference counts. */
export const wrongWithdrawalFees = (
  withdrawals: readonly AccountingWithdrawal[],
): readonly FeePaid[] =>
  withdrawals
    .flatMap(({ at, fee: came, op }) => {
      if (op === undefined || isSplit(op.kind) || came === undefined) return [];
      return [{ day: dayOf(at), came, expected: withdrawalFee(isTurbo(op.kind)) }];
    })
    .filter(({ came, expected }) => came !== expected);

/** A charge of `/cobrar` that was paid, with the fee that the service told. */
export interface PaidCharge {
  readonly at: Temporal.Instant;
  readonly amount: Cents;
  readonly fee: Cents;
}

export const wrongChargeFees = (charges: readonly PaidCharge[]): readonly FeePaid[] =>
  charges
    .filter(({ amount, fee }) => isOtherFee(amount, fee))
    .map(({ at, amount, fee }) => ({ day: dayOf(at), came: fee, expected: expectedFee(amount) }));
