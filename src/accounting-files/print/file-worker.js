// In JavaScript on purpose, as src/start.js is: behind it Node reads the compiled modules from the cache.
import { parentPort } from "node:worker_threads";
import "../../compile-cache.js";

const answer = async ({ book, page }) => {
  const bytes =
    book === undefined
      ? await (await import("./draw-page.ts")).drawPage(page)
      : await (await import("./write-workbook.ts")).writeWorkbook(book);
  parentPort?.postMessage(bytes, [bytes.buffer]);
};
parentPort?.on("message", (file) => void answer(file));
