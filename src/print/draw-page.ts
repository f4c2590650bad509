import { BOLD, drawLine, PDF_COLOR, pdfBytes, REGULAR, type PdfSheet } from "./pdf.ts";
import type { Locale } from "../shared/locale.ts";

interface PageColumn {
  readonly title: string;
  /** In points; all of a table are at most 523, the width of A4 between the margins. */
  readonly width: number;
  readonly right?: true;
}

export interface PageTable {
  readonly title: string;
  readonly columns: readonly PageColumn[];
  readonly rows: readonly (readonly string[])[];
  readonly total: readonly string[];
}

/** One page in words, as plain data, so that a thread can draw it. */
export interface Page {
  readonly language: Locale;
  readonly madeAtMs: number;
  readonly title: string;
  readonly subtitle: string;
  readonly figures: readonly { readonly label: string; readonly value: string }[];
  readonly tables: readonly PageTable[];
  readonly notes: readonly string[];
  /** Note for the case that a font lacked a character. */
  readonly replaced: string;
  readonly footer: string;
}

const MARGIN = 36;
const GAP = 8;
const ROW = 11.6;
/** Words get smaller to fit, down to this share; then they are cut. */
const SMALLEST = 0.75;

/** One line of text from a point; a longer one ends in an ellipsis. */
const words = ({ pdf, drawn }: PdfSheet, text: string, left: number, top: number, width: number) =>
  pdf.text(drawn(text), left, top, {
    width,
    height: pdf.currentLineHeight(),
    ellipsis: true,
  });

interface FigureParts {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly size: number;
  readonly right: boolean;
}

/** A figure is never cut: one that is too wide gets smaller letters. */
const figure = (sheet: PdfSheet, text: string, parts: FigureParts): void => {
  const { pdf } = sheet;
  const { left, top, width, size, right } = parts;
  const drawn = sheet.drawn(text);
  const wide = pdf.fontSize(size).widthOfString(drawn);
  pdf.fontSize(Math.min(size, (size * width) / wide));
  const from = right ? left + width - pdf.widthOfString(drawn) : left;
  pdf.text(drawn, from, top, { lineBreak: false });
  pdf.fontSize(size);
};

const row = (
  sheet: PdfSheet,
  columns: readonly PageColumn[],
  cells: readonly string[],
  top: number,
  size: number,
): void => {
  const { pdf, drawn } = sheet;
  let left = MARGIN;
  for (const [place, { width, right }] of columns.entries()) {
    const [cell, room] = [cells[place] ?? "", width - GAP];
    if (right === true && cell !== "") figure(sheet, cell, { left, top, width: room, size, right });
    else {
      const wide = pdf.fontSize(size).widthOfString(drawn(cell));
      pdf.fontSize(size * Math.max(SMALLEST, Math.min(1, room / wide)));
      words(sheet, cell, left, top, room);
    }
    left += width;
  }
};

/** @returns where the next part begins */
const drawTable = (
  sheet: PdfSheet,
  { title, columns, rows, total }: PageTable,
  top: number,
  width: number,
): number => {
  const { pdf } = sheet;
  pdf.font(BOLD).fontSize(9.5).fillColor(PDF_COLOR.accent);
  words(sheet, title, MARGIN, top, width);
  let at = top + 14;
  pdf.font(BOLD).fillColor(PDF_COLOR.soft);
  row(
    sheet,
    columns,
    columns.map((column) => column.title),
    at,
    7,
  );
  at += 10;
  drawLine(pdf, MARGIN, at, width);
  for (const [place, cells] of rows.entries()) {
    if (place % 2 === 1) pdf.rect(MARGIN, at, width, ROW).fill(PDF_COLOR.stripe);
    pdf.font(REGULAR).fillColor(PDF_COLOR.ink);
    row(sheet, columns, cells, at + 2.6, 7.5);
    at += ROW;
  }
  drawLine(pdf, MARGIN, at, width);
  pdf.font(BOLD).fillColor(PDF_COLOR.ink);
  row(sheet, columns, total, at + 3, 7.5);
  return at + ROW + 10;
};

const drawHead = (sheet: PdfSheet, { title, subtitle, figures }: Page, width: number): void => {
  const { pdf } = sheet;
  pdf.font(BOLD).fontSize(15).fillColor(PDF_COLOR.ink);
  words(sheet, title, MARGIN, 24, width);
  pdf.font(REGULAR).fontSize(8.5).fillColor(PDF_COLOR.soft);
  words(sheet, subtitle, MARGIN, 44, width);
  const each = width / figures.length;
  for (const [place, { label, value }] of figures.entries()) {
    const left = MARGIN + place * each;
    pdf.font(REGULAR).fontSize(7.5).fillColor(PDF_COLOR.soft);
    words(sheet, label, left, 62, each - GAP);
    pdf.font(BOLD).fillColor(PDF_COLOR.ink);
    figure(sheet, value, { left, top: 72, width: each - GAP, size: 12, right: false });
  }
};

/** A PDF of one page in the standard fonts. */
export const drawPage = (page: Page): Promise<Uint8Array> =>
  // Without margins of its own, no text begins a second page.
  pdfBytes(page, { margin: 0 }, (sheet) => {
    const { pdf } = sheet;
    const width = pdf.page.width - 2 * MARGIN;
    drawHead(sheet, page, width);
    let top = 98;
    for (const table of page.tables) top = drawTable(sheet, table, top, width);
    pdf.font(REGULAR).fontSize(7).fillColor(PDF_COLOR.soft);
    for (const note of [...page.notes, ...(sheet.isWhole() ? [] : [page.replaced])]) {
      words(sheet, note, MARGIN, top, width);
      top += 9;
    }
    words(sheet, page.footer, MARGIN, pdf.page.height - 20, width);
  });
