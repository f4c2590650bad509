// In JavaScript on purpose, as src/start.js is: behind it Node reads the compiled modules from the cache.
import { parentPort } from "node:worker_threads";
import "../compile-cache.js";

const print = async ({ book, page, dossier }) => {
  if (book !== undefined) return (await import("./write-workbook.ts")).writeWorkbook(book);
  if (page !== undefined) return (await import("./draw-page.ts")).drawPage(page);
  return (await import("./draw-dossier.ts")).drawDossier(dossier);
};
const answer = async (file) => {
  const bytes = await print(file);
  parentPort?.postMessage(bytes, [bytes.buffer]);
};
parentPort?.on("message", (file) => void answer(file));
