import { SECOND } from "../shared/time.ts";
import type { Priority } from "../accounts/wallet-key.ts";

export type WalletLimits = Readonly<typeof DEFAULT_LIMITS>;

/** Source: decisions 3 and 4. */
export const DEFAULT_LIMITS = {
  connectTimeoutMs: 5 * SECOND,
  /** Longest pause between two pieces of a body. */
  bodyTimeoutMs: 10 * SECOND,
  readHeadersTimeoutMs: 10 * SECOND,
  /** One read with all its retries, from its first turn on. */
  readDeadlineMs: 15 * SECOND,
  moneyHeadersTimeoutMs: 30 * SECOND,
  moneyDeadlineMs: 45 * SECOND,
  /** Simultaneous calls that move money, over all accounts. */
  moneyConnections: 512,
  /** Upper bound of the first retry's random delay; doubled for the next. */
  retryBaseMs: 250,
  /** Longest wait for a turn; a call that would wait longer is refused without being sent. */
  longestWaitMs: {
    money: 10 * SECOND,
    interactive: 10 * SECOND,
    background: 60 * SECOND,
  } satisfies Record<Priority, number>,
  /** Fewest calls in half a minute for the breaker to open, which it does when half of them get no answer. */
  breakerCalls: 20,
  /** How long identical reads of one account, for people, share one answer. */
  sharedReadMs: 2 * SECOND,
};
