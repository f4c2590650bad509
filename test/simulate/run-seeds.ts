import { randomInt } from "node:crypto";
import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** The result of one seed; includes its trace when a rule broke, or when it is the run's only seed. */
export interface SeedResult {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly trace: readonly string[];
}

/** Assumes two cores. */
const WORKERS = 2;
/** Regression seeds, the same in each run. The others are drawn at random and printed. */
const FIXED = 500;
/** Number of distinct seeds of the dice. */
const BEGINNINGS = 2 ** 32;
const LAST_LINES = 40;
const MOST_TOLD = 3;

const consecutive = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index);

export const freshSeeds = (count: number): readonly number[] =>
  consecutive(randomInt(FIXED + 1, BEGINNINGS - count), count);

export interface SeedPlan {
  readonly name: string;
  readonly seeds: readonly number[];
}

/**
 * The seeds of a test run: the regression seeds, `kept` seeds that once broke a rule, and fresh ones. `SIMULATE_SEEDS`
 * sets their number; `SIMULATE_FROM=123 SIMULATE_SEEDS=1` runs seed 123 alone with its trace.
 */
export const plannedSeeds = (kept: readonly number[], seedsARun: number): readonly SeedPlan[] => {
  const count = Number(process.env["SIMULATE_SEEDS"] ?? seedsARun);
  const from = process.env["SIMULATE_FROM"];
  if (from !== undefined) return [{ name: "chosen", seeds: consecutive(Number(from), count) }];
  const fixed = Math.min(FIXED, Math.ceil(count / 2));
  return [
    { name: "fixed", seeds: [...consecutive(1, fixed), ...kept] },
    { name: "fresh", seeds: freshSeeds(count - fixed) },
  ];
};

/** Runs the seeds in `worker`, half of them on each of two threads; the worker posts one result per seed. */
export const runSeeds = async <Result extends SeedResult>(
  worker: URL,
  seeds: readonly number[],
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  const shares = Array.from({ length: WORKERS }, async (_, share) => {
    const workerData = seeds.filter((_seed, index) => index % WORKERS === share);
    const thread = new Worker(worker, { workerData });
    thread.on("message", (result: Result) => results.push(result));
    const [code] = await once(thread, "exit");
    if (code !== 0) throw new Error(`A thread of the simulation ended with ${String(code)}`);
  });
  await Promise.all(shares);
  return results.toSorted((a, b) => a.seed - b.seed);
};

/** Prints a summary and gives the seeds that broke a rule. */
export const tellSeeds = <Result extends SeedResult>(
  plan: SeedPlan,
  results: readonly Result[],
  figuresOf: (results: readonly Result[]) => string,
): readonly number[] => {
  const first = plan.seeds[0] ?? 0;
  console.log(
    `${results.length} ${plan.name} seeds from ${first} on: ${figuresOf(results)} ` +
      `(repeat with SIMULATE_FROM=${first} SIMULATE_SEEDS=${results.length})`,
  );
  const broken = results.filter(({ violations }) => violations.length > 0);
  const told = results.length === 1 ? results : broken.slice(0, MOST_TOLD);
  for (const { seed, violations, trace } of told) {
    const lines = results.length === 1 ? trace : trace.slice(-LAST_LINES);
    console.log([...lines, `Seed ${seed}: ${violations.join("; ")}`].join("\n"));
  }
  return broken.map(({ seed }) => seed);
};

export const sumOf = <Figure extends string>(
  results: readonly Readonly<Record<Figure, number>>[],
  figure: Figure,
): number => results.reduce((total, result) => total + result[figure], 0);
