import { expect, it } from "vitest";
import { runSeeds } from "../run-seeds.ts";
import { chosenBound } from "./bounds.ts";
import { openMoneyStage } from "./stage.ts";
import { simulateWeek, type WeekResult } from "./week.ts";

/** `SIMULATE_FROM=123 SIMULATE_SEEDS=1` tells all that happened in seed 123. */
const FROM = Number(process.env["SIMULATE_FROM"] ?? 1);
const SEEDS = Number(process.env["SIMULATE_SEEDS"] ?? 10_000);
const LAST_LINES = 40;
const WORKER = new URL("./seed-worker.ts", import.meta.url);

it(`keeps money in its place through ${SEEDS} weeks`, async () => {
  const started = performance.now();
  const cpuBefore = process.cpuUsage();

  const weeks = await runSeeds<WeekResult>(WORKER, FROM, SEEDS);

  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const { user, system } = process.cpuUsage(cpuBefore);
  const sum = (
    of: "operations" | "unknowns" | "manual" | "denied" | "deaths" | "executed",
  ): number => weeks.reduce((total, week) => total + week[of], 0);
  console.log(
    `${weeks.length} seeds (bounds: ${chosenBound()}) of seven days in ${seconds} s ` +
      `(${((user + system) / 1e6).toFixed(0)} s of processor): ${sum("operations")} operations, ` +
      `${sum("executed")} withdrawals, ${sum("unknowns")} unknown outcomes, ` +
      `${sum("manual")} for their owner, ${sum("denied")} not executed, ${sum("deaths")} deaths`,
  );
  const broken = weeks.filter(({ violations }) => violations.length > 0);
  for (const { seed, violations, trace } of SEEDS === 1 ? weeks : broken.slice(0, 3)) {
    const lines = SEEDS === 1 ? trace : trace.slice(-LAST_LINES);
    console.log([...lines, `Seed ${seed}: ${violations.join("; ")}`].join("\n"));
  }
  expect(broken.map(({ seed }) => seed)).toEqual([]);
  expect(weeks).toHaveLength(SEEDS);
}, 1_200_000);

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
