import * as z from "zod";
import type { MoneyAnswer, RejectReason } from "../withdrawals/withdrawal.ts";
import { headerOf, type HttpAnswer, type HttpFailure } from "./http.ts";
import { jsonBody, readAs, repeatsSecret, saysNotFound, successOf, wireDecimal } from "./wire.ts";
import type { AcceptedForm } from "./operation.ts";
import { requestIdOf, retryAfterOf } from "./headers.ts";

type Unsettled = Extract<MoneyAnswer<never>, { state: "not_sent" | "unknown" }>;
type Rejected = Extract<MoneyAnswer<never>, { state: "rejected" }>;

/** The reason of a documented refusal, by its status. Source: service.md 7.1. */
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
 * Statuses that prove no refusal, with any body: 408 and 425 may come from a proxy, which cannot know the outcome,
 * and a 409 ("duplicate operation", "a withdrawal is pending") may refer to the very withdrawal of this request.
 */
const UNCLEAR = new Set([408, 409, 425]);

/** Refusals made before the service read the account: their details are ignored. */
const UNREAD = new Set<RejectReason>(["unauthorized", "rate_limited"]);

const CLOSED = new Set(["UND_ERR_CLOSED", "UND_ERR_DESTROYED"]);

/**
 * Classifies the outcome of a POST that moves money. An acceptance, a refusal in a documented form and a request that
 * provably was not sent are certain; every other outcome is `unknown`. The result never contains our key. `fraction`
 * in [0, 1) spreads the waits.
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
    const shortfall = readable ? shortfallIn(envelope) : undefined;
    const said = messageIn(body);
    const message = repeatsSecret(said, apiKey) ? undefined : said;
    const retryAfterMs = given === "rate_limited" ? retryAfterOf(answer, fraction) : undefined;
    const reason = shortfall === undefined ? given : "insufficient_split_balance";
    return { state: "rejected", reason, httpStatus, requestId, message, retryAfterMs, shortfall };
  };

  const refusal = refusalOf(httpStatus, body);
  if (refusal !== undefined) return rejected(refusal);
  if (httpStatus < 200 || httpStatus >= 300) {
    return unknown(`HTTP_${httpStatus}`);
  }
  if (body === undefined) return unknown("UNREADABLE_ANSWER");
  const success = successOf(body);
  const mayBeRead = success === true || (success === undefined && accepted.unshown === true);
  if (!mayBeRead) return unknown("UNREADABLE_ANSWER");
  const parsed = accepted.read(body);
  if (!parsed.ok) return unknown("UNREADABLE_ANSWER");
  const echoes = repeatsSecret(parsed.value, apiKey);
  const value = echoes ? accepted.essence(parsed.value) : parsed.value;
  // Even the essential part repeats our key: the withdrawal has to be found by reading.
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

const messageIn = (answer: object | undefined): string | undefined =>
  answer !== undefined && "message" in answer && typeof answer.message === "string"
    ? answer.message
    : undefined;

/**
 * The documented failure envelope. A body that names a withdrawal is not taken as a failure: that withdrawal may
 * exist.
 */
const envelopeIn = (answer: object | undefined): object | undefined => {
  if (answer === undefined || successOf(answer) !== false || namesWithdrawal(answer)) {
    return undefined;
  }
  return messageIn(answer) === undefined ? undefined : answer;
};

/** The documented body of a 404 without `success`. Source: service.md 4.2, 7.2. */
const isNotFoundBody = (answer: object | undefined): boolean =>
  answer !== undefined &&
  successOf(answer) === undefined &&
  !namesWithdrawal(answer) &&
  saysNotFound(answer) &&
  messageIn(answer) !== undefined;

/**
 * Whether a body has the documented field of a 429; the service checks that limit before any work. Source: service.md
 * 7.1.
 */
const asksToWait = (answer: object | undefined): boolean =>
  answer !== undefined &&
  successOf(answer) !== true &&
  !namesWithdrawal(answer) &&
  "retryAfter" in answer &&
  (typeof answer.retryAfter === "number" || typeof answer.retryAfter === "string");

/**
 * The reason of a refusal beyond doubt: the documented failure envelope, or the documented body of its status.
 * Markup, an empty body or any other JSON may come from a proxy after the withdrawal was made.
 */
const refusalOf = (status: number, answer: object | undefined): RejectReason | undefined => {
  const isOk = status >= 200 && status < 300;
  const isClientError = status >= 400 && status < 500;
  if ((!isOk && !isClientError) || UNCLEAR.has(status)) return undefined;
  if (envelopeIn(answer) !== undefined) return REASON_OF_STATUS.get(status) ?? "refused";
  if (status === 404 && isNotFoundBody(answer)) return "not_found";
  return status === 429 && asksToWait(answer) ? "rate_limited" : undefined;
};

/**
 * The balance and the minimum, when the `details` of a refusal say that the split balance is below the minimum.
 * Source: service.md 4.1 (failure bodies).
 */
const shortfallIn = readAs(
  z
    .object({
      details: z.object({ availableSplitBalance: wireDecimal, minimumWithdrawal: wireDecimal }),
    })
    .transform(({ details }) => ({
      available: details.availableSplitBalance,
      minimum: details.minimumWithdrawal,
    })),
);
