import { SECOND } from "./duration.ts";

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
