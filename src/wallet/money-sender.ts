import type { Metrics } from "../shared/metrics.ts";
import type { Attempt } from "./attempt.ts";
import type { WalletLimits } from "./limits.ts";
import { measured } from "./measure.ts";
import type { Operation } from "./operation.ts";
import type { Pacer } from "./pacing.ts";
import { noTurn } from "./reader.ts";
import type { Timers } from "./timers.ts";
import type { WalletKey } from "./wallet-key.ts";

export interface MoneySenderOptions {
  readonly attempt: Attempt;
  /** The account's general quota, then that of its withdrawals. */
  readonly pacers: readonly Pacer[];
  readonly limits: WalletLimits;
  readonly timers: Timers;
  readonly metrics: Metrics;
}

/** Sends an operation that moves money. @throws WalletError, whose kind says what may have become of it */
export type SendMoney = <T>(
  operation: Operation<T>,
  key: WalletKey,
) => Promise<{ readonly value: T; readonly requestId: string | undefined }>;

/** One request for one call, never repeated: there is no idempotency key, so only reading can tell what happened. */
export const createMoneySender = (options: MoneySenderOptions): SendMoney => {
  const { attempt, pacers, limits, timers, metrics } = options;

  const sendOnce = async <T>(operation: Operation<T>, key: WalletKey) => {
    for (const pacer of pacers) {
      const waitMs = await pacer.take(key.fingerprint, "money", limits.longestWaitMs.money);
      if (waitMs > 0) throw noTurn(operation, waitMs);
    }
    const outcome = await attempt(operation, key.apiKey, limits.moneyDeadlineMs);
    if (outcome.good) return { value: outcome.value, requestId: outcome.requestId };
    const { retryAfterMs } = outcome.error;
    if (retryAfterMs !== undefined) {
      for (const pacer of pacers) pacer.hold(key.fingerprint, retryAfterMs);
    }
    throw outcome.error;
  };

  return (operation, key) =>
    measured(metrics, timers, operation.route, () => sendOnce(operation, key));
};
