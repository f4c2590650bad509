import { type Cents, cents } from "../shared/money.ts";

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

const BASIS_POINTS = 10_000;

/** Sales of both origins. */
export const salesCount = ({ byOrigin }: SalesReport): number =>
  byOrigin.api.count + byOrigin.esales.count;

/** Whether nothing was sold: no sale counted and no amount either. */
export const isEmpty = (report: SalesReport): boolean =>
  salesCount(report) === 0 && report.total.sales === 0;

/** Amount of the average sale, to the nearest centavo; undefined without sales. */
export const averageTicket = (report: SalesReport): Cents | undefined => {
  const count = salesCount(report);
  if (count === 0) return undefined;
  const whole = Math.floor(report.total.sales / count);
  const rest = report.total.sales - whole * count;
  return cents(rest * 2 >= count ? whole + 1 : whole);
};

/** Fees as a share of what was sold, in hundredths of a per cent; undefined without sales. */
export const effectiveFee = ({ total }: SalesReport): number | undefined =>
  total.sales === 0 ? undefined : Math.round((total.fees / total.sales) * BASIS_POINTS);
