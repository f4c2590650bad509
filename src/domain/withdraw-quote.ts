import { cents, type Cents } from "../shared/money.ts";

/** Least gross amount of a withdrawal; it may be withdrawn itself. Source: service.md 1. */
export const MINIMUM_WITHDRAWAL = cents(1_000);

const NORMAL_FEE = 50;
const TURBO_FEE = 350;

/** What one withdrawal costs and what arrives. Source: service.md 1. */
export interface WithdrawQuote {
  readonly turbo: boolean;
  readonly gross: Cents;
  readonly fee: Cents;
  readonly net: Cents;
}

/** The fee comes out of the gross amount. */
export const quoteOf = (gross: Cents, turbo: boolean): WithdrawQuote => {
  const fee = cents(turbo ? TURBO_FEE : NORMAL_FEE);
  return { turbo, gross, fee, net: cents(gross - fee) };
};
