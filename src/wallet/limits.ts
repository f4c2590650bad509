import { SECOND } from "../shared/time.ts";
import type { Priority } from "../accounts/wallet-key.ts";

export interface WalletLimits {
  readonly connectTimeoutMs: number;
  /** Longest pause between two pieces of a body. */
  readonly bodyTimeoutMs: number;
  readonly readHeadersTimeoutMs: number;
  /** One read with all its retries, from its first turn on. */
  readonly readDeadlineMs: number;
  readonly moneyHeadersTimeoutMs: number;
  readonly moneyDeadlineMs: number;
  /** Simultaneous calls that move money, over all accounts. */
  readonly moneyConnections: number;
  /** Upper bound of the first retry's random delay; doubled for the next. */
  readonly retryBaseMs: number;
  /** Longest wait for a turn; a call that would wait longer is refused without being sent. */
  readonly longestWaitMs: Readonly<Record<Priority, number>>;
  /** Fewest calls in half a minute for the breaker to open, which it does when half of them get no answer. */
  readonly breakerCalls: number;
  /** How long identical reads of one account, for people, share one answer. */
  readonly sharedReadMs: number;
}

/** Source: decisions 3 and 4. */
export const DEFAULT_LIMITS: WalletLimits = {
  connectTimeoutMs: 5 * SECOND,
  bodyTimeoutMs: 10 * SECOND,
  readHeadersTimeoutMs: 10 * SECOND,
  readDeadlineMs: 15 * SECOND,
  moneyHeadersTimeoutMs: 30 * SECOND,
  moneyDeadlineMs: 45 * SECOND,
  moneyConnections: 512,
  retryBaseMs: 250,
  longestWaitMs: { money: 10 * SECOND, interactive: 10 * SECOND, background: 60 * SECOND },
  breakerCalls: 20,
  sharedReadMs: 2 * SECOND,
};
