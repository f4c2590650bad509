import { Worker } from "node:worker_threads";
import { SECOND } from "../../shared/time.ts";
import type { Dossier } from "../dossier.view.ts";

const PROGRAM = new URL("dossier-worker.js", import.meta.url);
const TIMEOUT_MS = 30 * SECOND;
const MOST_MEGABYTES = 128;

const printOne = async (dossier: Dossier): Promise<Uint8Array> => {
  const worker = new Worker(PROGRAM, {
    workerData: dossier,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  });
  let timeout: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", (code) => reject(new Error(`The printer ended with ${code}`)));
      timeout = setTimeout(() => reject(new Error("The printer took too long")), TIMEOUT_MS);
    });
  } finally {
    clearTimeout(timeout);
    await worker.terminate();
  }
};

/**
 * Prints dossiers one after the other, each in a thread of its own: in the main thread, loading the PDF library would
 * block every interaction for more than a tenth of a second and keep its memory.
 */
export const createDossierPrinter = (): ((dossier: Dossier) => Promise<Uint8Array>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (dossier) => {
    const printed = last.then(() => printOne(dossier));
    // One failed print must not fail the next.
    last = printed.catch(() => undefined);
    return printed;
  };
};
