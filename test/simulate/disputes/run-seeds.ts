import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { FortnightResult } from "./fortnight.ts";

/** Seeds `from`, `from + every`, … below `from + count`. */
export interface SeedRange {
  readonly from: number;
  readonly count: number;
  readonly every: number;
}

/** Two cores are all that may be assumed. */
const WORKERS = 2;

/** Lives `count` seeds from `from` on, half of them on each of two threads. */
export const runSeeds = async (
  from: number,
  count: number,
): Promise<readonly FortnightResult[]> => {
  const results: FortnightResult[] = [];
  const shares = Array.from({ length: WORKERS }, async (_, index) => {
    const workerData: SeedRange = { from: from + index, count: count - index, every: WORKERS };
    const worker = new Worker(new URL("./seed-worker.ts", import.meta.url), { workerData });
    worker.on("message", (result: FortnightResult) => results.push(result));
    const [code] = await once(worker, "exit");
    if (code !== 0) throw new Error(`A thread of the simulation ended with ${String(code)}`);
  });
  await Promise.all(shares);
  return results.toSorted((a, b) => a.seed - b.seed);
};
