// In JavaScript on purpose, as src/start.js is: behind it Node reads the compiled modules from the cache.
import { setImmediate } from "node:timers/promises";
import { parentPort } from "node:worker_threads";
import "../../compile-cache.js";

// The library's allocator keeps pages for the next picture: after the thread's end 40 to 340 MB stayed.
process.env.MIMALLOC_ABANDONED_PAGE_PURGE = "1";
process.env.MIMALLOC_PURGE_DELAY = "0";
const { drawPicture } = await import("./draw-picture.ts");

const answer = async (chart) => {
  const bytes = new Uint8Array(drawPicture(chart));
  // The library keeps megabytes for each picture until its small objects are collected, and frees them a turn later: the
  // answer waits for that, since the next chart may come with it.
  globalThis.gc?.({ type: "minor" });
  await setImmediate();
  await setImmediate();
  parentPort?.postMessage(bytes, [bytes.buffer]);
};
// A chart that cannot be drawn ends the thread: nothing catches its rejection.
parentPort?.on("message", (chart) => void answer(chart));
