import { setImmediate } from "node:timers/promises";
import { type Clock, pause, SECOND } from "./time.ts";

/** Runs `work` on the items in their order. After `stopping` is aborted no item begins; running work is finished. */
type Workers = <Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
  stopping?: AbortSignal,
) => Promise<void>;

/** Workers that overlapping runs share: together they work on at most `most` items at a time. */
export const createWorkers = (most: number): Workers => {
  let busy = 0;
  return async (items, work, stopping = new AbortController().signal) => {
    // All workers share one iterator: a free worker takes the next item.
    const waiting =
      Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      busy++;
      try {
        while (!stopping.aborted) {
          const { done, value } = await waiting.next();
          if (done === true || stopping.aborted) return;
          await work(value);
        }
      } finally {
        busy--;
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: most - busy }, worker));
    for (const end of ended) if (end.status === "rejected") throw end.reason;
  };
};

/**
 * Items for workers, claimed in batches: one claim at a time, because each is a transaction, for the workers of all runs.
 * A worker that asks during a claim asks again where it brings no item: the item of its own run may be due since.
 * After `stopping` is aborted, the claimed items still come. `whenEmpty` runs each time that a worker finds no item; a
 * worker may ask again: a worker of an earlier run then helps the newer run.
 */
export const createClaims = <Item>(
  claim: () => Promise<readonly Item[]>,
  whenEmpty?: () => Promise<void>,
): ((stopping: AbortSignal) => AsyncIterable<Item>) => {
  const claimed: Item[] = [];
  let claiming: Promise<void> | undefined;
  /** The claim under way began in this turn, for all workers that begin together. */
  let isJustBegun = false;
  const claimMore = async (): Promise<void> => {
    isJustBegun = true;
    queueMicrotask(() => (isJustBegun = false));
    claimed.push(...(await claim()));
  };
  const claimOnce = (): Promise<void> =>
    (claiming ??= claimMore().finally(() => (claiming = undefined)));
  const next = async (stopping: AbortSignal): Promise<IteratorResult<Item>> => {
    if (claimed.length === 0 && !stopping.aborted) {
      const isLate = claiming !== undefined && !isJustBegun;
      await claimOnce();
      if (isLate && claimed.length === 0 && !stopping.aborted) await claimOnce();
    }
    const value = claimed.shift();
    if (value !== undefined) return { done: false, value };
    await whenEmpty?.();
    return { done: true, value };
  };
  return (stopping) => ({ [Symbol.asyncIterator]: () => ({ next: () => next(stopping) }) });
};

/**
 * Gives each caller a turn of the event loop of its own: work that SQLite answers at once would otherwise run together
 * with all other work that waits, and hold up everything else.
 */
export const createTurns = (): (() => Promise<void>) => {
  let last = Promise.resolve();
  return () => (last = last.then(() => setImmediate()));
};

/** Longest wait, in gaps: bounds the wait after the clock was set back. */
const MOST_AHEAD = 32;

/** Items that begin together: a timer for each item would cost half as much CPU as its work. */
const TOGETHER = 8;
/** Up to this many items are not a burst. */
const FEW = 60;
/** A little less than the minute until the next run. */
const SPREAD_MS = 55 * SECOND;

/**
 * Spreads the starts of work evenly, in small groups, so that items due together do not form a burst: turns for `count`
 * items in a minute. A missed turn is not made up for.
 */
export const createSpacing = (clock: Clock, count: number) => {
  const gapMs = count <= FEW ? 0 : SPREAD_MS / count;
  const stepMs = TOGETHER * gapMs;
  let nextMs = -Infinity;
  return {
    /** Resolves when the next item may begin; at once when stopping. */
    turn: async (stopping: AbortSignal): Promise<void> => {
      if (gapMs === 0 || stopping.aborted) return;
      const nowMs = clock.now().epochMilliseconds;
      const atMs = Math.max(Math.min(nextMs, nowMs + MOST_AHEAD * gapMs), nowMs);
      nextMs = atMs + gapMs;
      const beginMs = Math.ceil(atMs / stepMs) * stepMs;
      if (beginMs > nowMs) await pause(beginMs - nowMs, stopping);
    },
  };
};
