/** A name and what it is; the value may be a stranger's, already on one line and without hidden characters. */
export type DossierFact = readonly [name: string, value: string];

export type DossierBlock =
  | { readonly kind: "facts"; readonly facts: readonly DossierFact[] }
  | { readonly kind: "text"; readonly text: string }
  /** What somebody else said, set apart from our own words. */
  | {
      readonly kind: "quote";
      readonly heading: string;
      readonly quote: string;
      readonly facts: readonly DossierFact[];
    };

export interface DossierSection {
  readonly heading: string;
  readonly blocks: readonly DossierBlock[];
}

/** A defence in words: plain data, from which the PDF and the text file are made alike. */
export interface Dossier {
  readonly title: string;
  readonly subtitle: string;
  readonly sections: readonly DossierSection[];
  /** At the foot of each page, with the number beside it. */
  readonly footer: string;
  /** `1 of 3`, with `{page}` and `{pages}` for the numbers. */
  readonly pageNumber: string;
  /** Said where a font lacked something. */
  readonly replaced: string;
  readonly madeAtMs: number;
  readonly language: string;
}
