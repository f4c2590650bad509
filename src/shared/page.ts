/** One page of a list, and its place among the pages. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** From 0; the last page when the wanted one is gone. */
  readonly page: number;
  /** At least 1. */
  readonly pages: number;
  /** Number of rows on all pages together. */
  readonly found: number;
}

export const pageOf = <Row>(all: readonly Row[], wanted: number, length: number): Page<Row> => {
  const pages = Math.max(1, Math.ceil(all.length / length));
  const page = Math.min(Math.max(0, wanted), pages - 1);
  return { rows: all.slice(page * length, (page + 1) * length), page, pages, found: all.length };
};
