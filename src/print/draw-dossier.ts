import { BOLD, drawLine, PDF_COLOR, type Pdf, pdfBytes, REGULAR, type PdfSheet } from "./pdf.ts";
import type {
  Dossier,
  DossierBlock,
  DossierFact,
  DossierSection,
} from "../defence/dossier.view.ts";

const MARGIN = 54;
const FOOT = 40;
const LABEL_WIDTH = 120;
const GAP = 12;
/** Approximate heights, in points. */
const HEADING = 40;
const HEAD_OF_QUOTE = 30;
const FACT_HEIGHT = 18;
const LEAST_TOGETHER = 30;
const MOST_TOGETHER = 560;

interface DossierSheet extends PdfSheet {
  readonly left: number;
  readonly width: number;
}

/** Begins a page if `height` does not fit on this one. */
const reserve = ({ pdf }: DossierSheet, height: number): void => {
  if (pdf.y + height > pdf.page.height - pdf.page.margins.bottom) pdf.addPage();
};

const factRow = (sheet: DossierSheet, [name, value]: DossierFact, indent: number): void => {
  const { pdf, drawn, left, width } = sheet;
  const valueLeft = left + indent + LABEL_WIDTH + GAP;
  const valueWidth = width - indent - LABEL_WIDTH - GAP;
  const [label, text] = [drawn(name), drawn(value) || "-"];
  const labelHeight = pdf.font(BOLD).fontSize(8.5).heightOfString(label, { width: LABEL_WIDTH });
  const textHeight = pdf.font(REGULAR).fontSize(10).heightOfString(text, { width: valueWidth });
  const height = Math.max(labelHeight + 1.5, textHeight);
  reserve(sheet, height);
  const top = pdf.y;
  pdf.font(BOLD).fontSize(8.5).fillColor(PDF_COLOR.soft);
  pdf.text(label, left + indent, top + 1.5, { width: LABEL_WIDTH });
  pdf.font(REGULAR).fontSize(10).fillColor(PDF_COLOR.ink);
  pdf.text(text, valueLeft, top, { width: valueWidth });
  pdf.x = left;
  pdf.y = top + height + 4;
};

const paragraph = (sheet: DossierSheet, text: string): void => {
  const { pdf, drawn, left, width } = sheet;
  pdf.font(REGULAR).fontSize(10).fillColor(PDF_COLOR.ink);
  reserve(sheet, pdf.heightOfString(drawn(text), { width }));
  pdf.text(drawn(text), left, pdf.y, { width });
  pdf.y += 4;
};

type Quote = Extract<DossierBlock, { kind: "quote" }>;

/** Short lines take pages: those after these follow one another. */
const MOST_LINES = 100;

const drawnQuote = ({ drawn }: DossierSheet, { lines }: Quote): string => {
  const rest = lines.slice(MOST_LINES - 1).join(" ");
  const shown = lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES - 1), rest];
  return `“${shown.map(drawn).join("\n")}”`;
};

const quoteHeight = (sheet: DossierSheet, block: Quote): number =>
  sheet.pdf
    .font(REGULAR)
    .fontSize(10.5)
    .heightOfString(drawnQuote(sheet, block), { width: sheet.width - GAP });

/** Height to keep on one page: a proof with its facts, unless it fills a page. */
const togetherHeight = (sheet: DossierSheet, block: DossierBlock | undefined): number =>
  block?.kind === "quote"
    ? Math.min(
        quoteHeight(sheet, block) + HEAD_OF_QUOTE + block.facts.length * FACT_HEIGHT,
        MOST_TOGETHER,
      )
    : LEAST_TOGETHER;

/** A bar beside text that began on that page at `top` and ended on the last page, where the pen is. */
const drawBar = ({ pdf, left }: DossierSheet, first: number, top: number): void => {
  const last = lastPage(pdf);
  for (let page = first; page <= last; page++) {
    pdf.switchToPage(page);
    const from = page === first ? top : MARGIN;
    const to = page === last ? pdf.y : pdf.page.height - pdf.page.margins.bottom;
    pdf.rect(left, from, 2.5, to - from).fill(PDF_COLOR.accent);
  }
};

