import { MINUTE, SECOND } from "../shared/time.ts";

/** Less than the heartbeat at first, so that one failure costs one minute. */
const WAITS_MS = [30 * SECOND, 90 * SECOND, 4 * MINUTE, 8 * MINUTE, 15 * MINUTE];
const LONGEST_WAIT_MS = 15 * MINUTE;

/**
 * Who failed lately waits a little longer each time. In memory only: what it forgets with the process costs one
 * attempt, and nothing that is owed depends on it.
 */
export interface Patience {
  readonly mayTry: (id: string, now: Temporal.Instant) => boolean;
  readonly failed: (id: string, now: Temporal.Instant) => void;
  /** Forgets everybody else: nothing is asked for them any more. */
  readonly keepOnly: (ids: ReadonlySet<string>) => void;
}

export const createPatience = (): Patience => {
  const waiting = new Map<string, { readonly failures: number; readonly untilMs: number }>();
  return {
    mayTry: (id, now) => {
      const leftMs = (waiting.get(id)?.untilMs ?? 0) - now.epochMilliseconds;
      // A longer wait than any can only come of a clock that went back.
      return leftMs <= 0 || leftMs > LONGEST_WAIT_MS;
    },
    failed: (id, now) => {
      const failures = (waiting.get(id)?.failures ?? 0) + 1;
      const waitMs = WAITS_MS[Math.min(failures, WAITS_MS.length) - 1] ?? LONGEST_WAIT_MS;
      waiting.set(id, { failures, untilMs: now.epochMilliseconds + waitMs });
    },
    keepOnly: (ids) => {
      for (const id of waiting.keys()) if (!ids.has(id)) waiting.delete(id);
    },
  };
};
