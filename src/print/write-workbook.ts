import writeXlsxFile, { type CellObject } from "write-excel-file/node";
import type { AccountingBook, Cell, Sheet } from "../accounting-files/accounting-book.view.ts";
import type { Locale } from "../shared/locale.ts";

/** The order of a date is the file's: a spreadsheet keeps it. Readers of English may take Brazil's for another day. */
const DAY: Readonly<Record<Locale, string>> = { "pt-BR": "dd/mm/yyyy", "en-US": "yyyy-mm-dd" };
/** A reader's own language decides about commas. Source: ECMA-376, part 1, 18.8.31. */
const FORMAT = {
  money: "#,##0.00",
  count: "#,##0",
  share: "0.00%",
} as const;
const NOTE_WIDTH = 110;

/** A spreadsheet has no zones: the hour is written as it is, by way of UTC. */
const dateOf = (iso: string): Date => new Date(`${iso}Z`);

const cellOf = (cell: Cell, day: string): CellObject | undefined => {
  switch (cell?.kind) {
    case "text":
      return cell.text === "" ? undefined : { type: String, value: cell.text };
    case "day":
      return { type: Date, value: dateOf(`${cell.day}T00:00`), format: day };
    case "moment":
      return { type: Date, value: dateOf(cell.at), format: `${day} hh:mm` };
    case "money":
      return { type: Number, value: cell.cents / 100, format: FORMAT.money };
    case "count":
      return { type: Number, value: cell.count, format: FORMAT.count };
    case "share":
      return { type: Number, value: cell.basisPoints / 10_000, format: FORMAT.share };
    case undefined:
    default:
      return undefined;
  }
};

const bold = (cell: CellObject | undefined): CellObject | undefined =>
  cell && { ...cell, fontWeight: "bold" };

const head = (title: string): CellObject => ({
  type: String,
  value: title,
  fontWeight: "bold",
  backgroundColor: "#e7f3ee",
});

const table = ({ name, columns, rows, total }: Sheet, day: string) => ({
  sheet: name,
  stickyRowsCount: 1,
  columns: columns.map(({ width }) => ({ width })),
  data: [
    columns.map(({ title }) => head(title)),
    ...rows.map((row) => row.map((cell) => cellOf(cell, day))),
    total.map((cell) => bold(cellOf(cell, day))),
  ],
});

/** An XLSX of three sheets: days, withdrawals, notes. Cells of text are text, never formulas. */
export const writeWorkbook = async (book: AccountingBook): Promise<Uint8Array> => {
  const notes = {
    sheet: book.notesName,
    columns: [{ width: NOTE_WIDTH }],
    data: [[head(book.title)], ...book.notes.map((note) => [{ type: String, value: note }])],
  };
  const day = DAY[book.language];
  const file = writeXlsxFile([table(book.days, day), table(book.withdrawals, day), notes]);
  return Uint8Array.from(await file.toBuffer());
};
