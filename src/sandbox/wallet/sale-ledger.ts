import { seededSales } from "./seeded-sales.ts";

export type SaleOrigin = "api" | "esales";

/** One payment that somebody made to a merchant, in the sandbox. */
export interface Sale {
  readonly txid: string;
  readonly origin: SaleOrigin;
  readonly amountCents: number;
  readonly product: string;
  readonly at: Temporal.Instant;
  /** Only approved ones are counted by the report. */
  readonly status: "pending" | "approved" | "refunded";
}

export interface SaleLedger {
  /** Sales of one UTC day that have happened by `now`, oldest first. */
  readonly ofDay: (day: Temporal.PlainDate, now: Temporal.Instant) => readonly Sale[];
  readonly find: (txid: string, now: Temporal.Instant) => Sale | undefined;
  readonly add: (sale: Sale) => void;
  /** Those added while the sandbox runs that have happened by `now`. */
  readonly added: (now: Temporal.Instant) => readonly Sale[];
}

const utcDay = (instant: Temporal.Instant): Temporal.PlainDate =>
  instant.toZonedDateTimeISO("UTC").toPlainDate();

const isAfter = (left: Temporal.PlainDate, right: Temporal.PlainDate): boolean =>
  Temporal.PlainDate.compare(left, right) > 0;

const byInstant = (left: Sale, right: Sale): number => Temporal.Instant.compare(left.at, right.at);

export interface SeededSpan {
  readonly since: Temporal.PlainDate;
  /** 1 Monday to 7 Sunday. */
  readonly quietWeekday: number;
}

/** Sales of one merchant: believable ones made from the date alone, if any, and those added while the sandbox runs. */
export const createSaleLedger = (merchantId: string, span: SeededSpan | undefined): SaleLedger => {
  const seeded = new Map<string, readonly Sale[]>();
  const added: Sale[] = [];

  const seededOn = (day: Temporal.PlainDate): readonly Sale[] => {
    if (span === undefined || isAfter(span.since, day)) return [];
    const known = seeded.get(day.toString());
    if (known !== undefined) return known;
    const sales = seededSales(merchantId, day, span.quietWeekday);
    seeded.set(day.toString(), sales);
    return sales;
  };
  const findSeeded = (txid: string, last: Temporal.PlainDate): Sale | undefined => {
    if (span === undefined) return undefined;
    for (let day = span.since; !isAfter(day, last); day = day.add({ days: 1 })) {
      const sale = seededOn(day).find((candidate) => candidate.txid === txid);
      if (sale !== undefined) return sale;
    }
    return undefined;
  };
  const happened = (sale: Sale, now: Temporal.Instant) =>
    Temporal.Instant.compare(sale.at, now) <= 0;

  return {
    ofDay: (day, now) =>
      [...seededOn(day), ...added.filter((sale) => utcDay(sale.at).equals(day))]
        .filter((sale) => happened(sale, now))
        .toSorted(byInstant),
    find: (txid, now) => {
      const live = added.find((sale) => sale.txid === txid);
      const sale = live ?? findSeeded(txid, utcDay(now));
      return sale !== undefined && happened(sale, now) ? sale : undefined;
    },
    add: (sale) => {
      added.push(sale);
    },
    added: (now) => added.filter((sale) => happened(sale, now)),
  };
};
