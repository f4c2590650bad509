import { type Cents, cents } from "../shared/money.ts";

export interface SalesTotals {
  readonly sales: Cents;
  readonly fees: Cents;
  readonly net: Cents;
}

export interface OriginSales extends SalesTotals {
  readonly count: number;
}

/** Approved sales of one UTC day, both origins. Source: service.md 2.7. */
export interface SalesReport {
  readonly day: Temporal.PlainDate;
  /** The service's user id of the key's owner: digits that may exceed 2^53. */
  readonly userId: string;
  readonly total: SalesTotals;
  readonly byOrigin: { readonly api: OriginSales; readonly esales: OriginSales };
  /** The service's clock minus ours at the answer, in milliseconds, where it was measured. */
  readonly skewMs?: number | undefined;
}

const BASIS_POINTS = 10_000;

type Counts = Readonly<Record<"api" | "esales", Pick<OriginSales, "count">>>;

/** Number of sales, both origins. */
export const salesCount = ({ api, esales }: Counts): number => api.count + esales.count;

export const isEmpty = (figures: Counts & Pick<SalesTotals, "sales">): boolean =>
  salesCount(figures) === 0 && figures.sales === 0;

/** Average sale, to the nearest centavo; undefined without sales. */
export const averageOf = (sales: Cents, count: number): Cents | undefined => {
  if (count === 0) return undefined;
  const whole = Math.floor(sales / count);
  const rest = sales - whole * count;
  return cents(rest * 2 >= count ? whole + 1 : whole);
};

/**
 * A part of a whole in so many parts, halves away from zero, as spreadsheets round. Exact: divided first, 57 of 200 would
 * be 28%.
 */
export const shareOf = (part: number, whole: number, parts: number): number =>
  Math.sign(part / whole) * Math.round(Math.abs((part * parts) / whole));

/** Fees as a share of sales, in hundredths of a per cent; undefined without sales. */
export const feeShare = ({
  sales,
  fees,
}: Pick<SalesTotals, "sales" | "fees">): number | undefined =>
  sales === 0 ? undefined : shareOf(fees, sales, BASIS_POINTS);
