import { getPixPayloadInfo } from "@brazilian-utils/brazilian-utils/get-pix-payload-info";
import * as z from "zod";
import type { ChargeRequest, ChargeStatus, CreatedCharge } from "../charges/charge.ts";
import { isWireId } from "../shared/ids.ts";
import { type Cents, centsFromReais } from "../shared/money.ts";
import { type MoneyOperation, type ParseResult, resourceRead, type Send } from "./operation.ts";
import {
  amountNames,
  camelKeys,
  type Fields,
  firstOf,
  isFields,
  listedTime,
} from "./undocumented-list.ts";
import { isSendable, readAs, successOf, wireAmount, wireEnum } from "./wire.ts";

/**
 * The creation of a charge.
 *
 * AN ASSUMPTION: the document names this operation and its status check, says that a description and a valid amount are
 * required (service.md 4.7, 7.1), and shows no names and no answer. The request is `amount`, a JSON number in reais with
 * at most two decimals (1), and `description`, named as in a transaction's metadata (2.3). The answer is searched for a
 * BR Code and for fields of usual names, wherever they stand. The answer of the status check is read in the same way.
 */
export const charge = ({ amount, description }: ChargeRequest): MoneyOperation<CreatedCharge> => ({
  route: "/v1/payment/create",
  body:
    isSendable(amount) && description.trim() !== ""
      ? JSON.stringify({ amount: amount / 100, description })
      : undefined,
  accepted: {
    read: (answer) => readCreated(answer, { amount, description }),
    essence: (created) => ({ ...NOTHING, txid: created.txid, problem: created.problem }),
    unshown: true,
  },
});

/**
 * The quick look at a charge. Its shape is assumed as that of `charge`; the documented detail of the transaction judges.
 * @throws WalletError; `not_found`, and `invalid_request` for text that cannot be an id
 */
export const getChargeStatus = async (
  send: Send,
  txid: string,
  wanted: ChargeRequest,
): Promise<ChargeStatus> =>
  send({
    ...resourceRead("/v1/payment/status/{txid}", txid),
    read: (answer) => readStatus(answer, wanted),
    unshown: true,
    fresh: true,
  });

const NOTHING: CreatedCharge = {
  txid: undefined,
  code: undefined,
  fee: undefined,
  net: undefined,
  expiresAt: undefined,
  problem: undefined,
};

/** Names of fields in the order of their trust, the documented name first. */
const NAMES = {
  txid: ["txid", "txId", "transactionId", "paymentId", "chargeId"],
  ...amountNames,
  fee: ["fee", "feeAmount", "totalFee"],
  expiresAt: ["expiresAt", "expireAt", "expiration", "expirationDate", "validUntil"],
  status: ["status", "paymentStatus", "state"],
} as const;

const MOST_DEPTH = 6;
const MOST_PARTS = 500;

interface Parts {
  readonly places: readonly Fields[];
  readonly texts: readonly string[];
}

/** The objects and texts of an answer, level by level, within bounds. */
const partsOf = (answer: object): Parts => {
  const places: Fields[] = [];
  const texts: string[] = [];
  let level: readonly unknown[] = [answer];
  let left = MOST_PARTS;
  for (let depth = 0; depth < MOST_DEPTH && level.length > 0; depth++) {
    const below: unknown[] = [];
    for (const part of level.slice(0, left)) {
      left -= 1;
      if (typeof part === "string") texts.push(part);
      if (typeof part !== "object" || part === null) continue;
      const fields = camelKeys(part);
      if (isFields(fields)) places.push(fields);
      below.push(...Object.values(part).slice(0, left));
    }
    level = below;
  }
  return { places, texts };
};

const asId = readAs(
  z.union([z.string(), z.int().nonnegative().transform(String)]).refine(isWireId),
);
const asAmount = readAs(wireAmount.refine((amount) => amount >= 0));
const asTime = (value: unknown): Temporal.Instant | undefined => listedTime.parse(value);
const asWord = readAs(wireEnum<"pending" | "approved" | "refunded" | "expired">());

/** The value of the most trusted name, in the place nearest to the root. */
const mostTrusted = <T>(
  places: readonly Fields[],
  names: readonly string[],
  read: (value: unknown) => T | undefined,
): T | undefined => {
  for (const name of names) {
    const found = firstOf(places, [name], read);
    if (found !== undefined) return found.value;
  }
  return undefined;
};

const BEGINS = "000201";
/** Field 63: four hexadecimal digits of the CRC end every code. Source: Banco Central, Manual do BR Code. */
const ENDS = /6304[0-9A-Fa-f]{4}/g;
const LONGEST_CODE = 512;
const CRC_FIELD = 8;
/** Back-ticks, line breaks and unseen characters would change on their way through a message. */
const SHOWABLE = /^[\x20-\x5f\x61-\x7e\u00c0-\u00ff]+$/;

