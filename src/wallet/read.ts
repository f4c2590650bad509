import { hash } from "node:crypto";
import type { Result } from "../shared/settled.ts";
import type { Secret } from "../shared/secret.ts";
import {
  isUnanswered,
  mayAnswerLater,
  WalletError,
  type WalletErrorKind,
} from "../shared/errors.ts";
import type { Metrics } from "../shared/metrics.ts";
import { type Random, randomText } from "../shared/random.ts";
import type { Breaker } from "./breaker.ts";
import type { Priority, WalletKey } from "../accounts/wallet-key.ts";
import type { WalletLimits } from "./limits.ts";
import type { AnswerFacts, Operation, Send } from "./operation.ts";
import type { Pacer } from "./pacing.ts";
import type { SingleFlight } from "./single-flight.ts";
import { type Timers, waitBy } from "./timers.ts";
import { type Clock, SECOND } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import { type Call, headerOf } from "./http.ts";
import { clockSkewMs, requestIdOf, retryAfterOf } from "./headers.ts";
import { hasFineNumber, jsonBody, repeatsSecret, saysNotFound, successOf } from "./wire.ts";

type Reader = (key: WalletKey, priority: Priority) => Send;

/** A resource's read as the client offers it: the key comes first, the priority last. */
export const bindReads =
  (reader: Reader) =>
  <Given extends unknown[], Answer>(get: (send: Send, ...given: Given) => Promise<Answer>) =>
  (key: WalletKey, ...rest: [...given: Given, priority: Priority]): Promise<Answer> => {
    const given = rest.slice(0, -1) as Given;
    return get(reader(key, rest.at(-1) as Priority), ...given);
  };

interface ReaderOptions {
  readonly attempt: Attempt;
  readonly breaker: Breaker;
  readonly pacer: Pacer;
  readonly singleFlight: SingleFlight;
  readonly limits: WalletLimits;
  readonly timers: Timers;
  readonly random: Random;
  readonly metrics: Metrics;
}

/**
 * Runs reads: paced by account, shared while identical, stopped by the open breaker, and retried within their
 * deadline.
 */
export const createReader = (options: ReaderOptions): Reader => {
  const { attempt, breaker, pacer, singleFlight, limits, timers, random, metrics } = options;

  const tryUntilDone = async <T>(operation: Operation<T>, key: WalletKey, priority: Priority) => {
    const { fingerprint } = key;
    const longestWaitMs = limits.longestWaitMs[priority];
    const turn = pacer.take(fingerprint, priority, longestWaitMs);
    const waitMs = typeof turn === "number" ? turn : await turn;
    if (waitMs > 0) throw noTurn(operation, waitMs);
    // The deadline starts here: the wait for a turn has its own limit.
    const deadlineAt = timers.now() + limits.readDeadlineMs;
    const source = { account: fingerprint, route: operation.route };
    let failed: WalletError | undefined;
    let report: Tried<T>["report"];
    try {
      for (let tries = 1; ; tries += 1) {
        if (!breaker.admits(source)) throw failed ?? serviceDown(operation);
        report?.("info");
        const outcome = await attempt(operation, key.apiKey, deadlineAt - timers.now());
        report = outcome.report;
        breaker.note(source, outcome.ok || !isUnanswered(outcome.error.kind));
        if (outcome.ok) return outcome.value;
        const { error } = outcome;
        failed = error;
        if (error.retryAfterMs !== undefined) pacer.hold(fingerprint, error.retryAfterMs);
        // Jobs run again by themselves, and an immediate retry would be refused too.
        const isRefusedJob = priority === "background" && error.kind === "rate_limited";
        if (operation.method === "POST" || isRefusedJob) throw error;
        const delay = retryDelayMs({
          kind: error.kind,
          tries,
          leftMs: deadlineAt - timers.now(),
          baseMs: limits.retryBaseMs,
          fraction: random.fraction(),
        });
        if (delay === undefined) throw error;
        if (delay > 0) await waitBy(timers, delay);
        const bearableMs = Math.min(longestWaitMs, deadlineAt - SHORTEST_TRY_MS - timers.now());
        if ((await pacer.take(fingerprint, priority, bearableMs)) > 0) throw error;
      }
    } finally {
      report?.("warn");
    }
  };

  /** Counts how the operation ended and how long it took, waits and retries included. */
  const read = async <T>(operation: Operation<T>, key: WalletKey, priority: Priority) => {
    const begunAt = timers.now();
    try {
      const value = await tryUntilDone(operation, key, priority);
      metrics.walletCall(operation.route, "ok", timers.now() - begunAt);
      return value;
    } catch (error) {
      if (error instanceof WalletError) {
        metrics.walletCall(operation.route, error.kind, timers.now() - begunAt);
      }
      throw error;
    }
  };

  return (key, priority) => (operation) => {
    // The path of a POST does not identify its request. A look that a call wakes must not get an answer from before it.
    const alone =
      priority !== "interactive" || operation.fresh === true || operation.method === "POST";
    if (alone) return read(operation, key, priority);
    // The key is part of the name: one key of an account may be revoked while another works.
    const name = `${key.fingerprint} ${digestOf(key.apiKey)} ${operation.path}`;
    return singleFlight.share(name, () => read(operation, key, priority));
  };
};

