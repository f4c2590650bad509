import { isWireId } from "../domain/wire-id.ts";
import { WalletError } from "../shared/errors.ts";

/** Identifiers that would be another operation's path. */
const TAKEN = new Set(["summary"]);

const PARAMETER = /\{\w+\}/;

/**
 * The path of a route with one parameter, such as `/v1/transactions/{txid}`. What people typed cannot lead to another
 * operation: only plain identifiers pass, and they are percent-encoded all the same.
 * @throws WalletError invalid_request, before anything is sent
 */
export const resourcePath = (route: string, identifier: string): string => {
  if (!isWireId(identifier) || TAKEN.has(identifier.toLowerCase())) {
    throw new WalletError({ kind: "invalid_request", method: "GET", route });
  }
  return route.replace(PARAMETER, encodeURIComponent(identifier));
};
