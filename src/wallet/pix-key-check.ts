import type { PixKeyCheck } from "../domain/withdrawal.ts";
import type { Reading, Send } from "./operation.ts";

const ROUTE = "/v1/pix/validate";

type Fields = Readonly<Record<string, unknown>>;

/** Where the answer may stand: at the root or under one of these. */
const PLACES = ["data", "key", "owner", "result"];
const VALIDITY = ["valid", "isValid"];
const HOLDER = ["name", "ownerName", "holderName", "pixKeyOwner", "accountHolder"];
const BANK = ["bankName", "bank"];

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const booleanOf = (value: unknown): boolean | undefined =>
  typeof value === "boolean" ? value : undefined;

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;

const firstOf = <T>(
  places: readonly Fields[],
  names: readonly string[],
  as: (value: unknown) => T | undefined,
): T | undefined => {
  for (const place of places) {
    for (const name of names) {
      const found = Object.hasOwn(place, name) ? as(place[name]) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
};

const checkIn = (answer: Fields): PixKeyCheck => {
  const places = [answer, ...PLACES.map((name) => answer[name]).filter(isFields)];
  return {
    valid: firstOf(places, VALIDITY, booleanOf),
    holderName: firstOf(places, HOLDER, textOf),
    bankName: firstOf(places, BANK, textOf),
  };
};

const read = (answer: object): Reading<PixKeyCheck> =>
  isFields(answer)
    ? { valid: true, value: checkIn(answer) }
    : { valid: false, problems: ["body is no object"] };

/** A refusal says that there is no such key only where it says so: it may as well be about the request. */
const readRefusal = (answer: object): PixKeyCheck | undefined => {
  const check = isFields(answer) ? checkIn(answer) : undefined;
  return check?.valid === false
    ? { valid: false, holderName: undefined, bankName: undefined }
    : undefined;
};

/**
 * Whether a key exists and whose it is, as far as the service says. It moves nothing, and is asked once all the same:
 * it is a POST.
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
