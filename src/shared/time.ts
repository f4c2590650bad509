/** Where the time comes from: the system in production, a clock that tests and the sandbox can move elsewhere. */
export interface Clock {
  readonly now: () => Temporal.Instant;
}

/** Milliseconds in the units that the code speaks of. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/**
 * Resolves after that time, or at once when it is stopping. By the global timers, which tests and simulations run in
 * virtual time; those of `node:timers/promises` stay real.
 */
export const pause = (ms: number, stopping?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stopping?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stopping?.addEventListener("abort", end);
  });

const LONGEST_RECONNECT_DELAY_MS = 30 * SECOND;

/**
 * How long to wait, in milliseconds, before the `failures`-th connection since the last one that worked: no time before
 * the first two. `fraction` in [0, 1) spreads many processes.
 */
export const reconnectDelayMs = (
  failures: number,
  fraction: number,
  longestMs = LONGEST_RECONNECT_DELAY_MS,
): number =>
  failures <= 1 ? 0 : Math.min(2 ** (failures - 2) * SECOND, longestMs) * (0.75 + fraction / 4);
