import { createThread, PRINTING } from "../../shared/thread.ts";
import type { Dossier } from "../dossier.view.ts";

/** In the main thread, loading the PDF library would block every interaction for more than a tenth of a second. */
export const createDossierPrinter = (): ((dossier: Dossier) => Promise<Uint8Array>) =>
  createThread({
    program: new URL("dossier-worker.js", import.meta.url),
    ...PRINTING,
  }).run;
