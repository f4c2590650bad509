import PdfKit from "pdfkit";
import { winAnsi } from "../../ui/win-ansi.ts";
import type { AccountingPage, PageColumn } from "../accounting-page.view.ts";

type Pdf = InstanceType<typeof PdfKit>;
type Table = AccountingPage["tables"][number];

const MARGIN = 36;
const GAP = 8;
const ROW = 11.6;
/** Words get smaller to fit, down to this share; then they are cut. */
const SMALLEST = 0.75;
const COLOR = {
  accent: "#1f8b6f",
  ink: "#1f2328",
  soft: "#5f6a72",
  line: "#d5dade",
  stripe: "#f3f7f5",
} as const;
const REGULAR = "Helvetica";
const BOLD = "Helvetica-Bold";

/** One line of text from a point; a longer one ends in an ellipsis. */
const words = (pdf: Pdf, text: string, left: number, top: number, width: number) =>
  pdf.text(winAnsi(text).text, left, top, {
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
const figure = (pdf: Pdf, text: string, { left, top, width, size, right }: FigureParts): void => {
  const drawn = winAnsi(text).text;
  const wide = pdf.fontSize(size).widthOfString(drawn);
  pdf.fontSize(Math.min(size, (size * width) / wide));
  const from = right ? left + width - pdf.widthOfString(drawn) : left;
  pdf.text(drawn, from, top, { lineBreak: false });
  pdf.fontSize(size);
};

const row = (
  pdf: Pdf,
  columns: readonly PageColumn[],
  cells: readonly string[],
  top: number,
  size: number,
): void => {
  let left = MARGIN;
  for (const [place, { width, right }] of columns.entries()) {
    const [cell, room] = [cells[place] ?? "", width - GAP];
    if (right === true && cell !== "") figure(pdf, cell, { left, top, width: room, size, right });
    else {
      const wide = pdf.fontSize(size).widthOfString(winAnsi(cell).text);
      pdf.fontSize(size * Math.max(SMALLEST, Math.min(1, room / wide)));
      words(pdf, cell, left, top, room);
    }
    left += width;
  }
};

const line = (pdf: Pdf, top: number, width: number): void => {
  pdf.lineWidth(0.5).strokeColor(COLOR.line);
  pdf
    .moveTo(MARGIN, top)
    .lineTo(MARGIN + width, top)
    .stroke();
};

/** @returns where the next part begins */
const drawTable = (
  pdf: Pdf,
  { title, columns, rows, total }: Table,
  top: number,
  width: number,
): number => {
  pdf.font(BOLD).fontSize(9.5).fillColor(COLOR.accent);
  words(pdf, title, MARGIN, top, width);
  let at = top + 14;
  pdf.font(BOLD).fillColor(COLOR.soft);
  row(
    pdf,
    columns,
    columns.map((column) => column.title),
    at,
    7,
  );
  at += 10;
  line(pdf, at, width);
  for (const [place, cells] of rows.entries()) {
    if (place % 2 === 1) pdf.rect(MARGIN, at, width, ROW).fill(COLOR.stripe);
    pdf.font(REGULAR).fillColor(COLOR.ink);
    row(pdf, columns, cells, at + 2.6, 7.5);
    at += ROW;
  }
  line(pdf, at, width);
  pdf.font(BOLD).fillColor(COLOR.ink);
  row(pdf, columns, total, at + 3, 7.5);
  return at + ROW + 10;
};

const drawHead = (pdf: Pdf, { title, subtitle, figures }: AccountingPage, width: number): void => {
  pdf.rect(0, 0, pdf.page.width, 6).fill(COLOR.accent);
  pdf.font(BOLD).fontSize(15).fillColor(COLOR.ink);
  words(pdf, title, MARGIN, 24, width);
  pdf.font(REGULAR).fontSize(8.5).fillColor(COLOR.soft);
  words(pdf, subtitle, MARGIN, 44, width);
  const each = width / figures.length;
  for (const [place, { label, value }] of figures.entries()) {
    const left = MARGIN + place * each;
    pdf.font(REGULAR).fontSize(7.5).fillColor(COLOR.soft);
    words(pdf, label, left, 62, each - GAP);
    pdf.font(BOLD).fillColor(COLOR.ink);
    figure(pdf, value, { left, top: 72, width: each - GAP, size: 12, right: false });
  }
};

/** A PDF of one A4 page in the standard fonts. The same page always gives the same bytes. */
export const drawPage = async (page: AccountingPage): Promise<Uint8Array> => {
  const pdf = new PdfKit({
    size: "A4",
    // Without margins of its own, no text begins a second page.
    margin: 0,
    lang: page.language,
    info: { Title: page.title, CreationDate: new Date(page.madeAtMs) },
  });
  const pieces: Uint8Array[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on("data", (piece: Uint8Array) => pieces.push(piece));
    pdf.on("end", resolve);
    pdf.on("error", reject);
  });
  const width = pdf.page.width - 2 * MARGIN;
  drawHead(pdf, page, width);
  let top = 98;
  for (const table of page.tables) top = drawTable(pdf, table, top, width);
  pdf.font(REGULAR).fontSize(7).fillColor(COLOR.soft);
  for (const note of page.notes) {
    words(pdf, note, MARGIN, top, width);
    top += 9;
  }
  words(pdf, page.footer, MARGIN, pdf.page.height - 20, width);
  pdf.end();
  await ended;
  return Uint8Array.from(Buffer.concat(pieces));
};