/** Distinguishes keys without storing them. */
const digestOf = (apiKey: Secret): string => hash("sha256", apiKey.reveal(), "base64url");

/** The error while the breaker is open; the request was not sent. */
const serviceDown = ({ method, route }: Operation<unknown>): WalletError =>
  new WalletError({ kind: "unavailable", method, route });

/** The error when no turn comes within the longest wait; the request was not sent. */
const noTurn = (operation: Operation<unknown>, waitMs: number): WalletError => {
  const { method, route } = operation;
  return Number.isFinite(waitMs)
    ? new WalletError({ kind: "rate_limited", method, route, retryAfterMs: waitMs })
    : serviceDown(operation);
};

const REFERENCE_BYTES = 6;

/** A failure comes with its log line: a warning, unless another try follows. */
type Tried<T> = Result<T> & { readonly report?: (level: "info" | "warn") => void };

export type Attempt = ReturnType<typeof createAttempt>;

interface AttemptOptions {
  readonly call: Call;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** An error's cause, free of text from the wire. */
const causeOf = (details: readonly string[]): Error | undefined =>
  details.length === 0 ? undefined : new Error(details.join("; "));

/** A larger difference between our two clocks during one call means that the wall clock was set. */
const MOST_DRIFT_MS = 5 * SECOND;

/** Values reach people and the database: a value that contains our own key is rejected. */
const ECHO: Classification<never> = {
  ok: false,
  kind: "malformed",
  problems: ["answer repeats the key"],
};

/**
 * Sends one read once, within `deadlineMs`. Never rejects. Each answer gets one line in the log, with the `X-Request-ID`
 * by which the service's support finds it; `rounded` marks an answer with an amount finer than centavos. Source:
 * service.md 7 (failures).
 */
export const createAttempt =
  ({ call, clock, random, log }: AttemptOptions) =>
  async <T>(operation: Operation<T>, apiKey: Secret, deadlineMs: number): Promise<Tried<T>> => {
    const { method, route } = operation;
    const key = apiKey.reveal();
    const begunAt = performance.now();
    const begunAtMs = clock.now().epochMilliseconds;
    const answer = await call(operation, apiKey, deadlineMs);
    if (answer === undefined) {
      return { ok: false, error: new WalletError({ kind: "unauthorized", method, route }) };
    }
    const durationMs = Math.round(performance.now() - begunAt);
    const requestId = requestIdOf(headerOf(answer, "x-request-id"), key);
    const facts = { method, route, status: answer.status, requestId };
    /** Adds a reference of our own to an answer without `X-Request-ID`. */
    const marked = () => ({
      ...facts,
      reference: requestId === undefined ? randomText(random, REFERENCE_BYTES) : undefined,
    });

    if (!answer.complete) {
      const { kind, code } = answer;
      const failed = marked();
      const cause = causeOf([code]);
      return {
        ok: false,
        error: new WalletError({ ...failed, kind, cause }),
        report: (level) => log[level]({ ...failed, kind, code, durationMs }, "wallet call failed"),
      };
    }
    const ourMs = clock.now().epochMilliseconds;
    // If our clock was set during the call, the difference would measure that change.
    const hasLeapt = Math.abs(ourMs - begunAtMs - durationMs) > MOST_DRIFT_MS;
    const skewMs = hasLeapt ? undefined : clockSkewMs(headerOf(answer, "date"), ourMs);
    const classified = await classifyRead(operation, answer.status, answer.body, { skewMs });
    const result = classified.ok && repeatsSecret(classified.value, key) ? ECHO : classified;
    if (result.ok) {
      const rounded = hasFineNumber(answer.body) ? true : undefined;
      log.info({ ...facts, durationMs, rounded }, "wallet call answered");
      return { ok: true, value: result.value };
    }
    const { kind, isForeign, problems } = result;
    const refused = marked();
    const retryAfterMs =
      kind === "rate_limited" ? retryAfterOf(answer, random.fraction()) : undefined;
    const cause = causeOf(problems);
    const error = new WalletError({ ...refused, kind, isForeign, retryAfterMs, cause });
    return {
      ok: false,
      error,
      report: (level) =>
        log[level]({ ...refused, kind, problems, durationMs }, "wallet call refused"),
    };
  };

const MOST_RETRIES = 2;

/** The time that must be left for another try to be worth a call of the account's quota. */
export const SHORTEST_TRY_MS = 50;

interface FailedTry {
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
 * Milliseconds until the next try of a read, with full jitter; undefined for no further try. After a 429 the pacer
 * waits, so the delay is 0.
 */
export const retryDelayMs = (failed: FailedTry): number | undefined => {
  if (failed.tries > MOST_RETRIES || !mayAnswerLater(failed.kind)) return undefined;
  const mostMs = failed.kind === "rate_limited" ? 0 : failed.baseMs * 2 ** (failed.tries - 1);
  // In whole milliseconds: a tiny fraction would be lost in the floating-point sum below.
  const delay = Math.floor(failed.fraction * mostMs);
  return delay + SHORTEST_TRY_MS <= failed.leftMs ? delay : undefined;
};

type Classification<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly kind: WalletErrorKind;
      readonly isForeign?: true;
      /** Field names of the document, for our log; never values of the answer. */
      readonly problems: readonly string[];
    };

const KIND_BY_STATUS: Readonly<Record<number, WalletErrorKind>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  408: "timeout",
  409: "conflict",
  410: "not_found",
  425: "unavailable",
  429: "rate_limited",
};

