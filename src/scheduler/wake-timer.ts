import { type Clock, MINUTE } from "../shared/time.ts";

const MOMENT_MS = 100;

/**
 * Calls back at instants before the next beat, once for all of the same 100 ms; later ones are left to the heartbeat. A
 * file of its own, because `test/crash/money/ahead.ts` shifts the timers of this file.
 */
export const createWakeTimer = (clock: Clock, ring: () => void) => {
  const set = new Set<number>();
  return {
    at: (instant: Temporal.Instant): void => {
      const moment = Math.ceil(instant.epochMilliseconds / MOMENT_MS);
      // Overdue work has just failed: pause before the next try.
      const waitMs = Math.max(moment * MOMENT_MS - clock.now().epochMilliseconds, MOMENT_MS);
      if (waitMs >= MINUTE || set.has(moment)) return;
      const rings = (): void => {
        set.delete(moment);
        ring();
      };
      set.add(moment);
      setTimeout(rings, waitMs).unref();
    },
  };
};
