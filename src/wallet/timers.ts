/** Waiting and measuring in real time, in one seam so that a test can run it virtually. */
export interface Timers {
  /** Monotonic milliseconds: steps of the wall clock do not show. */
  readonly now: () => number;
  /** Runs `work` once after the delay; the returned function cancels it. */
  readonly after: (delayMs: number, work: () => void) => () => void;
}

export const systemTimers: Timers = {
  now: () => performance.now(),
  after: (delayMs, work) => {
    const timer = setTimeout(work, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
};
