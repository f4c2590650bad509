// In JavaScript on purpose, as src/start.js is: behind it Node reads the compiled modules from the cache.
import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";

enableCompileCache();
const { drawPicture } = await import("./draw-picture.ts");
const bytes = new Uint8Array(drawPicture(workerData));
parentPort?.postMessage(bytes, [bytes.buffer]);
