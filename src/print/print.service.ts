import type { AccountingBook } from "../accounting-files/accounting-book.view.ts";
import type { Dossier } from "../defence/dossier.view.ts";
import type { Logger } from "../shared/log.ts";
import { createThread } from "../shared/thread.ts";
import { SECOND } from "../shared/time.ts";
import type { Page } from "./draw-page.ts";

type Printed = Promise<Uint8Array | undefined>;

/** In the main thread, loading such a library would block every interaction for more than a tenth of a second. */
const createPrinter = () =>
  createThread({
    program: new URL("print-worker.js", import.meta.url),
    timeoutMs: 30 * SECOND,
    mostMegabytes: 128,
  }).run;

/** Files as bytes; undefined, with a log entry, for one that could not be made: its message says the same. */
export const createPrint = (log: Logger) => {
  // No defence waits for the files of a period.
  const [files, dossiers] = [createPrinter(), createPrinter()];
  const printed = async (what: string, file: Promise<Uint8Array>): Printed => {
    try {
      return await file;
    } catch (error) {
      log.warn({ err: error }, `${what} could not be printed`);
      return undefined;
    }
  };
  return {
    /** An XLSX. */
    workbook: (book: AccountingBook) => printed("a file", files({ book })),
    /** A PDF of one page. */
    page: (page: Page) => printed("a file", files({ page })),
    /** A PDF. */
    dossier: (dossier: Dossier) => printed("a dossier", dossiers({ dossier })),
  };
};
