import type { Dispatcher } from "undici";

import { WalletError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import type { Random } from "../shared/random.ts";
import type { Secret } from "../shared/secret.ts";
import { exchange, type HttpAnswer, type HttpFailure } from "./exchange.ts";
import { jsonObject, judge } from "./judge.ts";
import type { Operation } from "./operation.ts";
import { requestIdOf } from "./request-id.ts";
import { retryAfterMs } from "./retry-after.ts";
import { repeatsSecret } from "./secret-echo.ts";

type Outcome<T> =
  | { readonly good: true; readonly value: T; readonly requestId: string | undefined }
  | { readonly good: false; readonly error: WalletError };

/** One operation, once on the wire, within `deadlineMs`. Never rejects. */
export type Attempt = <T>(
  operation: Operation<T>,
  apiKey: Secret,
  deadlineMs: number,
) => Promise<Outcome<T>>;

export interface AttemptOptions {
  readonly dispatcher: Dispatcher;
  /** Without `/v1`. */
  readonly baseUrl: string;
  readonly random: Random;
  readonly log: Logger;
}

/** What can stand in a header without changing its meaning. */
const SENDABLE_KEY = /^[\x21-\x7e]{1,1024}$/;

const headerOf = (answer: HttpAnswer | HttpFailure, name: string): string | undefined => {
  const value = answer.headers[name];
  return typeof value === "string" ? value : value?.[0];
};

/** An error's cause that quotes nothing that came over the wire. */
const causeOf = (details: readonly string[]): Error | undefined =>
  details.length === 0 ? undefined : new Error(details.join("; "));

/** Values go on to people and to the database: with our own key in one of their texts they are not wanted. */
const ECHO = { good: false, kind: "malformed", problems: ["answer repeats the key"] } as const;

const throttledMs = (answer: HttpAnswer, random: Random): number =>
  retryAfterMs(
    {
      retryAfter: headerOf(answer, "retry-after"),
      date: headerOf(answer, "date"),
      body: jsonObject(answer.body),
    },
    random.fraction(),
  );

/** Source: service.md 5 (authorisation), 7 (failures). */
export const createAttempt = ({ dispatcher, baseUrl, random, log }: AttemptOptions): Attempt => {
  const { origin, pathname } = new URL(baseUrl);
  const basePath = pathname.replace(/\/+$/, "");

  return async (operation, apiKey, deadlineMs) => {
    const { method, route } = operation;
    const key = apiKey.reveal();
    if (!SENDABLE_KEY.test(key)) {
      return { good: false, error: new WalletError({ kind: "unauthorized", method, route }) };
    }
    const headers = {
      authorization: `Bearer ${key}`,
      accept: "application/json",
      ...(operation.body !== undefined && { "content-type": "application/json" }),
    };
    const { body } = operation;
    const path = basePath + operation.path;
    const begunAt = performance.now();
    const answer = await exchange(dispatcher, { origin, method, path, headers, body }, deadlineMs);
    const durationMs = Math.round(performance.now() - begunAt);
    const requestId = requestIdOf(headerOf(answer, "x-request-id"), key);
    const facts = { method, route, status: answer.status, requestId };

    if (!answer.complete) {
      const { kind, code } = answer;
      log.warn({ ...facts, kind, code, durationMs }, "wallet call failed");
      const cause = causeOf([code]);
      return { good: false, error: new WalletError({ ...facts, kind, cause }) };
    }
    const said = judge(operation, answer.status, answer.body);
    const verdict = said.good && repeatsSecret(said.value, key) ? ECHO : said;
    if (verdict.good) {
      log.debug({ ...facts, durationMs }, "wallet call answered");
      return { good: true, value: verdict.value, requestId };
    }
    const { kind, problems } = verdict;
    log.warn({ ...facts, kind, problems, durationMs }, "wallet call refused");
    const retryAfter = kind === "rate_limited" ? throttledMs(answer, random) : undefined;
    const cause = causeOf(problems);
    const error = new WalletError({ ...facts, kind, retryAfterMs: retryAfter, cause });
    return { good: false, error };
  };
};
