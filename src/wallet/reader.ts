import { hash } from "node:crypto";
import type { Secret } from "../shared/secret.ts";
import { isUnanswered, WalletError } from "../shared/errors.ts";
import type { Metrics } from "../shared/metrics.ts";
import type { Random } from "../shared/random.ts";
import type { Attempt } from "./attempt.ts";
import type { Breaker } from "./breaker.ts";
import type { Lane } from "../domain/lane.ts";
import type { WalletKey } from "../domain/wallet-key.ts";
import type { WalletLimits } from "./limits.ts";
import { measured } from "./measure.ts";
import type { Operation, Send } from "./operation.ts";
import type { Pacer } from "./pacing.ts";
import { retryDelay, SHORTEST_TRY_MS } from "./retry-plan.ts";
import type { SingleFlight } from "./single-flight.ts";
import { pause, type Timers } from "./timers.ts";

export interface ReaderOptions {
  readonly attempt: Attempt;
  readonly breaker: Breaker;
  readonly pacer: Pacer;
  readonly singleFlight: SingleFlight;
  readonly limits: WalletLimits;
  readonly timers: Timers;
  readonly random: Random;
  readonly metrics: Metrics;
}

/** Tells keys apart without keeping any. */
const digestOf = (apiKey: Secret): string => hash("sha256", apiKey.reveal(), "base64url");

/** No turn within the wait that the lane bears: nothing was sent. */
const noTurn = (operation: Operation<unknown>, waitMs: number): WalletError => {
  const { method, route } = operation;
  return Number.isFinite(waitMs)
    ? new WalletError({ kind: "rate_limited", method, route, retryAfterMs: waitMs })
    : new WalletError({ kind: "unavailable", method, route });
};

/** The breaker keeps it back: nothing was sent. */
const serviceDown = ({ method, route }: Operation<unknown>): WalletError =>
  new WalletError({ kind: "unavailable", method, route });

/** Reads: paced, shared, kept from a service that does not answer, and tried again while their deadline lasts. */
export const createReader = (options: ReaderOptions): ((key: WalletKey, lane: Lane) => Send) => {
  const { attempt, breaker, pacer, singleFlight, limits, timers, random, metrics } = options;

  const tryUntilDone = async <T>(operation: Operation<T>, key: WalletKey, lane: Lane) => {
    const { fingerprint } = key;
    const longestWaitMs = limits.longestWaitMs[lane];
    const turn = pacer.take(fingerprint, lane, longestWaitMs);
    const waitMs = typeof turn === "number" ? turn : await turn;
    if (waitMs > 0) throw noTurn(operation, waitMs);
    // The deadline is the service's: the wait for the account's own turn has a limit of its own.
    const deadlineAt = timers.now() + limits.readDeadlineMs;
    const source = { account: fingerprint, route: operation.route };
    let failed: WalletError | undefined;
    for (let tries = 1; ; tries += 1) {
      if (!breaker.admits(source)) throw failed ?? serviceDown(operation);
      const outcome = await attempt(operation, key.apiKey, deadlineAt - timers.now());
      breaker.note(source, outcome.good || !isUnanswered(outcome.error.kind));
      if (outcome.good) return outcome.value;
      const { error } = outcome;
      failed = error;
      if (error.retryAfterMs !== undefined) pacer.hold(fingerprint, error.retryAfterMs);
      // A job comes back by itself: asked again at once, the same question would be the next to be refused.
      const isRefusedJob = lane === "background" && error.kind === "rate_limited";
      if (operation.method === "POST" || isRefusedJob) throw error;
      const delay = retryDelay({
        kind: error.kind,
        tries,
        leftMs: deadlineAt - timers.now(),
        baseMs: limits.retryBaseMs,
        fraction: random.fraction(),
      });
      if (delay === undefined) throw error;
      if (delay > 0) await pause(timers, delay);
      const bearableMs = Math.min(longestWaitMs, deadlineAt - SHORTEST_TRY_MS - timers.now());
      if ((await pacer.take(fingerprint, lane, bearableMs)) > 0) throw error;
    }
  };

  const read = <T>(operation: Operation<T>, key: WalletKey, lane: Lane): Promise<T> =>
    measured(metrics, timers, operation.route, () => tryUntilDone(operation, key, lane));

  return (key, lane) => (operation) => {
    // The path of a POST does not tell what was asked.
    const alone = lane === "money" || operation.fresh === true || operation.method === "POST";
    if (alone) return read(operation, key, lane);
    // By the key too: of one wallet account one key may be refused while another works.
    const name = `${key.fingerprint} ${digestOf(key.apiKey)} ${lane} ${operation.path}`;
    return singleFlight.share(name, () => read(operation, key, lane));
  };
};
