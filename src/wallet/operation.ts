import { isWireId, pathSegments } from "../shared/ids.ts";
import { WalletError } from "../shared/errors.ts";
import type { CallRequest } from "./http.ts";

/** The value read from a successful answer's body, or the reasons why it cannot be read. */
export type ParseResult<T> =
  | { readonly ok: true; readonly value: T }
  /** `problems`: names of fields and their faults, never their values. */
  | { readonly ok: false; readonly problems: readonly string[] };

export interface AnswerFacts {
  /** The service's clock minus ours, in milliseconds. */
  readonly skewMs: number | undefined;
}

/** One read of `/v1` with its parameters filled in. A POST is neither repeated nor shared; `fresh` is never shared. */
export interface Operation<T> extends CallRequest {
  /** The path with its parameters as names, for logs, metrics and errors. */
  readonly route: string;
  /** Reads a body with `success: true`; a long list in several turns of the event loop. */
  readonly read: (answer: object, facts: AnswerFacts) => ParseResult<T> | Promise<ParseResult<T>>;
  /**
   * Set where the document shows no example of the answer: an array, or a body without `success`, is then read too.
   * `success: false` still means a refusal.
   */
  readonly unshown?: true;
  /** Set for reads that decide about money: a shared answer could be older than the request that moved it. */
  readonly fresh?: true;
  /** Turns a body with `success: false` into a value, where the document gives such a body its own meaning. */
  readonly readRefusal?: (answer: object) => T | undefined;
  /**
   * The error kind of `success: false` without a telling status. Reads of a single resource refuse only a missing
   * one.
   */
  readonly refusal: "refused" | "not_found";
}

/** Carries out one operation with the key and the priority that it is bound to. @throws WalletError */
export type Send = <T>(operation: Operation<T>) => Promise<T>;

/** How to read the answer to an accepted operation that moves money. */
export interface AcceptedForm<Accepted> {
  readonly read: (answer: object) => ParseResult<Accepted>;
  /** The part that must be known, without the texts that may repeat our key. */
  readonly essence: (accepted: Accepted) => Accepted;
  /**
   * Set where the document shows no example of the answer: a 2xx body without `success` is then an acceptance too, if
   * `read` finds what it looks for. `success: false` still means a refusal.
   */
  readonly unshown?: true;
}

/** One POST that moves money, with its parameters filled in. Its route has no parameters and is its path too. */
export interface MoneyOperation<Accepted> {
  readonly route: string;
  /** Undefined for an impossible request, which is not sent. */
  readonly body: string | undefined;
  readonly accepted: AcceptedForm<Accepted>;
}

/** Identifiers that would be another operation's path. */
const TAKEN = new Set(["summary"]);

const PARAMETER = /\{\w+\}/;

const isTaken = (identifier: string): boolean =>
  pathSegments(identifier).some((segment) => TAKEN.has(segment.toLowerCase()));

/** The read of a route without parameters, or of the part of it that the query names. */
export const routeRead = (route: string, query = "") =>
  ({
    method: "GET",
    route,
    path: query === "" ? route : `${route}?${query}`,
    refusal: "refused",
  }) as const;

/**
 * The read of one resource by its id, for a route such as `/v1/transactions/{txid}`. The id is percent-encoded: typed
 * text cannot lead to another operation.
 * @throws WalletError invalid_request, before the request is sent
 */
export const resourceRead = (route: string, identifier: string) => {
  if (!isWireId(identifier) || isTaken(identifier)) {
    throw new WalletError({ kind: "invalid_request", method: "GET", route });
  }
  const path = route.replace(PARAMETER, encodeURIComponent(identifier));
  return { method: "GET", route, path, refusal: "not_found" } as const;
};
