import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { seededRandom } from "../simulate/seeded-random.ts";
import { interleave } from "./interleaving.ts";
import { openInterleavings } from "./stage.ts";

/** The simulations make a thousand of them. */
const RUNS = Number(process.env["INTERLEAVINGS"] ?? "150");
const LABELS = [
  "abandon",
  "another owner",
  "bit flip",
  "confirm",
  "deaf",
  "direct message",
  "form",
  "other action",
  "other channel",
  "other guild",
  "replay",
  "stale event",
  "stranger",
  "swapped",
  "wrong PIN",
];

// A deadline that a slow machine missed would change what a tangle does.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterAll(() => {
  vi.useRealTimers();
});

test(`in ${RUNS} tangles of clicks nobody moves what is not theirs, and nothing is sent twice`, async () => {
  const dice = seededRandom(Number(process.env["SEED"] ?? "1"));
  const stage = await openInterleavings(dice);
  const findings: string[] = [];
  const labels = new Set<string>();
  let confirmed = 0;
  let executed = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const run = await interleave(stage, dice, seed);
    findings.push(...run.findings);
    for (const { label } of run.deeds) labels.add(label);
    confirmed += run.confirmed;
    executed += run.executed;
  }
  await stage.close();
  expect(findings).toEqual([]);
  expect(stage.lines.filter(({ level }) => level === "error")).toEqual([]);
  expect(stage.wallet.mostAtOnce()).toBe(1);
  // Guarding everything by letting nothing through would be no proof.
  expect([...labels].toSorted()).toEqual(LABELS);
  expect(confirmed).toBeGreaterThan(RUNS);
  expect(executed).toBeGreaterThan(RUNS / 2);
});
