import type { MoneyAnswer } from "../withdrawals/withdrawal.ts";
import type { WalletKey } from "../accounts/wallet-key.ts";
import { type Clock, SECOND } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import type { Metrics } from "../shared/metrics.ts";
import type { Random } from "../shared/random.ts";
import type { Breaker } from "./breaker.ts";
import type { Call } from "./http.ts";
import type { WalletLimits } from "./limits.ts";
import type { MoneyOperation } from "./operation.ts";
import { classifyMoney } from "./classify-money.ts";
import type { Pacer } from "./pacing.ts";
import { retryAfterOf } from "./headers.ts";
import type { Timers } from "./timers.ts";

interface MoneySenderOptions {
  readonly call: Call;
  readonly breaker: Pick<Breaker, "note">;
  /** The account's general quota, then the quota of withdrawals where the operation counts as one. */
  readonly pacers: readonly Pick<Pacer, "take" | "hold">[];
  readonly limits: WalletLimits;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
}

type NotSent = Extract<MoneyAnswer<never>, { state: "not_sent" }>;

const notSent = (reason: NotSent["reason"], retryAfterMs?: number): NotSent => ({
  state: "not_sent",
  reason,
  errorCode: reason.toUpperCase(),
  retryAfterMs,
});

/** A later turn means that the process was frozen: another process may have settled the request by then. */
const LATEST_TURN_MS = SECOND;

/** The answer after an error in our own code: the request may have been sent. */
const BROKEN = {
  state: "unknown",
  errorCode: "INTERNAL",
  httpStatus: undefined,
  requestId: undefined,
} as const satisfies MoneyAnswer<never>;

/**
 * Sends each operation that moves money or creates a charge once, and never repeats it: the service has no idempotency
 * key, so only reads can tell an unclear outcome.
 */
export const createMoneySender = (options: MoneySenderOptions) => {
  const { call, breaker, pacers, limits, clock, timers, random, log, metrics } = options;

  /**
   * Undefined once the account has a turn of each quota. All waits together stay within `longestWaitMs.money`, as the
   * caller's lease is running.
   */
  const awaitTurn = async (fingerprint: string): Promise<NotSent | undefined> => {
    const lastAt = timers.now() + limits.longestWaitMs.money;
    for (const pacer of pacers) {
      const waitMs = await pacer.take(fingerprint, "money", Math.max(0, lastAt - timers.now()));
      if (waitMs > 0) return Number.isFinite(waitMs) ? notSent("paced", waitMs) : notSent("closed");
    }
    const frozen = timers.now() > lastAt + LATEST_TURN_MS;
    return frozen ? { ...notSent("paced"), errorCode: "held_up" } : undefined;
  };

  /** True once more has passed than all waits may take: the monotonic clock stands still while the machine sleeps. */
  const startClock = (): (() => boolean) => {
    const lastMs =
      clock.now().epochMilliseconds + limits.longestWaitMs.money + limits.moneyDeadlineMs;
    return () => clock.now().epochMilliseconds > lastMs;
  };

  const sendOnce = async <Accepted>(
    { route, body, accepted }: MoneyOperation<Accepted>,
    { apiKey, fingerprint }: WalletKey,
  ): Promise<MoneyAnswer<Accepted>> => {
    if (body === undefined) return notSent("invalid_request");
    const isTooLate = startClock();
    const refused = await awaitTurn(fingerprint);
    if (refused) return refused;
    const request = { method: "POST", path: route, body } as const;
    const raw = await call(request, apiKey, limits.moneyDeadlineMs, isTooLate);
    if (raw === undefined) return notSent("invalid_request");
    breaker.note({ account: fingerprint, route }, raw.complete && raw.status < 500);
    const fraction = random.fraction();
    if (raw.complete && raw.status === 429) {
      const waitMs = retryAfterOf(raw, fraction);
      for (const pacer of pacers) pacer.hold(fingerprint, waitMs);
    }
    return classifyMoney(raw, accepted, apiKey.reveal(), fraction);
  };

  /** Logs and counts an answer, without the service's own message, amounts and keys. */
  const note = (route: string, answer: MoneyAnswer<unknown>, durationMs: number): void => {
    const { state } = answer;
    const reason = "reason" in answer ? answer.reason : undefined;
    const code = "errorCode" in answer ? answer.errorCode : undefined;
    const status = "httpStatus" in answer ? answer.httpStatus : undefined;
    const requestId = "requestId" in answer ? answer.requestId : undefined;
    const facts = { method: "POST", route, state, reason, code, status, requestId, durationMs };
    log[state === "accepted" ? "info" : "warn"](facts, "wallet money call ended");
    metrics.walletCall(route, state === "accepted" ? "ok" : state, durationMs);
  };

  /** Never rejects: an unclear outcome is `unknown`. */
  return async <Accepted>(
    operation: MoneyOperation<Accepted>,
    key: WalletKey,
  ): Promise<MoneyAnswer<Accepted>> => {
    const begunAt = timers.now();
    let answer: MoneyAnswer<Accepted> = BROKEN;
    try {
      answer = await sendOnce(operation, key);
      note(operation.route, answer, Math.round(timers.now() - begunAt));
    } catch (error) {
      log.error({ err: error, route: operation.route }, "wallet money call broke");
    }
    return answer;
  };
};
