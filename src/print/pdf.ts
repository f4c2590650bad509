import PdfKit from "pdfkit";

export type Pdf = InstanceType<typeof PdfKit>;

export const PDF_COLOR = {
  accent: "#1f8b6f",
  ink: "#1f2328",
  soft: "#5f6a72",
  line: "#d5dade",
  stripe: "#f3f7f5",
} as const;
export const REGULAR = "Helvetica";
export const BOLD = "Helvetica-Bold";

interface PdfFacts {
  readonly title: string;
  /** Of the text, as `pt-BR`. */
  readonly language: string;
  readonly madeAtMs: number;
}

/** A PDF in the making. */
export interface PdfSheet {
  readonly pdf: Pdf;
  /** Replaces characters that the fonts cannot draw. */
  readonly drawn: (text: string) => string;
  /** Whether no character was replaced so far. */
  readonly isWhole: () => boolean;
}

/** A PDF of A4 pages with an accent at the top of the first. The same drawing always gives the same bytes. */
export const pdfBytes = async (
  { title, language, madeAtMs }: PdfFacts,
  options: PDFKit.PDFDocumentOptions,
  draw: (sheet: PdfSheet) => void,
): Promise<Uint8Array> => {
  const info = { Title: title, CreationDate: new Date(madeAtMs) };
  const pdf = new PdfKit({ size: "A4", lang: language, info, ...options });
  const pieces: Uint8Array[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on("data", (piece: Uint8Array) => pieces.push(piece));
    pdf.on("end", resolve);
    pdf.on("error", reject);
  });
  pdf.rect(0, 0, pdf.page.width, 6).fill(PDF_COLOR.accent);
  let whole = true;
  const drawn = (text: string): string => {
    const { text: known, whole: all } = winAnsi(text);
    whole &&= all;
    return known;
  };
  draw({ pdf, drawn, isWhole: () => whole });
  pdf.end();
  await ended;
  return Uint8Array.from(Buffer.concat(pieces));
};

export const drawLine = (pdf: Pdf, left: number, top: number, width: number): void => {
  pdf.lineWidth(0.5).strokeColor(PDF_COLOR.line);
  pdf
    .moveTo(left, top)
    .lineTo(left + width, top)
    .stroke();
};

/** Characters beyond Latin-1 in the standard PDF fonts. Source: PDF 32000-1, annex D. */
const EXTRA = new Set("€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ");
const LATIN = /^[\x20-\x7e\xa1-\xff]$/;
const NO_BREAK_SPACE = "\u00a0";

/** The text in characters of the standard fonts; a question mark replaces each other character. */
export const winAnsi = (text: string): { readonly text: string; readonly whole: boolean } => {
  let whole = true;
  const drawn = Array.from(text, (point) => {
    if (LATIN.test(point) || EXTRA.has(point)) return point;
    if (point === NO_BREAK_SPACE) return " ";
    whole = false;
    return "?";
  }).join("");
  return { text: drawn, whole };
};
