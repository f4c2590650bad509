import { expect, it } from "vitest";
import { fortnightFigures, type FortnightResult, simulateFortnight } from "./fortnight.ts";
import { openDisputeStage } from "./stage.ts";
import { plannedSeeds, runSeeds, sumOf, tellSeeds } from "../run-seeds.ts";

const WORKER = new URL("./seed-worker.ts", import.meta.url);
/** About five fortnights a second on each core. */
const SEEDS_A_RUN = 240;
const KEPT: readonly number[] = [2691296804, 697174879, 879053446, 141047545];

it.each(plannedSeeds(KEPT, SEEDS_A_RUN))(
  "tells of each dispute what is owed, once, through $seeds.length $name fortnights",
  async (plan) => {
    const fortnights = await runSeeds<FortnightResult>(WORKER, plan.seeds);

    expect(tellSeeds(plan, fortnights, fortnightFigures)).toEqual([]);
    expect(fortnights).toHaveLength(plan.seeds.length);
    expect(sumOf(fortnights, "disputes")).toBeGreaterThan(0);
  },
  1_200_000,
);

it("lives the same fortnight whenever the seed is the same", async () => {
  const stage = await openDisputeStage();
  const other = await openDisputeStage();
  await simulateFortnight(stage, 11);

  const first = await simulateFortnight(stage, 12);
  const again = await simulateFortnight(other, 12);

  await Promise.all([stage.close(), other.close()]);
  expect(first.disputes).toBeGreaterThan(0);
  expect(again).toEqual(first);
});

it("finds nothing else in a fortnight of which every minute is lived", async () => {
  const stage = await openDisputeStage();
  const { violations } = await simulateFortnight(stage, 1, { everyMinute: true });
  expect(violations).toEqual([]);
  await stage.close();
});
