import { parentPort, workerData } from "node:worker_threads";
import { simulateFortnight } from "./fortnight.ts";
import { openDisputeStage } from "./stage.ts";

/** Runs its share of the seeds. Posts the trace of a seed that broke a rule, or of a single seed. */
const seeds = workerData as readonly number[];
const stage = await openDisputeStage();
for (const seed of seeds) {
  const result = await simulateFortnight(stage, seed);
  const isTold = result.violations.length > 0 || seeds.length === 1;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage({ ...result, posts: [], trace: isTold ? result.trace : [] });
}
await stage.close();
