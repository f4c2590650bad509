import type { WalletErrorKind } from "../shared/errors.ts";

const MOST_RETRIES = 2;

/** What a try needs of the deadline to be worth a call of the account's quota. */
export const SHORTEST_TRY_MS = 50;

/** What the next try of a read may end better. */
const PASSING: ReadonlySet<WalletErrorKind> = new Set([
  "unavailable",
  "timeout",
  "unreachable",
  "rate_limited",
]);

export interface FailedTry {
  readonly kind: WalletErrorKind;
  /** Tries so far, this one included. */
  readonly tries: number;
  /** Time left of the operation's deadline. */
  readonly leftMs: number;
  readonly baseMs: number;
  /** In [0, 1). */
  readonly fraction: number;
}

/**
 * The delay before a read is tried again, with full jitter, or undefined when it is not. After a 429 the wait is the
 * account's own, kept by the pacer.
 */
export const retryDelay = (failed: FailedTry): number | undefined => {
  if (failed.tries > MOST_RETRIES || !PASSING.has(failed.kind)) return undefined;
  const mostMs = failed.kind === "rate_limited" ? 0 : failed.baseMs * 2 ** (failed.tries - 1);
  // Whole milliseconds: beside a fraction small enough, a sum in floating point is not more than its other part.
  const delay = Math.floor(failed.fraction * mostMs);
  return delay + SHORTEST_TRY_MS <= failed.leftMs ? delay : undefined;
};
