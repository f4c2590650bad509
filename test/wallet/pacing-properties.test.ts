import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { MINUTE } from "#src/shared/duration.ts";
import type { Lane } from "#src/domain/lane.ts";
import { createPacer, type Pace } from "#src/wallet/pacing.ts";
import { createVirtualTimers } from "./virtual-timers.ts";

const PACE = { perMinute: 50, burst: 8, backgroundHeadroom: 4 };
const WITHDRAWALS = { perMinute: 60 / 31, burst: 2, backgroundHeadroom: 0 };

const LANES: readonly Lane[] = ["money", "interactive", "background"];

const LONGEST: Readonly<Record<Lane, number>> = {
  money: 10_000,
  interactive: 10_000,
  background: MINUTE,
};

interface Step {
  readonly afterMs: number;
  readonly lane: Lane;
  readonly times: number;
  readonly holdMs: number | undefined;
}

interface Turn {
  readonly lane: Lane;
  readonly askedAt: number;
  readonly doneAt: number;
  /** 0 when the turn was given. */
  readonly wait: number;
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.constant(0), fc.nat(50), fc.nat(3_000), fc.nat(90_000)),
    lane: fc.constantFrom(...LANES),
    times: fc.integer({ min: 1, max: 12 }),
    holdMs: fc.option(fc.integer({ min: 1_000, max: 40_000 }), { freq: 12, nil: undefined }),
  }),
  { minLength: 1, maxLength: 60 },
);

/** Runs the steps to their end in virtual time. */
const run = async (plan: readonly Step[], pace: Pace = PACE) => {
  const timers = createVirtualTimers();
  const pacer = createPacer(pace, timers);
  const turns: Turn[] = [];
  const holds: { readonly from: number; readonly until: number }[] = [];
  const asked: Promise<void>[] = [];
  const ask = async (lane: Lane) => {
    const askedAt = timers.now();
    const wait = await pacer.take("account", lane, LONGEST[lane]);
    turns.push({ lane, askedAt, doneAt: timers.now(), wait });
  };
  for (const { afterMs, lane, times, holdMs } of plan) {
    await timers.pass(afterMs);
    if (holdMs !== undefined) {
      pacer.hold("account", holdMs);
      holds.push({ from: timers.now(), until: timers.now() + holdMs });
    }
    for (let n = 0; n < times; n += 1) asked.push(ask(lane));
    await timers.pass(0);
  }
  await timers.pass(20 * MINUTE);
  await Promise.all(asked);
  const granted = turns.filter(({ wait }) => wait === 0);
  return { turns, granted, holds, forgotten: pacer.size() === 0 };
};

const mostWithinAMinute = (turns: readonly Turn[]): number => {
  const times = turns.map(({ doneAt }) => doneAt).toSorted((a, b) => a - b);
  let first = 0;
  let most = 0;
  for (const [last, time] of times.entries()) {
    while (time - (times[first] ?? time) > MINUTE) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
};

const always = (check: (outcome: Awaited<ReturnType<typeof run>>) => void, pace?: Pace) =>
  fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      check(await run(plan, pace));
    }),
    { numRuns: 1_000 },
  );

/** Turns that went to a lower lane while a higher one waited. */
const passingOver = (granted: readonly Turn[]): readonly Turn[] =>
  granted.filter((low) =>
    granted.some(
      (high) =>
        LANES.indexOf(high.lane) < LANES.indexOf(low.lane) &&
        high.askedAt < low.doneAt &&
        high.doneAt > low.doneAt,
    ),
  );

describe("whatever is asked of an account", () => {
  test("its calls keep to its pace, its lanes and its holds, and everybody gets an answer", () =>
    always(({ turns, granted, holds, forgotten }) => {
      expect(mostWithinAMinute(granted), "calls in 60 seconds").toBeLessThanOrEqual(60);
      // A timer runs on whole milliseconds.
      const late = turns.filter(
        ({ lane, askedAt, doneAt }) => doneAt - askedAt > LONGEST[lane] + 1,
      );
      expect(late, "who waits longer than that lane bears").toEqual([]);
      expect(passingOver(granted), "lower lanes before higher ones").toEqual([]);
      const held = granted.filter(({ doneAt }) =>
        holds.some(({ from, until }) => doneAt > from && doneAt < until),
      );
      expect(held, "turns while the account is on hold").toEqual([]);
      expect(turns.filter(({ wait }) => !(wait >= 0))).toEqual([]);
      expect(forgotten, "the account is forgotten in the end").toBe(true);
    }));

  test("no 60 seconds see more than 3 of its withdrawals", () =>
    always(({ granted }) => {
      expect(mostWithinAMinute(granted)).toBeLessThanOrEqual(3);
    }, WITHDRAWALS));
});

test("an account that only its owner uses gets the 50 calls a minute that it may have", async () => {
  const everySecond = Array.from({ length: 600 }, (): Step => ({
    afterMs: 1_000,
    lane: "interactive",
    times: 1,
    holdMs: undefined,
  }));
  const { granted } = await run(everySecond);

  expect(granted.length).toBeGreaterThanOrEqual(500);
});

test("a person is served within a second although a thousand jobs ask for the same account", async () => {
  const jobs: readonly Step[] = [
    { afterMs: 0, lane: "background", times: 1_000, holdMs: undefined },
  ];
  const people = Array.from({ length: 20 }, (): Step => ({
    afterMs: 2_500,
    lane: "interactive",
    times: 1,
    holdMs: undefined,
  }));
  const { turns } = await run([...jobs, ...people]);
  const waits = turns.filter(({ lane }) => lane === "interactive");

  expect(waits.every(({ askedAt, doneAt, wait }) => wait === 0 && doneAt - askedAt < 1_000)).toBe(
    true,
  );
});
