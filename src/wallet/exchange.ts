import type { Dispatcher } from "undici";

import { exchangeOnce } from "../shared/http-exchange.ts";
import { systemTimers, type Timers } from "./timers.ts";
import { failureKind, type FailureKind } from "./failure-kind.ts";

type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface HttpRequest {
  readonly origin: string;
  readonly method: "GET" | "POST";
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface HttpAnswer {
  readonly complete: true;
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: string;
}

/** An exchange without a whole answer; what had come by then is kept. */
export interface HttpFailure {
  readonly complete: false;
  readonly kind: FailureKind;
  readonly code: string;
  readonly status: number | undefined;
  readonly headers: ResponseHeaders;
}

export const headerOf = (answer: HttpAnswer | HttpFailure, name: string): string | undefined => {
  const value = answer.headers[name];
  return typeof value === "string" ? value : value?.[0];
};

const DEADLINE = "DEADLINE";

/** A parser error has no code but its name. Neither ever holds anything that came over the wire. */
const codeOf = (error: Error): string => {
  const code: unknown = "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : error.name;
};

/** One request and its whole answer. Resolves after `deadlineMs` at the latest, whatever the peer does. Never rejects. */
export const exchange = async (
  dispatcher: Dispatcher,
  request: HttpRequest,
  deadlineMs: number,
  timers: Timers = systemTimers,
): Promise<HttpAnswer | HttpFailure> => {
  const deadlineAt = timers.now() + deadlineMs;
  const late = Object.assign(new Error(DEADLINE), { code: DEADLINE });
  const outcome = await exchangeOnce(
    dispatcher,
    { ...request, body: request.body ?? null },
    {
      wait: (end) => timers.after(deadlineMs, () => end(late)),
      isOver: () => timers.now() >= deadlineAt,
    },
  );
  const { status, headers } = outcome;
  if (outcome.complete)
    return { complete: true, status: outcome.status, headers, body: outcome.text };
  const code = codeOf(outcome.error);
  const kind = outcome.started ? failureKind(code) : "unreachable";
  return { complete: false, kind, code, status, headers };
};
