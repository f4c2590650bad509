import * as z from "zod";
import type { MoneyAnswer, RejectReason } from "../domain/withdrawal.ts";
import { headerOf, type HttpAnswer, type HttpFailure } from "./http.ts";
import { jsonBody, readerOf, repeatsSecret, saysNotFound, successOf, wireDecimal } from "./wire.ts";
import type { AcceptedForm } from "./operation.ts";
import { requestIdOf, retryAfterOf } from "./headers.ts";
import type { Cents } from "../shared/money.ts";

type Unsettled = Extract<MoneyAnswer<never>, { state: "not_sent" | "unknown" }>;
type Rejected = Extract<MoneyAnswer<never>, { state: "rejected" }>;

/** What a documented refusal means by its status. Source: service.md 7.1. */
const REASON_OF_STATUS: ReadonlyMap<number, RejectReason> = new Map([
  [400, "invalid"],
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "not_found"],
  [413, "invalid"],
  [415, "invalid"],
  [422, "invalid"],
  [429, "rate_limited"],
]);

/**
 * Not a refusal whatever the body: 408 and 425 may come from a proxy, which knows nothing of what the service did, and a
 * 409 ("duplicate operation", "a withdrawal is pending") may speak of the very withdrawal that was asked for.
 */
const UNCLEAR = new Set([408, 409, 425]);

/** Refusals that nobody looked at the account for. */
const UNREAD = new Set<RejectReason>(["unauthorized", "rate_limited"]);

const CLOSED = new Set(["UND_ERR_CLOSED", "UND_ERR_DESTROYED"]);

/**
 * What became of a request that moves money, from what came back of its one POST. Certain is only what is proven:
 * everything that is neither an acceptance, nor a refusal in a documented form, nor provably unsent is `unknown`. None of our own key, in
 * whatever encoding, is in what comes out. `fraction` in [0, 1) spreads the waits.
 * Source: decisions 1.4; service.md 7.
 */
export const classifyMoney = <Accepted>(
  answer: HttpAnswer | HttpFailure,
  accepted: AcceptedForm<Accepted>,
  apiKey: string,
  fraction: number,
): MoneyAnswer<Accepted> => {
  const requestId = requestIdOf(headerOf(answer, "x-request-id"), apiKey);
  if (!answer.complete) return classifyFailure(answer, requestId);
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
    const readable = envelope !== undefined && !UNREAD.has(given);
    const shortfall = readable ? shortfallIn(envelope.whole) : undefined;
    const message = repeatsSecret(envelope?.message, apiKey) ? undefined : envelope?.message;
    const retryAfterMs = given === "rate_limited" ? retryAfterOf(answer, fraction) : undefined;
    const reason = shortfall === undefined ? given : "insufficient_split_balance";
    return { state: "rejected", reason, httpStatus, requestId, message, retryAfterMs, shortfall };
  };

  const refusal = refusalOf(httpStatus, body);
  if (refusal !== undefined) return rejected(refusal);
  if (httpStatus < 200 || httpStatus >= 300) {
    return unknown(`HTTP_${httpStatus}`);
  }
  if (body === undefined || successOf(body) !== true) return unknown("UNREADABLE_ANSWER");
  const reading = accepted.read(body);
  if (!reading.valid) return unknown("UNREADABLE_ANSWER");
  const echoes = repeatsSecret(reading.value, apiKey);
  const value = echoes ? accepted.essence(reading.value) : reading.value;
  // Then even what has to be known of it is not wanted: it has to be found again.
  if (repeatsSecret(value, apiKey)) return unknown("ANSWER_REPEATS_KEY");
  return { state: "accepted", value, httpStatus, requestId };
};

const classifyFailure = (failure: HttpFailure, requestId: string | undefined): Unsettled => {
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

interface Envelope {
  readonly message: string;
  readonly whole: object;
}

/** The documented failure envelope. A "failure" that names a withdrawal is none: there is one to be found. */
const envelopeIn = (answer: object | undefined): Envelope | undefined => {
  if (answer === undefined || successOf(answer) !== false || namesWithdrawal(answer)) {
    return undefined;
  }
  return "message" in answer && typeof answer.message === "string"
    ? { message: answer.message, whole: answer }
    : undefined;
};

/** The documented body of a 404 without `success`. Source: service.md 4.2, 7.2. */
const isNotFoundBody = (answer: object | undefined): boolean =>
  answer !== undefined &&
  successOf(answer) === undefined &&
  !namesWithdrawal(answer) &&
  saysNotFound(answer) &&
  "message" in answer &&
  typeof answer.message === "string";

/** The documented field of a 429, whose limit is kept before any work is done. Source: service.md 7.1. */
const asksToWait = (answer: object | undefined): boolean =>
  answer !== undefined &&
  successOf(answer) !== true &&
  !namesWithdrawal(answer) &&
  "retryAfter" in answer &&
  (typeof answer.retryAfter === "number" || typeof answer.retryAfter === "string");

/**
 * Why the service refused, when its answer is a refusal beyond doubt: the documented failure envelope, or the documented
 * body of that status. Markup, an empty body or any other JSON may come from a proxy after the withdrawal was made.
 */
const refusalOf = (status: number, answer: object | undefined): RejectReason | undefined => {
  const isOk = status >= 200 && status < 300;
  const isClientError = status >= 400 && status < 500;
  if ((!isOk && !isClientError) || UNCLEAR.has(status)) return undefined;
  if (envelopeIn(answer) !== undefined) return REASON_OF_STATUS.get(status) ?? "refused";
  if (status === 404 && isNotFoundBody(answer)) return "not_found";
  return status === 429 && asksToWait(answer) ? "rate_limited" : undefined;
};

const readShortfall = readerOf(
  z.object({
    details: z.object({ availableSplitBalance: wireDecimal, minimumWithdrawal: wireDecimal }),
  }),
);

/**
 * The one refusal that is told apart, by its `details`: the split balance is below the minimum. Undefined for any
 * other. Source: service.md 4.1 (failure bodies).
 */
const shortfallIn = (
  refusal: object,
): { readonly available: Cents; readonly minimum: Cents } | undefined => {
  const reading = readShortfall(refusal);
  if (!reading.valid) return undefined;
  const { availableSplitBalance, minimumWithdrawal } = reading.value.details;
  return { available: availableSplitBalance, minimum: minimumWithdrawal };
};
