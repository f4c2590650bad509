// In JavaScript on purpose, as src/start.js is: behind it Node reads the compiled modules from the cache.
import { enableCompileCache } from "node:module";
import { parentPort } from "node:worker_threads";

enableCompileCache();
// The library's allocator keeps pages for the next picture: after the thread's end 40 to 340 MB stayed.
process.env.MIMALLOC_ABANDONED_PAGE_PURGE = "1";
process.env.MIMALLOC_PURGE_DELAY = "0";
const { drawPicture } = await import("./draw-picture.ts");
parentPort?.on("message", (chart) => {
  const bytes = new Uint8Array(drawPicture(chart));
  parentPort?.postMessage(bytes, [bytes.buffer]);
  // The library keeps megabytes for each picture until its small objects are collected.
  globalThis.gc?.({ type: "minor" });
});
