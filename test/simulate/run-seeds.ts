import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** Seeds `from`, `from + every`, … below `from + count`. */
export interface SeedRange {
  readonly from: number;
  readonly count: number;
  readonly every: number;
}

/** Two cores are all that may be assumed. */
const WORKERS = 2;

/** Has `worker` live `count` seeds from `from` on, half of them on each of two threads; it posts one result for each. */
export const runSeeds = async <Result extends { readonly seed: number }>(
  worker: URL,
  from: number,
  count: number,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  const shares = Array.from({ length: WORKERS }, async (_, index) => {
    const workerData: SeedRange = { from: from + index, count: count - index, every: WORKERS };
    const thread = new Worker(worker, { workerData });
    thread.on("message", (result: Result) => results.push(result));
    const [code] = await once(thread, "exit");
    if (code !== 0) throw new Error(`A thread of the simulation ended with ${String(code)}`);
  });
  await Promise.all(shares);
  return results.toSorted((a, b) => a.seed - b.seed);
};
