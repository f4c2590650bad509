import { isWireId, pathSegments } from "../domain/wire-id.ts";
import { WalletError } from "../shared/errors.ts";

/** Identifiers that would be another operation's path. */
const TAKEN = new Set(["summary"]);

const PARAMETER = /\{\w+\}/;

const isTaken = (identifier: string): boolean =>
  pathSegments(identifier).some((segment) => TAKEN.has(segment.toLowerCase()));

/**
 * The path of a route with one parameter, such as `/v1/transactions/{txid}`, percent-encoded. What people typed cannot
 * lead to another operation.
 * @throws WalletError invalid_request, before anything is sent
 */
export const resourcePath = (route: string, identifier: string): string => {
  if (!isWireId(identifier) || isTaken(identifier)) {
    throw new WalletError({ kind: "invalid_request", method: "GET", route });
  }
  return route.replace(PARAMETER, encodeURIComponent(identifier));
};
