import { readXlsx } from "hucre/xlsx";
import { pdfText } from "../support/pdf-text.ts";

type ReadRow = readonly unknown[];

/** The sheets of an XLSX by another library than the one that wrote them. */
export const readWorkbook = async (
  xlsx: Uint8Array,
): Promise<readonly { readonly name: string; readonly rows: readonly ReadRow[] }[]> => {
  const { sheets } = await readXlsx(xlsx);
  return sheets.map(({ name, rows }) => ({ name, rows }));
};

/** The forms in which the cells of a sheet's row show their values, by the name of the sheet. */
export const formatsOfRow = async (
  xlsx: Uint8Array,
  row: number,
): Promise<Readonly<Record<string, readonly (string | undefined)[]>>> => {
  const { sheets } = await readXlsx(xlsx, { readStyles: true });
  const formatsOf = ({ rows, cells }: (typeof sheets)[number]) =>
    (rows[row] ?? []).map((_, column) => cells?.get(`${row},${column}`)?.style?.numFmt);
  return Object.fromEntries(sheets.map((sheet) => [sheet.name, formatsOf(sheet)]));
};

/** Whole centavos of a cell; undefined for an empty one. */
export const centsOfCell = (cell: unknown): number | undefined =>
  typeof cell === "number" ? Math.round(cell * 100) : undefined;

const QUOTED = /"((?:[^"]|"")*)"|([^;]*)/y;

/** Fields of one line, by RFC 4180 with semicolons. */
const fieldsOf = (line: string): readonly string[] => {
  const fields: string[] = [];
  QUOTED.lastIndex = 0;
  for (;;) {
    const [, quoted, plain = ""] = QUOTED.exec(line) ?? [];
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
    if (line[QUOTED.lastIndex] !== ";") return fields;
    QUOTED.lastIndex += 1;
  }
};

/** The rows of a CSV as a program in Brazil reads it, the head first. */
export const readCsv = (csv: Uint8Array): readonly (readonly string[])[] =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
    .decode(csv)
    .replace(/^\u{feff}/u, "")
    .split("\r\n")
    .slice(0, -1)
    .map(fieldsOf);

/** Centavos of Brazil's form, also with points between thousands; undefined for other text. */
export const centsOfText = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?[\d.]+,\d\d$/.test(text)
    ? Number(text.replace(/[.,]/g, ""))
    : undefined;

/** The lines of a PDF's page, in the order in which they were drawn. */
export const pageLines = (pdf: Uint8Array): readonly string[] => pdfText(pdf);
