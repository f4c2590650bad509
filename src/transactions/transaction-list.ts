import type { SalesPeriod } from "../reports/sales-period.ts";
import type { WalletErrorKind } from "../shared/errors.ts";
import { inBrasilia } from "../shared/local-time.ts";
import { type Locale, withoutAccents } from "../shared/locale.ts";
import { formatReaisIn } from "../shared/money.ts";
import { sortedNewestFirst } from "../shared/time.ts";
import type { ListedTransaction, Transaction } from "./transaction.ts";

export const transactionFilters = [
  "all",
  "approved",
  "pending",
  "refunded",
  "withdrawals",
  "other",
] as const;

export type TransactionFilter = (typeof transactionFilters)[number];

/** A page of the filtered list; the first page is 0. */
export interface WantedTransactions {
  readonly filter: TransactionFilter;
  /** Days of Brasília; undefined for every day. */
  readonly period: SalesPeriod | undefined;
  readonly page: number;
}

/** Contents of `/transacoes` for one account. */
export interface TransactionList extends WantedTransactions {
  /** The rows of this page, newest first. */
  readonly rows: readonly ListedTransaction[];
  /** Pages known so far, at least 1. */
  readonly pages: number;
  /** Rows under filter and period, all known pages together. */
  readonly found: number;
  /** Whether the service may have further rows, of the period, that were not read. */
  readonly more: boolean;
  /** The page to ask for again, so that further rows are read for it; undefined when they cannot be. */
  readonly furtherPage: number | undefined;
  /** Rows without a txid, which cannot be shown. */
  readonly unnamed: number;
  /** Rows without a time, left out of a period. */
  readonly undated: number;
  /** Why the list, or a further page of it, could not be read. */
  readonly problem: WalletErrorKind | undefined;
  readonly supportCodes: readonly string[];
  readonly readAt: Temporal.Instant;
}

/** One transaction in full, just read. */
export interface TransactionDetail {
  readonly transaction: Transaction;
  /** The known dispute about it, in the form that buttons carry. */
  readonly dispute: { readonly watchId: string; readonly infractionId: string } | undefined;
  readonly readAt: Temporal.Instant;
}

const KNOWN: ReadonlySet<string> = new Set(["approved", "pending", "refunded"]);

/** Whether a row is a sale: a row without a type may be one. */
export const isSale = ({ type }: Pick<ListedTransaction, "type">): boolean => type !== "withdrawal";

const passes = ({ type, status }: ListedTransaction, filter: TransactionFilter): boolean => {
  if (filter === "all") return true;
  if (filter === "withdrawals") return type === "withdrawal";
  if (!isSale({ type })) return false;
  return filter === "other" ? status === undefined || !KNOWN.has(status) : status === filter;
};

const isWithin = (at: Temporal.Instant, { from, to }: SalesPeriod): boolean => {
  const day = inBrasilia(at).toPlainDate();
  return Temporal.PlainDate.compare(day, from) >= 0 && Temporal.PlainDate.compare(day, to) <= 0;
};

export const newestFirst = (rows: readonly ListedTransaction[]): readonly ListedTransaction[] =>
  sortedNewestFirst(rows, ({ createdAt }) => createdAt);

/** Whether every row is told to be older than the one before it, so that further pages hold older rows only. */
export const isWhollyNewestFirst = (rows: readonly ListedTransaction[]): boolean =>
  rows.every(({ createdAt }, index) => {
    const before = rows[index - 1]?.createdAt;
    if (createdAt === undefined) return false;
    return before === undefined || Temporal.Instant.compare(before, createdAt) >= 0;
  });

/** The rows under a filter and a period. */
export const selected = (
  rows: readonly ListedTransaction[],
  { filter, period }: Pick<WantedTransactions, "filter" | "period">,
): { readonly rows: readonly ListedTransaction[]; readonly undated: number } => {
  const passed = rows.filter((row) => passes(row, filter));
  if (period === undefined) return { rows: passed, undated: 0 };
  const dated = passed.filter(({ createdAt }) => createdAt !== undefined);
  return {
    rows: dated.filter(({ createdAt }) => createdAt !== undefined && isWithin(createdAt, period)),
    undated: passed.length - dated.length,
  };
};

const changedMs = ({ updatedAt, createdAt }: ListedTransaction): number =>
  (updatedAt ?? createdAt)?.epochMilliseconds ?? -Infinity;

/** The order in which a transaction goes through the documented words, those of withdrawals among them. */
const COURSE = [
  "pending",
  "expired",
  "scheduled",
  "processing",
  "approved",
  "completed",
  "failed",
  "cancelled",
  "refunded",
];

const placeOf = ({ status }: ListedTransaction): number => COURSE.indexOf(status ?? "");

/**
 * A sale may stand in a row for each of its states: the last one tells that it was paid, or refunded. A list that dates
 * charges alone has one time in all of them.
 */
export const isLaterRow = (row: ListedTransaction, before: ListedTransaction): boolean => {
  const [ms, beforeMs] = [changedMs(row), changedMs(before)];
  return ms === beforeMs ? placeOf(row) > placeOf(before) : ms > beforeMs;
};

/** Without accents and capitals. */
const plain = (text: string): string =>
  withoutAccents(text).replaceAll("\u00a0", " ").toLowerCase();

/** Whether a row's product, amount, as the language writes it, or code contains the typed text. */
export const matches = (
  { txid, description = "", amount }: ListedTransaction,
  typed: string,
  locale: Locale,
): boolean => {
  const wanted = plain(typed).trim();
  const money = amount === undefined ? "" : formatReaisIn(locale)(amount);
  return [txid, description, money, money.replace(/[.,](?=\d{3})/g, "")].some((fact) =>
    plain(fact).includes(wanted),
  );
};
