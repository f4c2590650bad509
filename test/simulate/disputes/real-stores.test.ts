import { expect, it } from "vitest";
import { simulateFortnight } from "./fortnight.ts";
import { openMemoryStage } from "./memory-stores.ts";
import { openSqliteStage } from "./sqlite-stage.ts";

const SEEDS = 100;
const WHOLE_SEEDS = 8;

it(`lives ${SEEDS} fortnights on the real stores as on the model of them`, async () => {
  const model = await openMemoryStage();
  const real = await openSqliteStage();
  let alerts = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const expected = await simulateFortnight(model, seed);
    expect(await simulateFortnight(real, seed)).toEqual(expected);
    alerts += expected.alerts;
  }
  await real.close();
  console.log(`${SEEDS} seeds on SQLite: the same ${alerts} alerts, and all that led to them`);
});

it(`finds nothing else in ${WHOLE_SEEDS} fortnights of which every minute is lived`, async () => {
  const stage = await openMemoryStage();
  for (let seed = 1; seed <= WHOLE_SEEDS; seed++) {
    const { violations } = await simulateFortnight(stage, seed, { everyMinute: true });
    expect(violations).toEqual([]);
  }
});
