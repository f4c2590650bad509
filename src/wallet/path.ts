import { WalletError } from "../shared/errors.ts";

const IDENTIFIER = /^[A-Za-z0-9_-]{3,64}$/;
/** Identifiers that would be another operation's path. */
const TAKEN = new Set(["summary"]);

/** What every operation takes for an identifier, of whatever it is. */
export const isIdentifier = (text: string): boolean => IDENTIFIER.test(text);

const PARAMETER = /\{\w+\}/;

/**
 * The path of a route with one parameter, such as `/v1/transactions/{txid}`. What people typed cannot lead to another
 * operation: only plain identifiers pass, and they are percent-encoded all the same.
 * @throws WalletError invalid_request, before anything is sent
 */
export const resourcePath = (route: string, identifier: string): string => {
  if (!isIdentifier(identifier) || TAKEN.has(identifier.toLowerCase())) {
    throw new WalletError({ kind: "invalid_request", method: "GET", route });
  }
  return route.replace(PARAMETER, encodeURIComponent(identifier));
};
