import { parentPort, workerData } from "node:worker_threads";
import { simulateFortnight } from "./fortnight.ts";
import { openMemoryStage } from "./memory-stores.ts";

/** Lives the seeds of its share. What happened in one is told when something broke, or when it is the only one. */
const seeds = workerData as readonly number[];
const stage = await openMemoryStage();
for (const seed of seeds) {
  const result = await simulateFortnight(stage, seed);
  const isTold = result.violations.length > 0 || seeds.length === 1;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage({ ...result, posts: [], trace: isTold ? result.trace : [] });
}
await stage.close();
