import { setImmediate } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { createClaims, createSpacing } from "#src/shared/concurrency.ts";
import { SECOND } from "#src/shared/time.ts";
import { useVirtualTimers } from "../simulate/fleet/fleet.ts";
import { createVirtualTime } from "../simulate/virtual-time.ts";

const COUNT = 4_000;
const LANES = 24;

let restore = (): void => {};
afterEach(() => restore());

/** Start time of each run, in milliseconds from the first full minute; each run lasts `takesMs`. */
const begun = async (count: number, takesMs: number, untilMs: number): Promise<number[]> => {
  const time = createVirtualTime("2026-11-20T15:00:00Z");
  restore = useVirtualTimers(time);
  const startMs = time.nowMs();
  const spacing = createSpacing(time.clock, count);
  const starts: number[] = [];
  const lane = async (): Promise<void> => {
    while (starts.length < count) {
      await spacing.turn(new AbortController().signal);
      starts.push(time.nowMs() - startMs);
      await new Promise<void>((resolve) => void time.after(takesMs, resolve));
    }
  };
  for (let lanes = 0; lanes < LANES; lanes++) void lane();
  await time.run(startMs + untilMs, () => false);
  return starts;
};

test("spreads looks over the minute, a few at a time", async () => {
  const starts = await begun(COUNT, 200, 60 * SECOND);

  expect(starts.length).toBeGreaterThanOrEqual(COUNT);
  const perSecond = Map.groupBy(starts, (at) => Math.floor(at / SECOND));
  const counts = [...perSecond.values()].map(({ length }) => length);
  expect(Math.max(...counts)).toBeLessThanOrEqual((1.5 * COUNT) / 55);
  expect(new Set(starts).size).toBeLessThanOrEqual(COUNT / 6);
});

test("a run that begins during a claim of an earlier one claims what became due for it", async () => {
  const due: string[] = [];
  const ends: (() => void)[] = [];
  const claims = createClaims(async () => {
    const claimed = due.splice(0);
    await new Promise<void>((resolve) => void ends.push(resolve));
    return claimed;
  });
  const done: string[] = [];
  const run = async (): Promise<void> => {
    for await (const item of claims(new AbortController().signal)) done.push(item);
  };
  const earlier = run();
  await setImmediate();
  due.push("a call's account");
  const runs = [earlier, run(), run()];
  const isOver = Promise.all(runs).then(() => true);
  while (!(await Promise.race([isOver, setImmediate(false)]))) ends.shift()?.();
  expect(done).toEqual(["a call's account"]);
});

test("lets a few begin at once", async () => {
  expect(await begun(60, 1, SECOND)).toHaveLength(60);
});
