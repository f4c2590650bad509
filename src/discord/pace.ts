import { pause, SECOND } from "../shared/time.ts";

/** Turns for requests of which a server counts so many in any second. */
export interface RequestPace {
  /** Resolves when the next request may be sent; each in its turn. Call what it gives when the answer is there. */
  readonly turn: () => Promise<() => void>;
}

/** A timer that runs out late is made up for within that time. */
const LATE_MS = 250;
/** Nobody waits longer for an answer that does not come. */
const LONGEST_WAY_MS = 0.5 * SECOND;
/** Timers run out in whole milliseconds. */
const TICK_MS = 2;

/**
 * Requests at an even distance, so that posts are no burst beside people's answers. The server counts them when they
 * arrive, by seconds of its own: however long one was on its way, what is sent a second after that, less the shortest
 * way there and back, arrives a second after it.
 */
export const createPace = (perSecond: number): RequestPace => {
  const gapMs = SECOND / perSecond;
  /** The last requests, as many as a second has. */
  const sent: { readonly atMs: number; wayMs: number }[] = [];
  let nextMs = 0;
  let line: Promise<unknown> = Promise.resolve();

  const freeAtMs = (): number => {
    if (sent.length < perSecond) return 0;
    const shortestMs = Math.min(...sent.map(({ wayMs }) => wayMs));
    const oldest = sent.shift();
    return oldest === undefined ? 0 : oldest.atMs + oldest.wayMs - shortestMs + SECOND + TICK_MS;
  };

  const next = async (): Promise<() => void> => {
    const atMs = Math.max(nextMs, freeAtMs());
    const waitMs = atMs - performance.now();
    if (waitMs > 0) await pause(Math.ceil(waitMs));
    const request = { atMs: performance.now(), wayMs: LONGEST_WAY_MS };
    sent.push(request);
    nextMs = Math.max(atMs, request.atMs - LATE_MS) + gapMs;
    return () => {
      request.wayMs = Math.min(LONGEST_WAY_MS, performance.now() - request.atMs);
    };
  };

  return {
    turn: () => {
      const turn = line.then(next);
      line = turn;
      return turn;
    },
  };
};
