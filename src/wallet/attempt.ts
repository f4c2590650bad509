import type { Clock } from "../shared/clock.ts";
import { SECOND } from "../shared/duration.ts";
import { WalletError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import { type Random, randomText } from "../shared/random.ts";
import type { Secret } from "../shared/secret.ts";
import type { Call } from "./call.ts";
import { clockSkewMs } from "./clock-skew.ts";
import { headerOf } from "./exchange.ts";
import { judge } from "./judge.ts";
import type { Operation } from "./operation.ts";
import { requestIdOf } from "./request-id.ts";
import { retryAfterOf } from "./retry-after.ts";
import { repeatsSecret } from "./secret-echo.ts";
import { hasFineNumber } from "./wire.ts";

const REFERENCE_BYTES = 6;

type Outcome<T> =
  | { readonly good: true; readonly value: T }
  | { readonly good: false; readonly error: WalletError };

/** One read, once on the wire, within `deadlineMs`. Never rejects. */
export type Attempt = <T>(
  operation: Operation<T>,
  apiKey: Secret,
  deadlineMs: number,
) => Promise<Outcome<T>>;

export interface AttemptOptions {
  readonly call: Call;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** An error's cause that quotes nothing that came over the wire. */
const causeOf = (details: readonly string[]): Error | undefined =>
  details.length === 0 ? undefined : new Error(details.join("; "));

/** More than that between two clocks of ours during one call is a clock that was set. */
const MOST_DRIFT_MS = 5 * SECOND;

/** Values go on to people and to the database: with our own key in one of their texts they are not wanted. */
const ECHO = { good: false, kind: "malformed", problems: ["answer repeats the key"] } as const;

/**
 * Each answer leaves one line with its `X-Request-ID`, which is all that the service's support can ask for; `rounded`
 * says that an amount in it was finer than centavos. Source: service.md 7 (failures).
 */
export const createAttempt =
  ({ call, clock, random, log }: AttemptOptions): Attempt =>
  async (operation, apiKey, deadlineMs) => {
    const { method, route } = operation;
    const key = apiKey.reveal();
    const begunAt = performance.now();
    const begunAtMs = clock.now().epochMilliseconds;
    const answer = await call(operation, apiKey, deadlineMs);
    if (answer === undefined) {
      return { good: false, error: new WalletError({ kind: "unauthorized", method, route }) };
    }
    const durationMs = Math.round(performance.now() - begunAt);
    const requestId = requestIdOf(headerOf(answer, "x-request-id"), key);
    const facts = { method, route, status: answer.status, requestId };
    /** What leads from an answer to our log when the service gave nothing that leads to its own. */
    const marked = () => ({
      ...facts,
      reference: requestId === undefined ? randomText(random, REFERENCE_BYTES) : undefined,
    });

    if (!answer.complete) {
      const { kind, code } = answer;
      const failed = marked();
      log.warn({ ...failed, kind, code, durationMs }, "wallet call failed");
      const cause = causeOf([code]);
      return { good: false, error: new WalletError({ ...failed, kind, cause }) };
    }
    const ourMs = clock.now().epochMilliseconds;
    // Dated by the service before our clock leapt, it would tell the leap.
    const hasLeapt = Math.abs(ourMs - begunAtMs - durationMs) > MOST_DRIFT_MS;
    const skewMs = hasLeapt ? undefined : clockSkewMs(headerOf(answer, "date"), ourMs);
    const said = judge(operation, answer.status, answer.body, { skewMs });
    const verdict = said.good && repeatsSecret(said.value, key) ? ECHO : said;
    if (verdict.good) {
      const rounded = hasFineNumber(answer.body) ? true : undefined;
      log.info({ ...facts, durationMs, rounded }, "wallet call answered");
      return { good: true, value: verdict.value };
    }
    const { kind, problems } = verdict;
    const refused = marked();
    log.warn({ ...refused, kind, problems, durationMs }, "wallet call refused");
    const retryAfterMs =
      kind === "rate_limited" ? retryAfterOf(answer, random.fraction()) : undefined;
    const cause = causeOf(problems);
    return { good: false, error: new WalletError({ ...refused, kind, retryAfterMs, cause }) };
  };
