// In JavaScript on purpose, as src/start.js is: behind it Node reads the compiled modules from the cache.
import { parentPort } from "node:worker_threads";
import "../../compile-cache.js";

const { drawDossier } = await import("./draw-dossier.ts");

const answer = async (dossier) => {
  const bytes = await drawDossier(dossier);
  parentPort?.postMessage(bytes, [bytes.buffer]);
};
parentPort?.on("message", (dossier) => void answer(dossier));
