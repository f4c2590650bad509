/** Measures and waits; tests pass virtual time. */
export interface Timers {
  /** Monotonic milliseconds, unaffected by changes of the wall clock. */
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

/** Resolves after the delay. */
export const waitBy = (timers: Timers, delayMs: number): Promise<void> =>
  new Promise((resolve) => void timers.after(delayMs, resolve));
