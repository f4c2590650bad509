import type { WalletErrorKind } from "../shared/errors.ts";
import { jsonBody, saysNotFound, successOf } from "./wire.ts";
import type { AnswerFacts, Operation } from "./operation.ts";

type Classification<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly kind: WalletErrorKind;
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

const NO_FACTS: AnswerFacts = { skewMs: undefined };

/**
 * Classifies a complete answer. Success is a 2xx with `success === true` and every needed field; the status of most
 * failures is not documented, so below 500 the body counts too.
 * Source: service.md 7.
 */
export const classifyRead = <T>(
  operation: Operation<T>,
  status: number,
  body: string,
  facts: AnswerFacts = NO_FACTS,
): Classification<T> => {
  if (status >= 200 && status < 300) {
    return classifySuccessStatus(operation, status, jsonBody(body), facts);
  }
  if (status >= 400 && status < 500) {
    return classifyRefusalStatus(operation, status, body, jsonBody(body));
  }
  // Redirects are not followed: they would carry the key to another address.
  return status >= 500 && status < 600 ? bad("unavailable") : bad("malformed", "unusual status");
};

const bad = (kind: WalletErrorKind, ...problems: string[]): Classification<never> => ({
  ok: false,
  kind,
  problems,
});

const isMarkup = (body: string): boolean => body.trimStart().startsWith("<");

const classifyRefusal = <T>(
  operation: Operation<T>,
  status: number,
  answer: object,
  kind: WalletErrorKind,
): Classification<T> => {
  const value = operation.readRefusal?.(answer, status);
  return value === undefined ? bad(kind) : { ok: true, value };
};

const classifySuccessStatus = <T>(
  operation: Operation<T>,
  status: number,
  answer: object | undefined,
  facts: AnswerFacts,
): Classification<T> => {
  if (answer === undefined) return bad("malformed", "body is no JSON object or array");
  const success = successOf(answer);
  if (success === false) return classifyRefusal(operation, status, answer, operation.refusal);
  if (success !== true && saysNotFound(answer)) return bad("not_found");
  const mayBeRead = success === true || (success === undefined && operation.unshown);
  if (!mayBeRead) return bad("malformed", "success missing");
  const parsed = operation.read(answer, facts);
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
  // The service answers in JSON only: markup comes from a proxy, which knows no keys or transactions.
  if (isMarkup(body)) return bad("malformed", "body is markup");
  if (answer === undefined || status === 401) return bad(kind);
  const refused = successOf(answer) === false;
  const missing = saysNotFound(answer) || (refused && operation.refusal === "not_found");
  if (missing && !NAMED.has(status)) return bad("not_found");
  return refused ? classifyRefusal(operation, status, answer, kind) : bad(kind);
};
