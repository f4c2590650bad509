import { expect, it } from "vitest";
import { plannedSeeds, runSeeds, sumOf, tellSeeds } from "../run-seeds.ts";
import { openMoneyStage } from "./stage.ts";
import { simulateWeek, type WeekResult, weekFigures } from "./week.ts";

const WORKER = new URL("./seed-worker.ts", import.meta.url);
const SEEDS_A_RUN = 2_000;
const KEPT: readonly number[] = [747_882_193, 1_677_900_511, 1_876_553_368, 2_610_533_317];

it.each(plannedSeeds(KEPT, SEEDS_A_RUN))(
  "keeps money in its place through $seeds.length $name weeks",
  async (plan) => {
    const weeks = await runSeeds<WeekResult>(WORKER, plan.seeds);

    expect(tellSeeds(plan, weeks, weekFigures)).toEqual([]);
    expect(weeks).toHaveLength(plan.seeds.length);
    expect(sumOf(weeks, "operations")).toBeGreaterThan(0);
  },
  1_200_000,
);

it("lives the same week whenever the seed is the same", async () => {
  const stage = await openMoneyStage();
  const other = await openMoneyStage();
  await simulateWeek(stage, 11);

  const first = await simulateWeek(stage, 12);
  const again = await simulateWeek(other, 12);

  await Promise.all([stage.close(), other.close()]);
  expect(first.operations).toBeGreaterThan(0);
  expect(again).toEqual(first);
});
