import { settledAt } from "#src/shared/report-day.ts";
import { type Cents, cents } from "#src/shared/money.ts";
import type { SalesDay } from "#src/reports/sales-days.ts";
import type { SalesPeriod } from "#src/reports/sales-period.ts";
import type { AccountingFacts, AccountingWithdrawal } from "#src/accounting-files/accounting.ts";
import { sampleOp, sampleWithdrawal } from "../withdrawals/withdraw-samples.ts";

const READ_AT = Temporal.Instant.from("2026-11-23T12:00:00Z");

export interface DayFigures {
  readonly sales: number;
  readonly fees: number;
  readonly net: number;
  readonly api: number;
  readonly esales: number;
}

/** Facts of days from the first on; undefined is a day that was not read. */
export const factsOf = (
  first: string,
  figures: readonly (DayFigures | undefined)[],
  changes: Partial<Omit<AccountingFacts, "reading">> & { readonly readAt?: Temporal.Instant } = {},
): AccountingFacts => {
  const { readAt = READ_AT, ...rest } = changes;
  const from = Temporal.PlainDate.from(first);
  const shown = figures.map((_, place) => from.add({ days: place }));
  const to = shown.at(-1) ?? from;
  const known = shown.flatMap((day, place): readonly (readonly [string, SalesDay])[] => {
    const given = figures[place];
    if (given === undefined) return [];
    const { sales, fees, net, api, esales } = given;
    const settled = settledAt(day);
    return [
      [
        day.toString(),
        {
          day,
          sales: cents(sales),
          fees: cents(fees),
          net: cents(net),
          api: { count: api, sales: cents(sales) },
          esales: { count: esales, sales: cents(0) },
          readAt: Temporal.Instant.compare(settled, readAt) < 0 ? settled : readAt,
        },
      ],
    ];
  });
  const isMonth = from.day === 1 && to.day === to.daysInMonth && from.month === to.month;
  const period: SalesPeriod = { kind: isMonth ? "month" : "days", from, to };
  return {
    reading: {
      period,
      days: { shown, closed: shown, before: [], weekdays: [], since: undefined },
      known: new Map(known),
      readAt,
    },
    keyLast4: "7b7c",
    withdrawals: [],
    underWay: 0,
    elsewhere: { kind: "read", since: undefined, unclear: 0, left: 0 },
    ...rest,
  };
};

export const day = (sales: number, fees: number, net = sales - fees): DayFigures => ({
  sales,
  fees,
  net,
  api: 2,
  esales: 1,
});

const optional = (amount: number | undefined): Cents | undefined =>
  amount === undefined ? undefined : cents(amount);

/** A withdrawal made here, to the key behind the mask. */
export const paidHere = (
  at: string,
  [amount, fee, net]: readonly (number | undefined)[],
  changes: Partial<Parameters<typeof sampleOp>[0]> = {},
): AccountingWithdrawal => {
  const op = sampleOp({ state: "completed", txid: "TX-1", ...changes });
  return {
    at: Temporal.Instant.from(at),
    amount: optional(amount),
    fee: optional(fee),
    net: optional(net),
    op,
    code: op.id,
    detail: undefined,
    txid: op.txid,
  };
};

export const paidElsewhere = (
  at: string,
  amounts: readonly (number | undefined)[],
  changes: Partial<Parameters<typeof sampleWithdrawal>[0]> = {},
): AccountingWithdrawal => ({
  ...paidHere(at, amounts),
  op: undefined,
  code: undefined,
  txid: "TX-2",
  detail: sampleWithdrawal({ txid: "TX-2", status: "completed", ...changes }),
});
