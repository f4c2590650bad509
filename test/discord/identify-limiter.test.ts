import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  askAgainDelayMs,
  createIdentifyLimiter,
  START_WINDOW_MS,
  startDelayMs,
} from "#src/discord/identify-limiter.ts";
import { reconnectDelayMs } from "#src/shared/time.ts";
import { quietLog, standingClock } from "../support/databases.ts";

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

describe("the turns of sixteen shards", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());
  /** The waits, in seconds, go on until they are aborted. */
  const limiter = () => {
    const waits: number[] = [];
    const { turn } = createIdentifyLimiter({
      api: { json: async () => ({}) },
      identifyBudget: { recordStart: async () => {}, startsSince: async () => 0 },
      information: {
        url: "wss://gateway.test",
        shards: 16,
        session_start_limit: {
          total: 1_000,
          remaining: 1_000,
          reset_after: 0,
          max_concurrency: 1,
        },
      },
      shardCount: 16,
      ownShards: Array.from({ length: 16 }, (_, id) => id),
      clock: standingClock("2026-11-20T00:00Z"),
      log: quietLog,
      wait: (ms, signal) => {
        waits.push(Math.round(ms / 100) / 10);
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        });
      },
    });
    return {
      waits,
      turn: (shardId: number) => {
        const stopping = new AbortController();
        const ended = turn(shardId, stopping.signal);
        return { ended, abort: () => stopping.abort() };
      },
    };
  };

  test("come five seconds apart", async () => {
    const { turn, waits } = limiter();
    await turn(0).ended;
    for (let id = 1; id < 16; id++) void turn(id).ended;
    expect(waits).toEqual(waits.map((_, place) => Math.round((place + 1) * 51) / 10));
    expect(waits).toHaveLength(15);
  });

  test("come after those of another process, which Discord took less than five seconds ago", async () => {
    const waits: number[] = [];
    let clockMs = 0;
    const began = Temporal.Instant.from("2026-11-20T00:00Z");
    const now = () => began.add({ milliseconds: 1_000 + clockMs });
    const { turn } = createIdentifyLimiter({
      api: { json: async () => ({}) },
      identifyBudget: {
        recordStart: async () => {},
        startsSince: async (at, _until, shards) =>
          shards.includes(1) && Temporal.Instant.compare(at, began) <= 0 ? 1 : 0,
      },
      information: {
        url: "wss://gateway.test",
        shards: 4,
        session_start_limit: { total: 1_000, remaining: 1_000, reset_after: 0, max_concurrency: 1 },
      },
      shardCount: 4,
      ownShards: [2, 3],
      clock: { now },
      log: quietLog,
      wait: async (ms) => {
        waits.push(ms);
        clockMs += ms;
      },
    });
    await turn(2, new AbortController().signal);
    const waited = waits.reduce((sum, ms) => sum + ms, 0);
    expect(waited).toBeGreaterThanOrEqual(4_000);
    expect(waited).toBeLessThanOrEqual(5_500);
  });

  test("are given back by who stops waiting, and taken by the next", async () => {
    const { turn, waits } = limiter();
    await turn(0).ended;
    const [first] = [turn(1), turn(2)];
    for (let times = 0; times < 50; times++) {
      const third = turn(3);
      third.abort();
      await expect(third.ended).rejects.toThrow("aborted");
    }
    first.abort();
    await expect(first.ended).rejects.toThrow("aborted");
    void turn(4).ended;
    void turn(5).ended;
    expect(waits).toEqual([5.1, 10.2, ...Array.from({ length: 50 }, () => 15.3), 5.1, 15.3]);
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
