import { type Clock, pause, SECOND } from "../shared/time.ts";

/**
 * Works through the items in their order, at most so many at the same time. Once it is stopping none is begun; those
 * under way are finished. `work` takes care of its own failures.
 */
export const mapConcurrent = async <Item>(
  concurrency: number,
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
  stopping: AbortSignal,
): Promise<void> => {
  // One iterator for all: whichever lane is free takes the next item.
  const waiting =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    while (!stopping.aborted) {
      const { done, value } = await waiting.next();
      if (done === true || stopping.aborted) return;
      await work(value);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
};

/** Lets work begin a few at a time, at the same distance, so that what is due together is no burst. */
interface Spacing {
  /** Resolves when the next may begin; at once when it is stopping. */
  readonly turn: (stopping: AbortSignal) => Promise<void>;
}

/** However far ahead the line of turns is, by a clock that was set back, nobody waits longer than so many of them. */
const MOST_AHEAD = 32;

/** Waking up for one alone costs half as much CPU as its look. */
const TOGETHER = 8;
/** So many at once are no burst. */
const FEW = 60;
/** A little less than the minute in which they are due. */
const SPREAD_MS = 55 * SECOND;

/** Turns for so many in a minute. A turn that was not taken in time is not made up for. */
export const createSpacing = (clock: Clock, count: number): Spacing => {
  const gapMs = count <= FEW ? 0 : SPREAD_MS / count;
  const stepMs = TOGETHER * gapMs;
  let nextMs = -Infinity;
  return {
    turn: async (stopping) => {
      if (gapMs === 0 || stopping.aborted) return;
      const nowMs = clock.now().epochMilliseconds;
      const atMs = Math.max(Math.min(nextMs, nowMs + MOST_AHEAD * gapMs), nowMs);
      nextMs = atMs + gapMs;
      const beginMs = Math.ceil(atMs / stepMs) * stepMs;
      if (beginMs > nowMs) await pause(beginMs - nowMs, stopping);
    },
  };
};