/** Statuses that ask to come back later: proxies may send them too, with any body. */
const LATER = new Set([408, 425, 429]);
/** Statuses that say enough: no body turns them into `not_found`. */
const NAMED = new Set([403, 409]);

/**
 * Classifies a complete answer. Success is a 2xx with `success === true` and every needed field; the status of most
 * failures is not documented, so below 500 the body counts too.
 * Source: service.md 7.
 */
export const classifyRead = async <T>(
  operation: Operation<T>,
  status: number,
  body: string,
  facts: AnswerFacts,
): Promise<Classification<T>> => {
  if (status >= 200 && status < 300) {
    return await classifySuccessStatus(operation, jsonBody(body), facts);
  }
  if (status >= 400 && status < 500) {
    return classifyRefusalStatus(operation, status, body, jsonBody(body));
  }
  // Redirects are not followed: they would carry the key to another address.
  return status >= 500 && status < 600
    ? bad("unavailable")
    : foreign("malformed", "unusual status");
};

const bad = (kind: WalletErrorKind, ...problems: string[]): Classification<never> => ({
  ok: false,
  kind,
  problems,
});

/** An answer that is not the service's: it answers in JSON, and its document shows no redirect. */
const foreign = (kind: WalletErrorKind, ...problems: string[]): Classification<never> => ({
  ok: false,
  kind,
  isForeign: true,
  problems,
});

const isMarkup = (body: string): boolean => body.trimStart().startsWith("<");

const classifyRefusal = <T>(
  operation: Operation<T>,
  answer: object,
  kind: WalletErrorKind,
): Classification<T> => {
  const value = operation.readRefusal?.(answer);
  return value === undefined ? bad(kind) : { ok: true, value };
};

const classifySuccessStatus = async <T>(
  operation: Operation<T>,
  answer: object | undefined,
  facts: AnswerFacts,
): Promise<Classification<T>> => {
  if (answer === undefined) return foreign("malformed", "body is no JSON object or array");
  const success = successOf(answer);
  if (success === false) return classifyRefusal(operation, answer, operation.refusal);
  if (success !== true && saysNotFound(answer)) return bad("not_found");
  const mayBeRead = success === true || (success === undefined && operation.unshown);
  if (!mayBeRead) return bad("malformed", "success missing");
  const parsed = await operation.read(answer, facts);
  return parsed.ok ? { ok: true, value: parsed.value } : bad("malformed", ...parsed.problems);
};

const classifyRefusalStatus = <T>(
  operation: Operation<T>,
  status: number,
  body: string,
  answer: object | undefined,
): Classification<T> => {
  const kind = KIND_BY_STATUS[status] ?? "invalid_request";
  if (LATER.has(status)) return bad(kind);
  // Markup comes from a proxy, which knows no keys or transactions.
  if (isMarkup(body)) return foreign("malformed", "body is markup");
  if (status === 401) return bad(kind);
  if (answer === undefined) return foreign(kind, "body is no JSON object or array");
  const refused = successOf(answer) === false;
  const missing = saysNotFound(answer) || (refused && operation.refusal === "not_found");
  if (missing && !NAMED.has(status)) return bad("not_found");
  return refused ? classifyRefusal(operation, answer, kind) : bad(kind);
};
