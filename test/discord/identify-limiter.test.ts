import { describe, expect, test } from "vitest";
import { askAgainDelayMs, START_WINDOW_MS, startDelayMs } from "#src/discord/identify-limiter.ts";
import { reconnectDelayMs } from "#src/shared/time.ts";

const PLENTY = { remaining: 900, resetAfterMs: 3_600_000, shardCount: 1, ownShards: 1 };
const DAY_S = 86_400;

describe("the wait before an IDENTIFY", () => {
  test.each([
    [0, 0],
    [5, 0],
    [6, 64_000],
    [7, 128_000],
    [9, 512_000],
    [10, 600_000],
    [200, 600_000],
  ])("after %i starts in ten minutes is %i ms", (recentStarts, delayMs) => {
    expect(startDelayMs({ ...PLENTY, recentStarts })).toBe(delayMs);
  });

  test("counts the starts of each shard", () => {
    const facts = { ...PLENTY, shardCount: 16, ownShards: 16 };
    expect(startDelayMs({ ...facts, recentStarts: 95 })).toBe(0);
    expect(startDelayMs({ ...facts, recentStarts: 96 })).toBe(64_000);
  });

  test.each([
    [1, 10, 0],
    [1, 9, 3_600_000],
    [16, 99, 3_600_000],
    [16, 100, 0],
  ])("of %i shards with %i starts left is %i ms", (shardCount, remaining, delayMs) => {
    expect(startDelayMs({ ...PLENTY, shardCount, remaining, recentStarts: 0 })).toBe(delayMs);
  });

  test("keeps a bot that crashes at once, all day, below 1,000 starts and 50 an hour", () => {
    const starts: number[] = [];
    let now = 0;
    while (now < DAY_S) {
      const recentStarts = starts.filter((at) => now - at <= START_WINDOW_MS / 1_000).length;
      now += startDelayMs({ ...PLENTY, recentStarts }) / 1_000 + 1;
      starts.push(now);
    }
    const busiestHour = Math.max(
      ...starts.map((from) => starts.filter((at) => at >= from && at < from + 3_600).length),
    );
    expect(starts.length).toBeLessThan(1_000);
    expect(busiestHour).toBeLessThanOrEqual(50);
  });
});

test.each([
  [0, 0],
  [1, 0],
  [2, 1_000],
  [3, 2_000],
  [6, 16_000],
  [7, 30_000],
  [60, 30_000],
])("the wait before connection %i since the last Ready is at most %i ms", (failures, mostMs) => {
  expect(reconnectDelayMs(failures, 0.999_999)).toBeCloseTo(mostMs, -1);
  expect(reconnectDelayMs(failures, 0)).toBe(mostMs * 0.75);
});

test.each([
  [{}, 1, 1_000],
  [{}, 4, 8_000],
  [{ status: 500 }, 20, 60_000],
  [{ status: 401 }, 1, undefined],
  [{ status: 403 }, 1, 600_000],
  [{ status: 403, code: 40333 }, 1, 600_000],
  [{ status: 403, code: 50001 }, 1, 1_000],
])("after %o for the %i. time the gateway is asked for again in %s ms", (failure, failures, ms) => {
  expect(askAgainDelayMs(failure, failures)).toBe(ms);
});
