import { expect, it } from "vitest";
import { fortnightFigures, type FortnightResult, simulateFortnight } from "./fortnight.ts";
import { openMemoryStage } from "./memory-stores.ts";
import { plannedSeeds, runSeeds, sumOf, tellSeeds } from "../run-seeds.ts";

const WORKER = new URL("./seed-worker.ts", import.meta.url);
const KEPT: readonly number[] = [];

it.each(plannedSeeds(KEPT))(
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
  const stage = await openMemoryStage();
  const other = await openMemoryStage();
  await simulateFortnight(stage, 11);

  const first = await simulateFortnight(stage, 12);
  const again = await simulateFortnight(other, 12);

  expect(first.disputes).toBeGreaterThan(0);
  expect(again).toEqual(first);
});
