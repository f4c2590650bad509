import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../../shared/clock.ts";
import { answerWrongly, type Faults } from "../faults.ts";
import { failure, notFound, tooManyRequests, unauthorized, type Answer } from "./answer.ts";
import type { Merchant } from "./merchant.ts";
import { createRequestLimits } from "./request-limits.ts";
import { matchRoute, type MatchedRoute } from "./routes.ts";
import type { WalletSettings } from "./wallet-settings.ts";

const LONGEST_BODY_BYTES = 100_000;

/** One request as it arrived; never with its key. */
export interface WalletRequest {
  readonly method: string;
  /** With its query, as it stood in the request line. */
  readonly path: string;
  readonly at: Temporal.Instant;
  /** User id of the key's account; undefined when the key opens none. */
  readonly userId: string | undefined;
  /** What was answered; undefined when the connection ended otherwise. */
  readonly status: number | undefined;
  readonly requestId: string;
}

export interface WalletServerParts {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly merchantOf: (apiKey: string) => Merchant | undefined;
  readonly settings: Readonly<WalletSettings>;
  readonly record: (request: WalletRequest) => void;
}

/** The HTTP side of the local wallet: identity, limits, faults and `X-Request-ID`, in that order around a resource. */
export const createWalletListener = (parts: WalletServerParts) => {
  const limits = createRequestLimits();
  let count = 0;

  const decide = (
    request: IncomingMessage,
    url: URL,
    matched: MatchedRoute | undefined,
    text: string,
    now: Temporal.Instant,
  ): Answer => {
    if (matched === undefined) return notFound("Endpoint não encontrado.");
    const merchant = merchantOfRequest(parts, request);
    if (merchant === undefined) return unauthorized();
    const waitMs = limits.take(merchant.apiKey, matched.route.withdraws, now);
    if (waitMs !== undefined) return tooManyRequests(waitMs);
    const body = parseBody(request, text);
    if (body === undefined) return failure(400, "Corpo da requisição inválido.");
    const { route, id } = matched;
    const { settings } = parts;
    return route.answer({ merchant, now, id, query: url.searchParams, body: body.value, settings });
  };

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = `req_${String(++count).padStart(8, "0")}`;
    response.setHeader("x-request-id", requestId);
    const method = request.method ?? "GET";
    const path = request.url ?? "/";
    const url = new URL(path, "http://wallet.invalid");
    const matched = matchRoute(method, url.pathname);
    const text = await readText(request);
    const fault = parts.faults.next(`${method} ${matched?.route.path ?? url.pathname}`);
    const now = parts.clock.now();
    // The sandbox's time: a client learns from it how far the two clocks are apart.
    response.setHeader("date", new Date(now.epochMilliseconds).toUTCString());
    // A fault before the effect leaves the books, and the limits, as they were.
    const answer = fault?.at === "before" ? undefined : decide(request, url, matched, text, now);
    if (parts.settings.latencyMs > 0) await delay(parts.settings.latencyMs);
    parts.record({
      method,
      path,
      at: now,
      userId: merchantOfRequest(parts, request)?.userId,
      status: fault === undefined ? answer?.status : undefined,
      requestId,
    });
    if (fault !== undefined || answer === undefined) {
      if (fault !== undefined) answerWrongly(fault, response);
      return;
    }
    response.writeHead(answer.status, { "content-type": "application/json; charset=utf-8" });
    response.end(JSON.stringify(answer.body));
  };
};

const merchantOfRequest = (
  parts: WalletServerParts,
  request: IncomingMessage,
): Merchant | undefined => {
  const [, apiKey] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "") ?? [];
  const merchant = apiKey === undefined ? undefined : parts.merchantOf(apiKey);
  return merchant?.revoked === false ? merchant : undefined;
};

/** Undefined when the body is not JSON or not announced as such. */
const parseBody = (
  request: IncomingMessage,
  text: string,
): { readonly value: unknown } | undefined => {
  if (text === "") return { value: undefined };
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? "")) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    // What is not JSON is refused as a bad request.
    return undefined;
  }
};

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= LONGEST_BODY_BYTES) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
