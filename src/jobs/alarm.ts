import { type Clock, MINUTE } from "../shared/time.ts";

/** Rings between two beats of the heartbeat; what lies further ahead is the next beat's. */
export interface Alarm {
  readonly at: (instant: Temporal.Instant) => void;
  readonly stop: () => void;
}

const MOMENT_MS = 100;

/** Instants of the same moment ring together. */
export const createAlarm = (clock: Clock, ring: () => void): Alarm => {
  const set = new Map<number, NodeJS.Timeout>();
  let stopped = false;
  return {
    at: (instant) => {
      const moment = Math.ceil(instant.epochMilliseconds / MOMENT_MS);
      // What is overdue already could not be done just now: it is not tried without a pause.
      const waitMs = Math.max(moment * MOMENT_MS - clock.now().epochMilliseconds, MOMENT_MS);
      if (stopped || waitMs >= MINUTE || set.has(moment)) return;
      const rings = (): void => {
        set.delete(moment);
        ring();
      };
      set.set(moment, setTimeout(rings, waitMs).unref());
    },
    stop: () => {
      stopped = true;
      for (const timer of set.values()) clearTimeout(timer);
      set.clear();
    },
  };
};
