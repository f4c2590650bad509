import { MINUTE, SECOND } from "../shared/time.ts";

/** Starts are counted over this long. */
export const START_WINDOW_MS = 10 * MINUTE;
const FREE_STARTS = 5;
const LONGEST_RESTART_DELAY_MS = 600 * SECOND;
const SPARE_STARTS = 100;
const SPARE_STARTS_PER_SHARD = 10;
const LONGEST_ASK_DELAY_MS = MINUTE;
const BLOCKED_DELAY_MS = 10 * MINUTE;

/** Waits; rejects when the signal aborts. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export interface StartFacts {
  /** What Discord has left of the day's session starts, and when they are filled up again. */
  readonly remaining: number;
  readonly resetAfterMs: number;
  /** All shards of the bot, of every process. */
  readonly shardCount: number;
  /** Shards of this process. */
  readonly ownShards: number;
  /** IDENTIFYs of these shards, by this process and those before it, in the last ten minutes. */
  readonly recentStarts: number;
}

/**
 * How long to wait before an IDENTIFY. The day has 1,000 of them, and Discord resets the token of a bot that spends
 * more: a crash loop must not. Five starts of each shard in ten minutes are free.
 */
export const startDelayMs = (facts: StartFacts): number => {
  const { remaining, resetAfterMs, shardCount, ownShards, recentStarts } = facts;
  const few = remaining < SPARE_STARTS && remaining < SPARE_STARTS_PER_SHARD * shardCount;
  const starts = Math.floor(recentStarts / Math.max(1, ownShards));
  const restartDelayMs =
    starts > FREE_STARTS ? Math.min(2 ** starts * SECOND, LONGEST_RESTART_DELAY_MS) : 0;
  return Math.max(few ? resetAfterMs : 0, restartDelayMs);
};

/** How long to wait before asking for the gateway's address again; undefined when no token of ours will do. */
export const askAgainDelayMs = (
  failure: { readonly status?: number; readonly code?: number | undefined },
  failures: number,
): number | undefined => {
  if (failure.status === 401) return undefined;
  // Without one of Discord's codes it is a page of its shield, which blocks the address for a while.
  if (failure.status === 403 && failure.code === undefined) return BLOCKED_DELAY_MS;
  return Math.min(2 ** (failures - 1) * SECOND, LONGEST_ASK_DELAY_MS);
};
