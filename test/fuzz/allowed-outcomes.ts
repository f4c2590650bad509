import type { WalletErrorKind } from "#src/shared/errors.ts";
import { jsonIn } from "./json-in.ts";
import type { MoneyOperation, RawAnswer, WalletOperation } from "./malformed-answers.ts";

export type ReadOperation = Exclude<WalletOperation, MoneyOperation>;

export type OutcomeKind = WalletErrorKind | "value";

const NO_WHOLE_ANSWER: readonly OutcomeKind[] = ["unavailable", "timeout", "malformed"];

const BY_STATUS: Readonly<Record<number, OutcomeKind>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  408: "timeout",
  409: "conflict",
  410: "not_found",
  425: "unavailable",
  429: "rate_limited",
};

const DETAILS: readonly ReadOperation[] = ["transaction", "withdrawal", "dispute"];
/** Not shown by the document: such an answer may lack `success`, or be an array. */
const UNSHOWN: readonly ReadOperation[] = ["balance", "withdrawals", "disputes", "checkPixKey"];

interface Said {
  readonly success?: unknown;
  readonly error?: unknown;
}

const allowedWhole = (
  operation: ReadOperation,
  status: number,
  body: Buffer,
): readonly OutcomeKind[] => {
  if (status >= 500 && status < 600) return ["unavailable"];
  if (status === 408 || status === 425 || status === 429) return [BY_STATUS[status] ?? "malformed"];
  const said: Said | undefined = jsonIn(body);
  // "There is no such key" comes as a refusal too.
  const refusal: readonly OutcomeKind[] =
    operation === "checkPixKey" && said?.success === false ? ["value"] : [];
  if (status >= 200 && status < 300) {
    if (said?.success === true) return ["value", "malformed"];
    if (said?.success === false) {
      return [...refusal, DETAILS.includes(operation) ? "not_found" : "refused", "malformed"];
    }
    if (said?.error === "Not Found") return ["not_found"];
    const readable = said !== undefined && said.success === undefined;
    return readable && UNSHOWN.includes(operation) ? ["value", "malformed"] : ["malformed"];
  }
  if (status < 400 || status >= 600) return ["malformed"];
  if (body.toString().trimStart().startsWith("<")) return ["malformed"];
  if (status === 401) return ["unauthorized"];
  const plain = BY_STATUS[status] ?? "invalid_request";
  if (status === 403 || status === 409) return [plain, ...refusal];
  const missing =
    said?.error === "Not Found" || (said?.success === false && DETAILS.includes(operation));
  return missing ? ["not_found"] : [plain, ...refusal];
};

/** What a read may end as for an answer, by the document and by HTTP. */
export const allowedOutcomes = (
  operation: ReadOperation,
  answer: RawAnswer,
): readonly OutcomeKind[] => {
  if (answer.ending === "stall") return ["timeout", "malformed"];
  if (answer.whole !== undefined) {
    return allowedWhole(operation, answer.whole.status, answer.whole.body);
  }
  return ["value", "refused", "not_found", ...NO_WHOLE_ANSWER];
};