const lastPage = (pdf: Pdf): number => pdf.bufferedPageRange().count - 1;

const quoteBlock = (sheet: DossierSheet, block: Quote): void => {
  const { pdf, drawn, left, width } = sheet;
  reserve(sheet, togetherHeight(sheet, block));
  pdf.font(BOLD).fontSize(10).fillColor(PDF_COLOR.ink);
  pdf.text(drawn(block.heading), left, pdf.y, { width });
  const [page, top] = [lastPage(pdf), pdf.y + 3];
  pdf.font(REGULAR).fontSize(10.5).fillColor(PDF_COLOR.ink);
  pdf.text(drawnQuote(sheet, block), left + GAP, top, { width: width - GAP });
  drawBar(sheet, page, top);
  pdf.y += 6;
  for (const fact of block.facts) factRow(sheet, fact, GAP);
  pdf.y += 6;
};

const drawBlock = (sheet: DossierSheet, block: DossierBlock): void => {
  if (block.kind === "facts") for (const fact of block.facts) factRow(sheet, fact, 0);
  else if (block.kind === "quote") quoteBlock(sheet, block);
  else paragraph(sheet, block.text);
};

const drawHead = (sheet: DossierSheet, { title, subtitle }: Dossier): void => {
  const { pdf, drawn, left, width } = sheet;
  pdf.font(BOLD).fontSize(20).fillColor(PDF_COLOR.ink).text(drawn(title), left, MARGIN, { width });
  pdf.font(REGULAR).fontSize(9.5).fillColor(PDF_COLOR.soft).text(drawn(subtitle), { width });
};

/** A heading stays with the start of its section, never alone at the end of a page. */
const drawHeading = (sheet: DossierSheet, { heading, blocks }: DossierSection): void => {
  const { pdf, drawn, left, width } = sheet;
  pdf.y += 14;
  reserve(sheet, HEADING + togetherHeight(sheet, blocks[0]));
  pdf
    .font(BOLD)
    .fontSize(12.5)
    .fillColor(PDF_COLOR.accent)
    .text(drawn(heading), left, pdf.y, { width });
  drawLine(pdf, left, pdf.y + 2, width);
  pdf.y += 8;
};

const drawFeet = (sheet: DossierSheet, { footer, pageNumber }: Dossier): void => {
  const { pdf, drawn, left, width } = sheet;
  const { start, count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(start + page);
    // With a margin, text this low would begin a page of its own.
    pdf.page.margins.bottom = 0;
    const top = pdf.page.height - FOOT;
    const number = pageNumber.replace("{page}", `${page + 1}`).replace("{pages}", `${count}`);
    pdf.font(REGULAR).fontSize(8).fillColor(PDF_COLOR.soft);
    pdf.text(drawn(footer), left, top, { width: width - 60, lineBreak: false });
    pdf.text(drawn(number), left, top, { width, align: "right", lineBreak: false });
  }
};

/** The dossier as a PDF in the standard fonts. */
export const drawDossier = (dossier: Dossier): Promise<Uint8Array> => {
  const margins = { top: MARGIN, bottom: MARGIN + 10, left: MARGIN, right: MARGIN };
  return pdfBytes(dossier, { margins, bufferPages: true }, (blank) => {
    const sheet = { ...blank, left: MARGIN, width: blank.pdf.page.width - 2 * MARGIN };
    drawHead(sheet, dossier);
    for (const section of dossier.sections) {
      drawHeading(sheet, section);
      for (const block of section.blocks) drawBlock(sheet, block);
    }
    if (!sheet.isWhole()) paragraph(sheet, dossier.replaced);
    drawFeet(sheet, dossier);
  });
};
