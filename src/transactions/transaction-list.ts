import { UserError, type WalletErrorKind } from "../shared/errors.ts";
import { inBrasilia } from "../shared/local-time.ts";
import { formatReais } from "../shared/money.ts";
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

/** Days of Brasília, both included. */
export interface Period {
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
}

/** A page of the filtered list; the first page is 0. */
export interface WantedTransactions {
  readonly filter: TransactionFilter;
  /** Undefined for every day. */
  readonly period: Period | undefined;
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
  /** Whether the service has further rows that were not read. */
  readonly more: boolean;
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
  readonly dispute: { readonly accountId: string; readonly infractionId: string } | undefined;
  readonly readAt: Temporal.Instant;
}

const KNOWN: ReadonlySet<string> = new Set(["approved", "pending", "refunded"]);

/** Whether a row is a sale: a row whose type is not told may be one. */
export const isSale = ({ type }: Pick<ListedTransaction, "type">): boolean => type !== "withdrawal";

const passes = ({ type, status }: ListedTransaction, filter: TransactionFilter): boolean => {
  if (filter === "all") return true;
  if (filter === "withdrawals") return type === "withdrawal";
  if (!isSale({ type })) return false;
  return filter === "other" ? status === undefined || !KNOWN.has(status) : status === filter;
};

const isWithin = (at: Temporal.Instant, { from, to }: Period): boolean => {
  const day = inBrasilia(at).toPlainDate();
  return Temporal.PlainDate.compare(day, from) >= 0 && Temporal.PlainDate.compare(day, to) <= 0;
};

/** Newest first; rows without a time keep their order behind the others. */
export const newestFirst = (rows: readonly ListedTransaction[]): readonly ListedTransaction[] =>
  rows.toSorted((a, b) => {
    if (a.createdAt === undefined || b.createdAt === undefined)
      return Number(a.createdAt === undefined) - Number(b.createdAt === undefined);
    return Temporal.Instant.compare(b.createdAt, a.createdAt);
  });

/** Whether every row is told to be older than the one before it, so that further pages hold older rows only. */
export const isNewestFirst = (rows: readonly ListedTransaction[]): boolean =>
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

/** Without accents and capitals. */
const plain = (text: string): string =>
  text.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("\u00a0", " ").toLowerCase();

/** Whether a row's product, amount or code contains the typed text. */
export const matches = (
  { txid, description = "", amount }: ListedTransaction,
  typed: string,
): boolean => {
  const wanted = plain(typed).trim();
  const money = amount === undefined ? "" : formatReais(amount);
  return [txid, description, money, money.replaceAll(".", "")].some((fact) =>
    plain(fact).includes(wanted),
  );
};

/** Periods that are suggested, by their words in both languages; the first words are shown. */
export const periodWords = {
  today: { "pt-BR": "hoje", "en-US": "today" },
  yesterday: { "pt-BR": "ontem", "en-US": "yesterday" },
  "7 days": { "pt-BR": "7 dias", "en-US": "7 days" },
  "30 days": { "pt-BR": "30 dias", "en-US": "30 days" },
  "this month": { "pt-BR": "este mês", "en-US": "this month" },
  "last month": { "pt-BR": "mês passado", "en-US": "last month" },
} as const;

type NamedPeriod = keyof typeof periodWords;

const namedPeriods = Object.keys(periodWords) as readonly NamedPeriod[];

const periodOf = (name: NamedPeriod, today: Temporal.PlainDate): Period => {
  const first = today.with({ day: 1 });
  const yesterday = today.subtract({ days: 1 });
  const lastMonth = { from: first.subtract({ months: 1 }), to: first.subtract({ days: 1 }) };
  const periods: Readonly<Record<NamedPeriod, Period>> = {
    today: { from: today, to: today },
    yesterday: { from: yesterday, to: yesterday },
    "7 days": { from: today.subtract({ days: 6 }), to: today },
    "30 days": { from: today.subtract({ days: 29 }), to: today },
    "this month": { from: first, to: today },
    "last month": lastMonth,
  };
  return periods[name];
};

const DAY = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?$/;
const CENTURY = 2_000;

/** A typed day; without a year the latest one that is not in the future. */
const dayOf = (typed: string, today: Temporal.PlainDate): Temporal.PlainDate | undefined => {
  const [, day, month, year] = DAY.exec(typed.trim()) ?? [];
  if (day === undefined || month === undefined) return undefined;
  const given = year === undefined ? today.year : Number(year) + (year.length === 2 ? CENTURY : 0);
  try {
    const fields = { year: given, month: Number(month), day: Number(day) };
    const found = Temporal.PlainDate.from(fields, { overflow: "reject" });
    const isAhead = year === undefined && Temporal.PlainDate.compare(found, today) > 0;
    return isAhead ? found.subtract({ years: 1 }) : found;
  } catch {
    // An impossible date such as 31/02.
    return undefined;
  }
};

/**
 * Parses a typed period: `7 dias`, `este mês`, `DD/MM a DD/MM` or one day; undefined for empty text.
 * @throws UserError invalid_period
 */
export const parsePeriod = (
  typed: string | undefined,
  now: Temporal.Instant,
): Period | undefined => {
  const text = plain(typed ?? "").trim();
  if (text === "") return undefined;
  const today = inBrasilia(now).toPlainDate();
  const name = namedPeriods.find((each) =>
    Object.values(periodWords[each]).some((words) => plain(words) === text),
  );
  if (name !== undefined) return periodOf(name, today);
  const [first = "", last = first, ...rest] = text.split(/\s+(?:a|ate|to|-)\s+/);
  const to = dayOf(last, today);
  const from = dayOf(first, to ?? today);
  const isForward =
    from !== undefined && to !== undefined && Temporal.PlainDate.compare(from, to) <= 0;
  if (!isForward || rest.length > 0)
    throw new UserError({ kind: "invalid_period", given: typed ?? "" });
  return { from, to };
};

const ENCODED = /^(\d{8})-(\d{8})$/;
const EVERY_DAY = "sempre";

const compact = (day: Temporal.PlainDate): string => day.toString().replaceAll("-", "");

/** A period as a part of custom ids. */
export const periodCode = (period: Period | undefined): string =>
  period === undefined ? EVERY_DAY : `${compact(period.from)}-${compact(period.to)}`;

/** The period of a code; `invalid` for text that no code is. */
export const periodOfCode = (code: string): Period | undefined | "invalid" => {
  if (code === EVERY_DAY) return undefined;
  const [, from, to] = ENCODED.exec(code) ?? [];
  if (from === undefined || to === undefined) return "invalid";
  try {
    return { from: Temporal.PlainDate.from(from), to: Temporal.PlainDate.from(to) };
  } catch {
    // Eight digits that are no date.
    return "invalid";
  }
};
