// In JavaScript on purpose, as src/start.js is: behind it Node reads the compiled modules from the cache.
import { enableCompileCache } from "node:module";
import { parentPort } from "node:worker_threads";

enableCompileCache();
// The library's allocator would keep 60 MB when the thread ends. MIMALLOC_PURGE_DELAY stays at its own 10 ms: with 0
// each picture asks the system for its pages again, and takes three times as long.
process.env.MIMALLOC_ABANDONED_PAGE_PURGE = "1";
const { drawPicture } = await import("./draw-picture.ts");
let drawn = 0;
parentPort?.on("message", (chart) => {
  const bytes = new Uint8Array(drawPicture(chart));
  parentPort?.postMessage(bytes, [bytes.buffer]);
  // The library keeps megabytes for each picture until its small objects are collected.
  drawn += 1;
  if (drawn % 4 === 0) globalThis.gc?.({ type: "minor" });
});
