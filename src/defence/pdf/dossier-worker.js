// In JavaScript on purpose, as src/start.js is: behind it Node reads the compiled modules from the cache.
import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";

enableCompileCache();
const { drawDossier } = await import("./draw-dossier.ts");
const bytes = await drawDossier(workerData);
parentPort?.postMessage(bytes, [bytes.buffer]);
