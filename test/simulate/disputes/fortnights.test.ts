import { expect, it } from "vitest";
import { DAY } from "#src/shared/duration.ts";
import { simulateFortnight, type FortnightResult } from "./fortnight.ts";
import { openMemoryStage } from "./memory-stores.ts";
import { runSeeds } from "../run-seeds.ts";

/** `SIMULATE_FROM=123 SIMULATE_SEEDS=1` tells all that happened in seed 123. */
const FROM = Number(process.env["SIMULATE_FROM"] ?? 1);
const SEEDS = Number(process.env["SIMULATE_SEEDS"] ?? 10_000);
const LAST_LINES = 40;
const WORKER = new URL("./seed-worker.ts", import.meta.url);

it(`tells of each dispute what is owed, once, through ${SEEDS} fortnights`, async () => {
  const started = performance.now();
  const cpuBefore = process.cpuUsage();

  const fortnights = await runSeeds<FortnightResult>(WORKER, FROM, SEEDS);

  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const { user, system } = process.cpuUsage(cpuBefore);
  const sum = (of: "disputes" | "alerts" | "repeats" | "deaths" | "downMs"): number =>
    fortnights.reduce((total, each) => total + each[of], 0);
  console.log(
    `${fortnights.length} seeds of two weeks in ${seconds} s ` +
      `(${((user + system) / 1e6).toFixed(0)} s of processor): ${sum("disputes")} disputes, ` +
      `${sum("alerts")} alerts, ${sum("repeats")} marked repeats, ${sum("deaths")} deaths, ` +
      `${(sum("downMs") / DAY).toFixed(0)} days of processes that were down`,
  );
  const broken = fortnights.filter(({ violations }) => violations.length > 0);
  for (const { seed, violations, trace } of SEEDS === 1 ? fortnights : broken.slice(0, 3)) {
    const lines = SEEDS === 1 ? trace : trace.slice(-LAST_LINES);
    console.log([...lines, `Seed ${seed}: ${violations.join("; ")}`].join("\n"));
  }
  expect(broken.map(({ seed }) => seed)).toEqual([]);
  expect(fortnights).toHaveLength(SEEDS);
}, 1_200_000);

it("lives the same fortnight whenever the seed is the same", async () => {
  const stage = await openMemoryStage();
  const other = await openMemoryStage();
  await simulateFortnight(stage, 11);

  const first = await simulateFortnight(stage, 12);
  const again = await simulateFortnight(other, 12);

  expect(first.disputes).toBeGreaterThan(0);
  expect(again).toEqual(first);
});
