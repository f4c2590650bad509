import { parentPort, workerData } from "node:worker_threads";
import { openMoneyStage } from "./stage.ts";
import { simulateWeek } from "./week.ts";

/** Runs its share of the seeds. Posts the trace of a seed that broke a rule, or of a single seed. */
const seeds = workerData as readonly number[];
const stage = await openMoneyStage();
for (const seed of seeds) {
  const result = await simulateWeek(stage, seed);
  const isTold = result.violations.length > 0 || seeds.length === 1;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage({ ...result, trace: isTold ? result.trace : [] });
}
await stage.close();
