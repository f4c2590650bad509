import { expect, test } from "vitest";
import { DAY, HOUR, SECOND } from "#src/shared/duration.ts";
import { createVirtualClock, timersAheadBy } from "#src/sandbox/clock.ts";

const secondsApart = (a: Temporal.Instant, b: Temporal.Instant): number =>
  Math.round((a.epochMilliseconds - b.epochMilliseconds) / SECOND);

test("the clock starts where told, and moves to an instant or by a while, also back", () => {
  const start = Temporal.Instant.from("2026-11-20T12:00:00Z");
  const clock = createVirtualClock(start);
  expect(secondsApart(clock.now(), start)).toBe(0);
  clock.moveBy(2 * HOUR);
  expect(secondsApart(clock.now(), start)).toBe(7_200);
  clock.moveTo(start.subtract({ hours: 24 }));
  expect(secondsApart(clock.now(), start)).toBe(-DAY / SECOND);
});

test("another clock with the same offset shows the same time", () => {
  const clock = createVirtualClock();
  expect(clock.offsetMs()).toBe(0);
  clock.moveBy(DAY);
  const shown = Date.now() + clock.offsetMs();
  expect(secondsApart(clock.now(), Temporal.Instant.fromEpochMilliseconds(shown))).toBe(0);
});

test("listeners are told of each move until they leave", () => {
  const clock = createVirtualClock();
  let moves = 0;
  const leave = clock.onMove(() => moves++);
  clock.moveBy(1);
  clock.moveTo(clock.now());
  leave();
  clock.moveBy(1);
  expect(moves).toBe(2);
});

test("timers ahead of real time see each move as time that has passed", () => {
  const clock = createVirtualClock();
  const timers = timersAheadBy(clock.offsetMs);
  const before = timers.now();
  clock.moveBy(DAY);
  expect(Math.round((timers.now() - before) / SECOND)).toBe(DAY / SECOND);
});

test("what timers were to do and was cancelled is not done", async () => {
  const timers = timersAheadBy(() => 0);
  const done: string[] = [];
  timers.after(1, () => done.push("cancelled"))();
  await new Promise<void>((resolve) => {
    timers.after(2, resolve);
  });
  expect(done).toEqual([]);
});
