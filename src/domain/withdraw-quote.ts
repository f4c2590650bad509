import type { Cents } from "../shared/money.ts";

/** What one withdrawal costs and what arrives. Source: service.md 1. */
export interface WithdrawQuote {
  readonly turbo: boolean;
  readonly gross: Cents;
  readonly fee: Cents;
  readonly net: Cents;
}
