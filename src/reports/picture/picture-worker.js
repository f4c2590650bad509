// In JavaScript on purpose, as src/start.js is: behind it Node reads the compiled modules from the cache.
import { enableCompileCache } from "node:module";
import { parentPort } from "node:worker_threads";

enableCompileCache();
const { drawPicture } = await import("./draw-picture.ts");
parentPort?.on("message", (chart) => {
  const bytes = new Uint8Array(drawPicture(chart));
  parentPort?.postMessage(bytes, [bytes.buffer]);
});
