import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createDice } from "../simulate/dice.ts";
import { interleave } from "./interleaving.ts";
import { openInterleavings } from "./stage.ts";

/** The simulations run a thousand. */
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

// A deadline missed on a slow machine would change the outcome of a seed.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterAll(() => {
  vi.useRealTimers();
});

test(`in ${RUNS} tangles of clicks nobody moves what is not theirs, and nothing is sent twice`, async () => {
  const dice = createDice(Number(process.env["SEED"] ?? "1"));
  const stage = await openInterleavings(dice);
  const findings: string[] = [];
  const labels = new Set<string>();
  let confirmed = 0;
  let executed = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const run = await interleave(stage, dice, seed);
    findings.push(...run.findings);
    for (const { label } of run.attempts) labels.add(label);
    confirmed += run.confirmed;
    executed += run.executed;
  }
  await stage.close();
  expect(findings).toEqual([]);
  expect(stage.lines.filter(({ level }) => level === "error")).toEqual([]);
  expect(stage.wallet.mostAtOnce()).toBe(1);
  // A guard that rejects everything would pass the checks above.
  expect([...labels].toSorted()).toEqual(LABELS);
  expect(confirmed).toBeGreaterThan(RUNS);
  expect(executed).toBeGreaterThan(RUNS / 2);
});
