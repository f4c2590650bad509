import type { PixKeyCheck } from "../domain/withdrawal.ts";
import type { ParseResult, Send } from "./operation.ts";
import { type Fields, firstOf, isFields } from "./undocumented-list.ts";

const ROUTE = "/v1/pix/validate";

/** Names under which the answer's fields may stand, up to two levels below the root. */
const PLACES = ["data", "key", "owner", "pix", "pixKey", "result"];
const VALIDITY = ["valid", "isValid"];
const HOLDER = [
  "name",
  "ownerName",
  "holderName",
  "pixKeyOwner",
  "accountHolder",
  "owner",
  "holder",
];
const BANK = ["bankName", "bank"];

/**
 * Whether a key exists and who owns it, as far as the service says. It moves no money, but as a POST it is not
 * repeated.
 *
 * AN ASSUMPTION: the document names this operation and shows neither its request nor its answer (service.md 4.7). The
 * request is `pixKey`, named as in the split withdrawal; the answer is searched for fields of usual names.
 * @throws WalletError
 */
export const checkPixKey = (send: Send, pixKey: string): Promise<PixKeyCheck> =>
  send({
    method: "POST",
    route: ROUTE,
    path: ROUTE,
    body: JSON.stringify({ pixKey }),
    read,
    readRefusal,
    unshown: true,
    refusal: "refused",
  });

const booleanOf = (value: unknown): boolean | undefined =>
  typeof value === "boolean" ? value : undefined;

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;

const placesIn = (holder: Fields): readonly Fields[] =>
  PLACES.map((name) => holder[name]).filter(isFields);

const checkIn = (answer: Fields): PixKeyCheck => {
  const below = placesIn(answer);
  const places = [answer, ...below, ...below.flatMap(placesIn)];
  return {
    valid: firstOf(places, VALIDITY, booleanOf)?.value,
    holderName: firstOf(places, HOLDER, textOf)?.value,
    bankName: firstOf(places, BANK, textOf)?.value,
  };
};

const read = (answer: object): ParseResult<PixKeyCheck> =>
  isFields(answer)
    ? { ok: true, value: checkIn(answer) }
    : { ok: false, problems: ["body is no object"] };

const BAD_REQUEST = 400;

const refusesKey = (answer: Fields, status: number): boolean =>
  checkIn(answer).valid === false ||
  (status === BAD_REQUEST && textOf(answer["message"]) !== undefined);

/**
 * A refusal means an unknown key when its body says so, or when it has the status that the document gives to "invalid
 * key for the stated type" (service.md 7.1). Any other refusal may concern the request.
 */
const readRefusal = (answer: object, status: number): PixKeyCheck | undefined =>
  isFields(answer) && refusesKey(answer, status)
    ? { valid: false, holderName: undefined, bankName: undefined }
    : undefined;
