import { expect, it } from "vitest";
import { runSeeds } from "./run-seeds.ts";
import { openMoneyStage } from "./stage.ts";
import { simulateWeek } from "./week.ts";

const SEEDS = Number(process.env["SIMULATE_SEEDS"] ?? 10_000);

it(`keeps money in its place through ${SEEDS} weeks`, async () => {
  const started = performance.now();

  const weeks = await runSeeds(1, SEEDS);

  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const sum = (of: "operations" | "unknowns" | "deaths" | "executed"): number =>
    weeks.reduce((total, week) => total + week[of], 0);
  console.log(
    `${weeks.length} seeds of seven days in ${seconds} s: ${sum("operations")} operations, ` +
      `${sum("executed")} withdrawals, ${sum("unknowns")} unknown outcomes, ${sum("deaths")} deaths`,
  );
  const broken = weeks.filter(({ violations }) => violations.length > 0);
  for (const { seed, violations, trace } of broken.slice(0, 3)) {
    console.log([...trace.slice(-30), `seed ${seed}: ${violations.join("; ")}`].join("\n"));
  }
  expect(broken.map(({ seed }) => seed)).toEqual([]);
  expect(weeks).toHaveLength(SEEDS);
}, 1_200_000);

it("lives the same week whenever the seed is the same", async () => {
  const stage = await openMoneyStage();
  const lived = async (seed: number) => (await simulateWeek(stage, seed)).trace;
  const first = [await lived(11), await lived(12), await lived(13)];
  const other = await openMoneyStage();
  const [again] = [(await simulateWeek(other, 12)).trace];
  await Promise.all([stage.close(), other.close()]);
  expect(first[1]?.length).toBeGreaterThan(0);
  expect(again).toEqual(first[1]);
});
