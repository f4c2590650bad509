import { parentPort, workerData } from "node:worker_threads";
import { openMoneyStage } from "./stage.ts";
import type { SeedRange } from "../run-seeds.ts";
import { simulateWeek } from "./week.ts";

/** Lives the seeds of its share. What happened in one is told when something broke, or when it is the only one. */
const { from, count, every } = workerData as SeedRange;
const stage = await openMoneyStage();
for (let seed = from; seed < from + count; seed += every) {
  const result = await simulateWeek(stage, seed);
  const isTold = result.violations.length > 0 || count === 1;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage({ ...result, trace: isTold ? result.trace : [] });
}
await stage.close();
