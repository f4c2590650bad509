import { parentPort, workerData } from "node:worker_threads";
import { openMoneyStage } from "./stage.ts";
import type { SeedRange } from "./run-seeds.ts";
import { simulateWeek } from "./week.ts";

/** Lives the seeds of its share, and tells of each without its trace unless something broke. */
const { from, count, every } = workerData as SeedRange;
const stage = await openMoneyStage();
for (let seed = from; seed < from + count; seed += every) {
  const result = await simulateWeek(stage, seed);
  const isBroken = result.violations.length > 0;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage({ ...result, trace: isBroken ? result.trace : [] });
}
await stage.close();
