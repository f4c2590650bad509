import { expect, onTestFinished, test, vi } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import { createVirtualClock, minutesOf, timersAheadBy } from "#src/sandbox/clock.ts";

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
  const leave = clock.onMove(() => void moves++);
  clock.moveBy(1);
  clock.moveTo(clock.now());
  leave();
  clock.moveBy(1);
  expect(moves).toBe(2);
});

test("timers ahead of real time see each move as time that has passed", () => {
  const clock = createVirtualClock();
  const timers = timersAheadBy(clock);
  const before = timers.now();
  clock.moveBy(DAY);
  expect(Math.round((timers.now() - before) / SECOND)).toBe(DAY / SECOND);
});

test("what waits by such timers is done when the clock is moved past it, once, and not before", () => {
  const clock = createVirtualClock();
  const timers = timersAheadBy(clock);
  const done: string[] = [];
  timers.after(HOUR, () => done.push("hour"));
  timers.after(DAY, () => done.push("day"));
  clock.moveBy(2 * HOUR);
  clock.moveBy(2 * HOUR);
  expect(done).toEqual(["hour"]);
  clock.moveBy(DAY);
  expect(done).toEqual(["hour", "day"]);
});

test("what timers were to do and was cancelled is not done", async () => {
  const clock = createVirtualClock();
  const timers = timersAheadBy(clock);
  const done: string[] = [];
  timers.after(1, () => done.push("cancelled"))();
  clock.moveBy(1);
  await new Promise<void>((resolve) => {
    timers.after(2, resolve);
  });
  expect(done).toEqual([]);
});

test("beats come at each full minute, and none while the beat before is under way", async () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-17T12:00:20Z") });
  onTestFinished(() => void vi.useRealTimers());
  const slow = Promise.withResolvers<void>();
  const beats: string[] = [];
  const stop = minutesOf(createVirtualClock())(() => {
    beats.push(new Date().toISOString().slice(11, 19));
    return beats.length === 2 ? slow.promise : Promise.resolve();
  });
  await vi.advanceTimersByTimeAsync(4 * MINUTE);
  expect(beats).toEqual(["12:01:00", "12:02:00"]);
  slow.resolve();
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(beats.at(-1)).toBe("12:05:00");
  stop();
  expect(vi.getTimerCount()).toBe(0);
});
