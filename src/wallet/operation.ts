import { isWireId, pathSegments } from "../domain/ids.ts";
import { WalletError } from "../shared/errors.ts";
import type { CallRequest } from "./http.ts";

/** What an answer's body says, once it was looked at as a success. */
export type ParseResult<T> =
  | { readonly valid: true; readonly value: T }
  /** `problems`: names of fields and what is wrong with them, never their values. */
  | { readonly valid: false; readonly problems: readonly string[] };

/** What is known of an answer beside its body. */
export interface AnswerFacts {
  /** The service's clock less ours. */
  readonly skewMs: number | undefined;
}

/** One read of `/v1` with its parameters filled in. A POST is neither repeated nor shared; `fresh` is never shared. */
export interface Operation<T> extends CallRequest {
  /** The path with its parameters as names: what logs, metrics and errors say. */
  readonly route: string;
  /** Reads a body with `success: true`. */
  readonly read: (answer: object, facts: AnswerFacts) => ParseResult<T>;
  /**
   * The document does not show this answer: it may be an array, or lack `success`, as long as it can be read. One that
   * says `success: false` is a refusal all the same.
   */
  readonly unshown?: true;
  /** What money is judged by: an answer from before the request that moved it must not stand in for one after it. */
  readonly fresh?: true;
  /** Reads a body with `success: false` into a result, where the document gives such a body a meaning of its own. */
  readonly readRefusal?: (answer: object, status: number) => T | undefined;
  /** What `success: false` stands for where no status says it: details of one resource refuse only what they lack. */
  readonly refusal: "refused" | "not_found";
}

/** Carries out one operation with the key and lane that it was made for. @throws WalletError */
export type Send = <T>(operation: Operation<T>) => Promise<T>;

/** What an answer with `success: true` stands for, once the service accepted to move money. */
export interface AcceptedForm<Accepted> {
  readonly read: (answer: object) => ParseResult<Accepted>;
  /** What of it has to be known, for an answer whose other texts are not wanted. */
  readonly essence: (accepted: Accepted) => Accepted;
}

/** One POST that moves money, with its parameters filled in. Its route has no parameters, so it is its path too. */
export interface MoneyOperation<Accepted> {
  readonly route: string;
  /** Undefined: what was asked for cannot be asked for, and nothing may be sent. */
  readonly body: string | undefined;
  readonly accepted: AcceptedForm<Accepted>;
}

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
