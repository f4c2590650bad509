import { type Answer, failure, ok, reais, sum, type ResourceRequest } from "./resource.ts";
import { paymentFeeCents, type Sale, type SaleOrigin } from "./sale-ledger.ts";

const DATE = /^(\d{2})\/(\d{2})\/(\d{4})$/;

/** `GET /v1/sales/report`. Source: service.md 2.7 and 4.6. */
export const salesReport = ({ merchant, query, now }: ResourceRequest): Answer => {
  const date = query.get("date");
  if (date === null || date === "")
    return failure(400, "O parâmetro date é obrigatório, no formato DD/MM/YYYY.");
  const day = parseDate(date);
  if (day === undefined) return failure(400, "Formato de data inválido. Use DD/MM/YYYY.");
  const sales = merchant.sales.ofDay(day, now).filter((sale) => sale.status === "approved");
  const { count: _count, ...summary } = totals(sales);
  return ok({
    date,
    userId: merchant.userId,
    summary,
    breakdown: { api: totals(ofOrigin(sales, "api")), esales: totals(ofOrigin(sales, "esales")) },
  });
};

const parseDate = (text: string): Temporal.PlainDate | undefined => {
  const [, day, month, year] = DATE.exec(text) ?? [];
  try {
    return Temporal.PlainDate.from(`${year}-${month}-${day}`);
  } catch {
    // Not in the format, or no day of the calendar: one refusal for both.
    return undefined;
  }
};

const ofOrigin = (sales: readonly Sale[], origin: SaleOrigin): readonly Sale[] =>
  sales.filter((sale) => sale.origin === origin);

const totals = (sales: readonly Sale[]) => {
  const salesCents = sum(sales.map((sale) => sale.amountCents));
  const feeCents = sum(sales.map((sale) => paymentFeeCents(sale.amountCents)));
  return {
    count: sales.length,
    totalSales: reais(salesCents),
    totalFees: reais(feeCents),
    totalNet: reais(salesCents - feeCents),
  };
};
