import type { SalesFigures } from "#src/reports/sales-days.ts";
import type { DailyReport, SellerFigures } from "#src/reports/daily-report.ts";
import { cents } from "#src/shared/money.ts";

/** Figures of `count` sales through the API, with a fee of six per cent. */
export const figuresOf = (sales: number, count = 1): SalesFigures => {
  const fees = Math.round((sales * 6) / 100);
  return {
    sales: cents(sales),
    fees: cents(fees),
    net: cents(sales - fees),
    api: { count, sales: cents(sales) },
    esales: { count: 0, sales: cents(0) },
  };
};

/** A seller whose last days are given, oldest first, in centavos; days before them are not known. */
export const sellerOf = (
  place: number,
  days: readonly (number | null)[],
  given: Partial<SellerFigures> = {},
): SellerFigures => ({
  accountId: `account-${place}`,
  ownerId: `11800000000000000${10 + place}`,
  wallet: place,
  figures: figuresOf(days.at(-1) ?? 0, days.at(-1) === 0 ? 0 : 3),
  days: [...Array.from({ length: 14 - days.length }, () => null), ...days].map((each) =>
    each === null ? null : cents(each),
  ),
  corrections: [],
  ...given,
});

/** When it is posted. */
export const POSTED_AT = Temporal.Instant.from("2026-11-21T00:05:10Z");

/** The report of Friday 20 November 2026. */
export const storeOf = (
  sellers: readonly SellerFigures[],
  given: Partial<DailyReport> = {},
): DailyReport => ({
  day: "2026-11-20",
  readAt: "2026-11-21T00:05:00Z",
  dueAt: "2026-11-21T00:05:00Z",
  locale: "pt-BR",
  emptyChoice: "line",
  guildName: "Loja Aurora",
  sellers,
  missing: [],
  ...given,
});
