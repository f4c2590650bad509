import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cronMinutes } from "#src/scheduler/scheduler.job.ts";
import { createLogger } from "#src/shared/log.ts";
import { createSecretScrubber } from "#src/shared/secret.ts";
import { MINUTE, HOUR } from "#src/shared/time.ts";

const now = (): string => new Date().toISOString().slice(11, 19);

const clock = { now: () => Temporal.Instant.fromEpochMilliseconds(Date.now()) };

let lines: string[];
let beats: string[];
let stop: () => void;

const begin = (
  beat: () => Promise<void> = async () => {},
  level: "info" | "debug" = "info",
): void => {
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLogger(level, createSecretScrubber(), destination);
  stop = cronMinutes(
    clock,
    log,
  )(() => {
    beats.push(now());
    return beat();
  });
};

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-11-17T12:00:20Z") });
  lines = [];
  beats = [];
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test("it beats at each full minute until it is stopped, and leaves no timer", async () => {
  begin();
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  stop();
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect(beats).toEqual(["12:01:00", "12:02:00"]);
});

test("it never beats while the beat before is under way, and says nothing of it", async () => {
  const slow = Promise.withResolvers<void>();
  begin(() => slow.promise);
  await vi.advanceTimersByTimeAsync(5 * MINUTE);
  expect(beats).toHaveLength(1);
  slow.resolve();
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(beats).toHaveLength(2);
  expect(lines).toEqual([]);
});

test("a beat that fails is logged, and the next one comes", async () => {
  begin(() => Promise.reject(new RangeError("of somebody's words")));
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect(beats).toHaveLength(2);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('"name":"RangeError"');
  expect(lines[0]).not.toContain("somebody");
});

test.each([
  ["half a minute", MINUTE / 2],
  ["an hour", HOUR],
  ["a day", 24 * HOUR],
])("a clock that goes ahead by %s costs no beat", async (_, stepMs) => {
  begin();
  await vi.advanceTimersByTimeAsync(MINUTE);
  vi.setSystemTime(Date.now() + stepMs);
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect(beats.length).toBeGreaterThanOrEqual(3);
  expect(lines).toEqual([]);
});

test("a clock that goes ahead by a month is not followed minute by minute, which would block the loop", async () => {
  begin(undefined, "debug");
  await vi.advanceTimersByTimeAsync(MINUTE + 10_000);
  vi.setSystemTime(Date.now() + 30 * 24 * HOUR);
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect(beats.slice(1)).toEqual(["12:01:59", "12:02:00", "12:03:00"]);
  // node-cron logs one line for each minute that it passes through.
  expect(lines).toEqual([]);
});

test("a beat that a leap of the clock finds under way is not joined by another", async () => {
  const slow = Promise.withResolvers<void>();
  begin(() => slow.promise);
  await vi.advanceTimersByTimeAsync(MINUTE);
  vi.setSystemTime(Date.now() + HOUR);
  await vi.advanceTimersByTimeAsync(3 * MINUTE);
  expect(beats).toHaveLength(1);
  slow.resolve();
});

test.each([
  ["half a minute", MINUTE / 2],
  ["an hour", HOUR],
  ["a day", 24 * HOUR],
])("a clock that is set back by %s is waited for no longer than a minute", async (_, stepMs) => {
  begin();
  await vi.advanceTimersByTimeAsync(MINUTE);
  vi.setSystemTime(Date.now() - stepMs);
  await vi.advanceTimersByTimeAsync(5 * MINUTE);
  expect(beats.length).toBeGreaterThanOrEqual(5);
  expect(beats.at(-1)).toMatch(/:00$/);
});

test("a minute that is late, because the process was busy, is told all the same", async () => {
  begin();
  await vi.advanceTimersByTimeAsync(30_000);
  vi.setSystemTime(Date.parse("2026-11-17T12:01:20Z"));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(beats).toEqual(["12:01:30"]);
});
