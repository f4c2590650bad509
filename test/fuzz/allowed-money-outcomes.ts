import type { MoneyAnswer } from "#src/domain/withdrawal.ts";
import { jsonIn } from "./json-in.ts";
import type { MoneyOperation, RawAnswer } from "./malformed-answers.ts";

export type MoneyState = MoneyAnswer<unknown>["state"];

const UNCLEAR = new Set([408, 409, 425]);

interface MoneySaid {
  readonly success?: unknown;
  readonly message?: unknown;
  readonly withdrawal?: { readonly txid?: unknown } | null;
  readonly error?: unknown;
  readonly retryAfter?: unknown;
}

/** What can be kept and shown, and is not our key. */
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
  operation: MoneyOperation,
  status: number,
  body: Buffer,
  echoes: readonly string[],
): MoneyState => {
  const said: MoneySaid = jsonIn(body) ?? {};
  if (status >= 200 && status < 300) {
    if (isRefusal(status, said)) return "rejected";
    const named = operation === "cancelWithdrawal" || isTxid(said.withdrawal?.txid, echoes);
    return said.success === true && named ? "accepted" : "unknown";
  }
  const clientError = status >= 400 && status < 500 && !UNCLEAR.has(status);
  return clientError && isRefusal(status, said) ? "rejected" : "unknown";
};

/** What a call that moves money may end as for an answer: exactly one state for each whole answer. */
export const allowedMoneyOutcomes = (
  operation: MoneyOperation,
  answer: RawAnswer,
  echoes: readonly string[],
): readonly MoneyState[] => {
  if (answer.whole) {
    return [stateOf(operation, answer.whole.status, answer.whole.body, echoes)];
  }
  // Some broken framings leave a whole body all the same; what stalls never does.
  return answer.ending === "stall" ? ["unknown"] : ["accepted", "rejected", "unknown"];
};