/** An answer about one charge has a handful; one made of beginnings and ends has millions, too many to judge. */
const MOST_CANDIDATES = 1_000;

/** Every text from a beginning to an end of a code. */
const candidatesIn = function* (text: string): Generator<string, undefined> {
  for (let at = text.indexOf(BEGINS); at !== -1; at = text.indexOf(BEGINS, at + 1)) {
    const rest = text.slice(at, at + LONGEST_CODE);
    for (const end of rest.matchAll(ENDS)) yield rest.slice(0, end.index + CRC_FIELD);
  }
};

const AMOUNT_FIELD = "54";

/**
 * The amount in a code of valid form; undefined without one, and for a zero, which leaves it to the code's address. The
 * library keeps the amount of a code with an address to itself. Each field is an id and a length, of two digits each, and
 * its value. Source: Banco Central, Manual do BR Code.
 */
const amountIn = (code: string): Cents | undefined => {
  for (let at = 0; at < code.length;) {
    const end = at + 4 + Number(code.slice(at + 2, at + 4));
    const value = code.slice(at + 4, end);
    if (code.startsWith(AMOUNT_FIELD, at)) return centsFromReais(Number(value)) || undefined;
    at = end;
  }
  return undefined;
};

/**
 * The one payable code: its form and CRC hold by the library's judgement, and an amount in it is the asked one. The
 * asked description is no source, as the answer may repeat it.
 */
const codeIn = (
  texts: readonly string[],
  { amount, description }: ChargeRequest,
): Pick<CreatedCharge, "code" | "problem"> => {
  const candidates = [
    ...texts
      .values()
      .flatMap(candidatesIn)
      .take(MOST_CANDIDATES + 1),
  ];
  if (candidates.length > MOST_CANDIDATES) return { code: undefined, problem: "several_codes" };
  const given = new Set(candidates.filter((candidate) => !description.includes(candidate)));
  const whole = [...given].filter(
    (code) => SHOWABLE.test(code) && getPixPayloadInfo(code) !== null,
  );
  const [first] = whole;
  if (first === undefined)
    return { code: undefined, problem: given.size === 0 ? "no_code" : "broken_code" };
  if (whole.length > 1) return { code: undefined, problem: "several_codes" };
  const asked = amountIn(first);
  if (asked !== undefined && asked !== amount) return { code: undefined, problem: "other_amount" };
  return { code: first, problem: undefined };
};

/** A plain `id` may be of a customer or a request: it counts at the root, and beside the amount or the code. */
const plainIdIn = (answer: object, places: readonly Fields[]): string | undefined => {
  const root = camelKeys(answer);
  const own = places.filter(
    (place) =>
      firstOf([place], NAMES.amount, asAmount) !== undefined ||
      Object.values(place).some(
        (each) => typeof each === "string" && candidatesIn(each).some(() => true),
      ),
  );
  return mostTrusted([...(isFields(root) ? [root] : []), ...own], ["id"], asId);
};

const CENTAVOS = 100;

/** An answer about another amount holds no code to pay. An answer in centavos tells no fee. */
const createdIn = (
  { places, texts }: Parts,
  txid: string | undefined,
  wanted: ChargeRequest,
): CreatedCharge => {
  const amount = mostTrusted(places, NAMES.amount, asAmount);
  const expiresAt = mostTrusted(places, NAMES.expiresAt, asTime);
  const known = { ...NOTHING, txid, expiresAt };
  if (amount !== undefined && amount === wanted.amount * CENTAVOS)
    return { ...known, ...codeIn(texts, wanted) };
  if (amount !== undefined && amount !== wanted.amount)
    return { ...known, problem: "other_amount" };
  return {
    ...known,
    fee: mostTrusted(places, NAMES.fee, asAmount),
    net: mostTrusted(places, NAMES.net, asAmount),
    ...codeIn(texts, wanted),
  };
};

/** With `success: true` there is a charge, even if nothing of it can be read; without it a plain `id` proves none. */
const readCreated = (answer: object, wanted: ChargeRequest): ParseResult<CreatedCharge> => {
  const parts = partsOf(answer);
  const named = mostTrusted(parts.places, NAMES.txid, asId);
  const value = createdIn(parts, named ?? plainIdIn(answer, parts.places), wanted);
  return successOf(answer) === true || named !== undefined || value.code !== undefined
    ? { ok: true, value }
    : { ok: false, problems: ["neither txid nor code"] };
};

const readStatus = (answer: object, wanted: ChargeRequest): ParseResult<ChargeStatus> => {
  const parts = partsOf(answer);
  const status = mostTrusted(parts.places, NAMES.status, asWord)?.toLowerCase();
  const { expiresAt, code } = createdIn(parts, undefined, wanted);
  return { ok: true, value: { status, expiresAt, code } };
};
