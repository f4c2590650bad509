import type { Locale } from "../shared/locale.ts";

export interface PageColumn {
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
  readonly footer: string;
}
