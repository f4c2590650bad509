import { parseArgs } from "node:util";
import { HOUR } from "#src/shared/time.ts";
import { fortnightFigures, type FortnightResult } from "./disputes/fortnight.ts";
import { type WeekResult, weekFigures } from "./money/week.ts";
import { freshSeeds, runSeeds, type SeedPlan, tellSeeds } from "./run-seeds.ts";

/**
 * Runs fresh seeds of the simulations in batches, for two hours or `--hours`: about 20 weeks of money and 10 fortnights
 * of disputes a second on two cores. `--only money` or `--only disputes` limits it to one. Exits with code 1 and the
 * seeds that broke a rule; keep each as a regression seed.
 */
const BATCH = 2_000;

const workerOf = (name: string): URL => new URL(`./${name}/seed-worker.ts`, import.meta.url);

/** Each runs a batch, prints its figures and gives the seeds that broke a rule. */
const simulations = {
  money: async (plan: SeedPlan) =>
    tellSeeds(plan, await runSeeds<WeekResult>(workerOf("money"), plan.seeds), weekFigures),
  disputes: async (plan: SeedPlan) =>
    tellSeeds(
      plan,
      await runSeeds<FortnightResult>(workerOf("disputes"), plan.seeds),
      fortnightFigures,
    ),
} as const;
type Simulation = keyof typeof simulations;

const { values } = parseArgs({
  options: { hours: { type: "string", default: "2" }, only: { type: "string" } },
});
const untilMs = Number(values.hours) * HOUR;
const names = (Object.keys(simulations) as Simulation[]).filter(
  (name) => values.only === undefined || values.only === name,
);
if (!(untilMs > 0) || names.length === 0) {
  console.error("Usage: npm run test:soak -- [--hours 2] [--only money|disputes]");
  process.exit(2);
}

const broken: string[] = [];
let lived = 0;
while (performance.now() < untilMs) {
  for (const name of names) {
    for (const seed of await simulations[name]({ name, seeds: freshSeeds(BATCH) }))
      broken.push(`${name} ${seed}`);
    lived += BATCH;
  }
}
console.log(
  `${lived} seeds lived, ${broken.length} broke a rule${broken.map((seed) => `\n  ${seed}`).join("")}`,
);
process.exit(broken.length === 0 ? 0 : 1);
