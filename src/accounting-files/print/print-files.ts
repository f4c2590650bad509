import { createThread, PRINTING } from "../../shared/thread.ts";
import type { AccountingBook } from "../accounting-book.view.ts";
import type { AccountingPage } from "../accounting-page.view.ts";

/** Makes files in threads, which load their library and end with the file. */
export const createFilePrinter = () => {
  const { run } = createThread({
    program: new URL("file-worker.js", import.meta.url),
    ...PRINTING,
  });
  return {
    /** An XLSX. */
    workbook: (book: AccountingBook): Promise<Uint8Array> => run({ book }),
    /** A PDF of one page. */
    page: (page: AccountingPage): Promise<Uint8Array> => run({ page }),
  };
};
