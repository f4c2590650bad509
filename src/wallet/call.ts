import type { Dispatcher } from "undici";

import type { Secret } from "../shared/secret.ts";
import type { Timers } from "./timers.ts";
import { exchange, type HttpAnswer, type HttpFailure } from "./exchange.ts";

export interface CallRequest {
  readonly method: "GET" | "POST";
  /** Path and query, encoded, from `/v1` on. */
  readonly path: string;
  readonly body?: string | undefined;
}

/**
 * One request with its authorisation, once on the wire, within `deadlineMs`. Never rejects. Undefined: the key is none
 * that a header could carry, so nothing was sent.
 */
export type Call = (
  request: CallRequest,
  apiKey: Secret,
  deadlineMs: number,
) => Promise<HttpAnswer | HttpFailure | undefined>;

/** What can stand in a header without changing its meaning. */
const SENDABLE_KEY = /^[\x21-\x7e]{1,1024}$/;

/** Calls below `baseUrl` (without `/v1`), the only host there is. Source: service.md 5. */
export const createCall = (dispatcher: Dispatcher, baseUrl: string, timers?: Timers): Call => {
  const { origin, pathname } = new URL(baseUrl);
  const basePath = pathname.replace(/\/+$/, "");

  return async ({ method, path, body }, apiKey, deadlineMs) => {
    const key = apiKey.reveal();
    if (!SENDABLE_KEY.test(key)) return undefined;
    const headers = {
      authorization: `Bearer ${key}`,
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const request = { origin, method, path: basePath + path, headers, body };
    return exchange(dispatcher, request, deadlineMs, timers);
  };
};
