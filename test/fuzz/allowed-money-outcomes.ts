import type { MoneyAnswer } from "#src/domain/withdraw-answer.ts";
import { jsonIn } from "./json-in.ts";
import type { MoneyOperation, RawAnswer } from "./malformed-answers.ts";

export type MoneyState = MoneyAnswer<unknown>["state"];

const REFUSED = new Set([400, 401, 403, 404, 409, 413, 415, 422, 429]);
const UNCLEAR = new Set([408, 425]);

interface Said {
  readonly success?: unknown;
  readonly message?: unknown;
  readonly withdrawal?: { readonly txid?: unknown } | null;
}

/** What can be kept and shown, and is not our key. */
const isTxid = (txid: unknown, echoes: readonly string[]): boolean =>
  typeof txid === "string" &&
  txid.length > 0 &&
  txid.length <= 256 &&
  !/\p{C}/u.test(txid) &&
  !echoes.some((echo) => txid.includes(echo));

const isRefusal = (said: Said): boolean =>
  said.success === false &&
  typeof said.message === "string" &&
  !(said.withdrawal instanceof Object && Object.hasOwn(said.withdrawal, "txid"));

const stateOf = (
  operation: MoneyOperation,
  status: number,
  body: Buffer,
  echoes: readonly string[],
): MoneyState => {
  const said: Said = jsonIn(body) ?? {};
  if (status >= 200 && status < 300) {
    if (isRefusal(said)) return "rejected";
    const named = operation === "cancelWithdrawal" || isTxid(said.withdrawal?.txid, echoes);
    return said.success === true && named ? "accepted" : "unknown";
  }
  if (REFUSED.has(status)) return "rejected";
  const clientError = status >= 400 && status < 500 && !UNCLEAR.has(status);
  return clientError && isRefusal(said) ? "rejected" : "unknown";
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
