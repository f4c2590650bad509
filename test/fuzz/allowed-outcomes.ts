import type { WalletErrorKind } from "#src/shared/errors.ts";
import type { MoneyAnswer } from "#src/withdrawals/withdrawal.ts";
import type { MoneyName, ReadName } from "../wallet/calls.ts";
import type { RawAnswer } from "./malformed-answers.ts";

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

const DETAILS: readonly ReadName[] = ["transaction", "withdrawal", "dispute", "chargeStatus"];
/** The document lacks an example: such an answer may be an array or lack `success`. */
const UNSHOWN: readonly ReadName[] = [
  "balance",
  "withdrawals",
  "transactions",
  "disputes",
  "chargeStatus",
  "checkPixKey",
];

interface Said {
  readonly success?: unknown;
  readonly error?: unknown;
}

const allowedWhole = (
  operation: ReadName,
  status: number,
  body: Buffer,
): readonly OutcomeKind[] => {
  if (status >= 500 && status < 600) return ["unavailable"];
  if (status === 408 || status === 425 || status === 429) return [BY_STATUS[status] ?? "malformed"];
  const said: Said | undefined = jsonIn(body);
  // "Key not found" also arrives as a refusal.
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

/** Permitted outcomes of a read, given an answer, by the document and by HTTP. */
export const allowedOutcomes = (operation: ReadName, answer: RawAnswer): readonly OutcomeKind[] => {
  if (answer.ending === "stall") return ["timeout", "malformed"];
  if (answer.whole !== undefined) {
    return allowedWhole(operation, answer.whole.status, answer.whole.body);
  }
  return ["value", "refused", "not_found", ...NO_WHOLE_ANSWER];
};

export type MoneyState = MoneyAnswer<unknown>["state"];

const UNCLEAR = new Set([408, 409, 425]);

interface MoneySaid {
  readonly success?: unknown;
  readonly message?: unknown;
  readonly withdrawal?: { readonly txid?: unknown } | null;
  readonly error?: unknown;
  readonly retryAfter?: unknown;
}

/** A txid that can be stored and shown, and that is not our API key. */
const isTxid = (txid: unknown, echoes: readonly string[]): boolean =>
  typeof txid === "string" &&
  txid.length > 0 &&
  txid.length <= 256 &&
  !/\p{C}/u.test(txid) &&
  !echoes.some((echo) => txid.includes(echo));

const namesWithdrawal = ({ withdrawal }: MoneySaid): boolean =>
  withdrawal instanceof Object && Object.hasOwn(withdrawal, "txid");

/** The documented envelope, or the documented body of a 404 or a 429. */
const isRefusal = (status: number, said: MoneySaid): boolean => {
  const { success, message, error, retryAfter } = said;
  if (namesWithdrawal(said)) return false;
  if (success === false && typeof message === "string") return true;
  const waits = typeof retryAfter === "number" || typeof retryAfter === "string";
  if (status === 429 && success !== true && waits) return true;
  const missing = error === "Not Found" && typeof message === "string";
  return status === 404 && success === undefined && missing;
};

const stateOf = (
  operation: MoneyName,
  status: number,
  body: Buffer,
  echoes: readonly string[],
): MoneyState => {
  const said: MoneySaid = jsonIn(body) ?? {};
  if (status >= 200 && status < 300) {
    if (isRefusal(status, said)) return "rejected";
    const unnamed = operation === "cancelWithdrawal" || operation === "refund";
    const named = unnamed || isTxid(said.withdrawal?.txid, echoes);
    return said.success === true && named ? "accepted" : "unknown";
  }
  const clientError = status >= 400 && status < 500 && !UNCLEAR.has(status);
  return clientError && isRefusal(status, said) ? "rejected" : "unknown";
};

/** Without `success` a body counts where a txid or a code is found in it, wherever they stand. */
const chargeStates = (status: number, body: Buffer): readonly MoneyState[] => {
  const said: MoneySaid | undefined = jsonIn(body);
  const isClientError = status >= 400 && status < 500 && !UNCLEAR.has(status);
  const isOk = status >= 200 && status < 300;
  if ((isOk || isClientError) && isRefusal(status, said ?? {})) return ["rejected"];
  const mayBeRead = said?.success === true || (said !== undefined && said.success === undefined);
  return isOk && mayBeRead ? ["accepted", "unknown"] : ["unknown"];
};

/** Permitted outcomes of a call that moves money, given an answer: exactly one state for each complete answer. */
export const allowedMoneyOutcomes = (
  operation: MoneyName,
  answer: RawAnswer,
  echoes: readonly string[],
): readonly MoneyState[] => {
  if (answer.whole && operation === "createCharge")
    return chargeStates(answer.whole.status, answer.whole.body);
  if (answer.whole) {
    return [stateOf(operation, answer.whole.status, answer.whole.body, echoes)];
  }
  // A broken framing may still deliver a whole body; a stalled answer never does.
  return answer.ending === "stall" ? ["unknown"] : ["accepted", "rejected", "unknown"];
};

/** The JSON object or array in a body; undefined for other content. */
const jsonIn = (body: Buffer): object | undefined => {
  try {
    const value: unknown = JSON.parse(body.toString("utf8").replace(/^\ufeff/, ""));
    return value instanceof Object ? value : undefined;
  } catch {
    return undefined;
  }
};
