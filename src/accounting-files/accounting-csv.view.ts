import type { Locale } from "../shared/locale.ts";
import type { AccountingBook, Cell } from "./accounting-book.view.ts";
import { accountingTexts } from "./texts.ts";

/** Excel takes a file without it for another character set. */
const BYTE_ORDER_MARK = "\u{feff}";
const SEPARATOR = ";";
const LINE_END = "\r\n";

/**
 * Beginnings that a spreadsheet reads as a formula, also in full width and behind spaces or quotes. Source: OWASP, "CSV
 * Injection".
 */
const FORMULA = /^[\s'"]*[=+\-@|%＝＋－＠]/u;
/** Codes of digits, points, strokes and an exponent alone: a spreadsheet reads a number or a date, and drops digits. */
const NUMBER_OR_DATE = /^(?=.*\d)[\d\s.,:/%()e+-]+$/iu;
const NEEDS_QUOTES = /[";\r\n]/;

/** An apostrophe makes a spreadsheet take the cell for text. */
const textField = (text: string): string => {
  const safe = FORMULA.test(text) || NUMBER_OR_DATE.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** A whole number with two decimals behind a comma, without thousands separators. */
const twoPlaces = (value: number): string => {
  const digits = String(Math.abs(value)).padStart(3, "0");
  return `${value < 0 ? "-" : ""}${digits.slice(0, -2)},${digits.slice(-2)}`;
};

const dayField = (iso: string): string => iso.split("-").toReversed().join("/");

const field = (cell: Cell): string => {
  switch (cell?.kind) {
    case "text":
      return textField(cell.text);
    case "day":
      return dayField(cell.day);
    case "moment":
      return `${dayField(cell.at.slice(0, 10))} ${cell.at.slice(11)}`;
    case "money":
      return twoPlaces(cell.cents);
    case "share":
      return `${twoPlaces(cell.basisPoints)}%`;
    case "count":
      return String(cell.count);
    case undefined:
    default:
      return "";
  }
};

const words = (text: string): Cell => ({ kind: "text", text });
const empty = (cells: number): readonly Cell[] => Array<undefined>(cells).fill(undefined);

/**
 * One table for all rows, so that other programs read it: a row a day, a row a withdrawal, and notes; their sums are the
 * reader's. Figures have Brazil's form in both languages, which Excel in Brazil expects.
 */
export const accountingCsv = (book: AccountingBook, locale: Locale): Uint8Array => {
  const { accounting } = accountingTexts(locale);
  const { kinds } = accounting;
  const head = [
    accounting.kind,
    accounting.date,
    accounting.from,
    accounting.to,
    accounting.amount,
    accounting.fees,
    accounting.net,
    accounting.api,
    accounting.esales,
    accounting.share,
    accounting.state,
    accounting.key,
    accounting.code,
  ].map(words);
  const days = book.days.rows.map((row) => [words(kinds.day), ...row, ...empty(2)]);
  const withdrawals = book.withdrawals.rows.map(([at, amount, fee, net, key, state, code]) => {
    const figures = [...empty(2), amount, fee, net, ...empty(3)];
    return [words(kinds.withdrawal), at, ...figures, state, key, code];
  });
  const notes = book.notes.map((note) => [
    words(kinds.note),
    ...empty(9),
    words(note),
    ...empty(2),
  ]);
  const lines = [head, ...days, ...withdrawals, ...notes].map((row) =>
    row.map(field).join(SEPARATOR),
  );
  return new TextEncoder().encode(`${BYTE_ORDER_MARK}${lines.join(LINE_END)}${LINE_END}`);
};
