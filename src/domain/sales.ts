import type { Cents } from "../shared/money.ts";

export interface SalesTotals {
  readonly sales: Cents;
  readonly fees: Cents;
  readonly net: Cents;
}

export interface OriginSales extends SalesTotals {
  readonly count: number;
}

/** Approved sales of one UTC day, over both origins. Source: service.md 2.7. */
export interface SalesReport {
  readonly day: Temporal.PlainDate;
  /** User id of the key's owner, as the service knows it: digits, beyond what a number can hold. */
  readonly userId: string;
  readonly total: SalesTotals;
  readonly byOrigin: { readonly api: OriginSales; readonly esales: OriginSales };
}
