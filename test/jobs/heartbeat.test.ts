import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createHeartbeat, untilNextMinute } from "#src/jobs/heartbeat.ts";

const MINUTE = 60_000;
const clock = { now: () => Temporal.Instant.fromEpochMilliseconds(Date.now()) };

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-11-17T12:00:20Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

test("the next full minute is at most a minute away, and never now", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 4e12 }), (ms) => {
      const wait = untilNextMinute(Temporal.Instant.fromEpochMilliseconds(ms));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(MINUTE);
      expect(Math.abs((ms + wait) % MINUTE)).toBe(0);
    }),
  );
});

test("it beats at each full minute until it is stopped", async () => {
  const beats: string[] = [];
  const heartbeat = createHeartbeat(clock, async () => void beats.push(clock.now().toString()));
  heartbeat.start();
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  heartbeat.stop();
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect(beats).toEqual(["2026-11-17T12:01:00Z", "2026-11-17T12:02:00Z"]);
});

test("it never beats while the beat before is under way", async () => {
  const slow = Promise.withResolvers<void>();
  let beats = 0;
  const heartbeat = createHeartbeat(clock, () => {
    beats++;
    return slow.promise;
  });
  heartbeat.start();
  await vi.advanceTimersByTimeAsync(5 * MINUTE);
  expect(beats).toBe(1);
  slow.resolve();
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(beats).toBe(2);
  heartbeat.stop();
});
