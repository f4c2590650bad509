import type { MoneyAnswer, RejectReason } from "../domain/withdraw-answer.ts";
import { headerOf, type HttpAnswer, type HttpFailure } from "./exchange.ts";
import { jsonBody, successOf } from "./json-body.ts";
import type { AcceptedForm } from "./money-operation.ts";
import { requestIdOf } from "./request-id.ts";
import { retryAfterOf } from "./retry-after.ts";
import { repeatsSecret } from "./secret-echo.ts";
import { shortfallIn } from "./shortfall.ts";

type Unsettled = Extract<MoneyAnswer<never>, { state: "not_sent" | "unknown" }>;
type Rejected = Extract<MoneyAnswer<never>, { state: "rejected" }>;

/** Refusals by their status alone, whatever their body. */
const REFUSED_BY_STATUS: ReadonlyMap<number, RejectReason> = new Map([
  [400, "invalid"],
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "not_found"],
  [409, "conflict"],
  [413, "invalid"],
  [415, "invalid"],
  [422, "invalid"],
  [429, "rate_limited"],
]);

/** "Later" from anybody on the way, who knows nothing of what the service did. */
const UNCLEAR = new Set([408, 425]);

/** Refusals that nobody looked at the account for. */
const UNREAD = new Set<RejectReason>(["unauthorized", "rate_limited"]);

const CLOSED = new Set(["UND_ERR_CLOSED", "UND_ERR_DESTROYED"]);

const judgeFailure = (failure: HttpFailure, requestId: string | undefined): Unsettled => {
  const { kind, code: errorCode, status: httpStatus } = failure;
  if (kind !== "unreachable") return { state: "unknown", errorCode, httpStatus, requestId };
  const reason = CLOSED.has(errorCode) ? "closed" : "unreachable";
  return { state: "not_sent", reason, errorCode, retryAfterMs: undefined };
};

const namesWithdrawal = (answer: object): boolean =>
  "withdrawal" in answer &&
  typeof answer.withdrawal === "object" &&
  answer.withdrawal !== null &&
  "txid" in answer.withdrawal;

/** The documented failure envelope. A "failure" that names a withdrawal is none: there is one to be found. */
const envelopeIn = (answer: object | undefined): { readonly message: string } | undefined => {
  if (answer === undefined || successOf(answer) !== false || namesWithdrawal(answer)) {
    return undefined;
  }
  return "message" in answer && typeof answer.message === "string"
    ? { message: answer.message }
    : undefined;
};

/**
 * What became of a request that moves money, from what came back of its one POST. Certain is only what is proven:
 * everything that is neither an acceptance, nor a refusal, nor provably unsent is `unknown`. None of our own key, in
 * whatever encoding, is in what comes out. `fraction` in [0, 1) spreads the waits.
 * Source: reliability notes 1.7; service.md 7.
 */
export const moneyVerdict = <Accepted>(
  answer: HttpAnswer | HttpFailure,
  accepted: AcceptedForm<Accepted>,
  apiKey: string,
  fraction: number,
): MoneyAnswer<Accepted> => {
  const requestId = requestIdOf(headerOf(answer, "x-request-id"), apiKey);
  if (!answer.complete) return judgeFailure(answer, requestId);
  const { status: httpStatus } = answer;
  const body = jsonBody(answer.body);
  const envelope = envelopeIn(body);

  const unknown = (errorCode: string): Unsettled => ({
    state: "unknown",
    errorCode,
    httpStatus,
    requestId,
  });
  const rejected = (given: RejectReason): Rejected => {
    const readable = body !== undefined && envelope !== undefined && !UNREAD.has(given);
    const shortfall = readable ? shortfallIn(body) : undefined;
    const message = repeatsSecret(envelope?.message, apiKey) ? undefined : envelope?.message;
    const retryAfterMs = given === "rate_limited" ? retryAfterOf(answer, fraction) : undefined;
    const reason = shortfall === undefined ? given : "insufficient_split_balance";
    return { state: "rejected", reason, httpStatus, requestId, message, retryAfterMs, shortfall };
  };

  if (httpStatus >= 200 && httpStatus < 300) {
    if (envelope !== undefined) return rejected("refused");
    if (body === undefined || successOf(body) !== true) return unknown("UNREADABLE_ANSWER");
    const reading = accepted.read(body);
    if (!reading.valid) return unknown("UNREADABLE_ANSWER");
    const echoes = repeatsSecret(reading.value, apiKey);
    const value = echoes ? accepted.essence(reading.value) : reading.value;
    // Then even what has to be known of it is not wanted: it has to be found again.
    if (repeatsSecret(value, apiKey)) return unknown("ANSWER_REPEATS_KEY");
    return { state: "accepted", value, httpStatus, requestId };
  }
  const reason = REFUSED_BY_STATUS.get(httpStatus);
  if (reason !== undefined) return rejected(reason);
  const clientError = httpStatus >= 400 && httpStatus < 500 && !UNCLEAR.has(httpStatus);
  return clientError && envelope !== undefined
    ? rejected("refused")
    : unknown(`HTTP_${httpStatus}`);
};
