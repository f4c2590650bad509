import type { IncomingMessage, ServerResponse } from "node:http";
import { type Clock, MINUTE, pause } from "../../shared/time.ts";
import { answerWrongly, type Faults } from "../faults.ts";
import { readBody } from "../loopback-server.ts";
import {
  type Answer,
  failure,
  notFound,
  type Route,
  tooManyRequests,
  unauthorized,
} from "./resource.ts";
import { chargeStatus, createCharge } from "./charges.ts";
import { balance, type Merchant } from "./merchant.ts";
import type { WalletSettings } from "./wallet-settings.ts";
import { medDetail, medList, medSummary } from "./meds.ts";
import { validatePixKey } from "./pix-keys.ts";
import { refund } from "./refunds.ts";
import { salesReport } from "./sales-report.ts";
import { cancelWithdrawal, splitWithdraw, withdraw } from "./withdraw.ts";
import { transaction, transactionList } from "./transactions.ts";
import { withdrawalDetail, withdrawalList } from "./withdrawals.ts";

const LONGEST_BODY_BYTES = 100_000;

/** One request as it arrived; never with its key. */
export interface WalletRequest {
  readonly method: string;
  /** With its query, as it stood in the request line. */
  readonly path: string;
  /** User id of the key's account; undefined for a key without an account. */
  readonly userId: string | undefined;
  /** Status of the answer; undefined after a fault. */
  readonly status: number | undefined;
}

interface WalletServerParts {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly merchantOf: (apiKey: string) => Merchant | undefined;
  readonly settings: Readonly<WalletSettings>;
  readonly record: (request: WalletRequest) => void;
}

/** The HTTP side of the local wallet: `X-Request-ID`, faults, the key and the limits around a resource. */
export const createWalletListener = (parts: WalletServerParts) => {
  const limits = createRequestLimits();
  let count = 0;

  const decide = (
    request: IncomingMessage,
    url: URL,
    matched: MatchedRoute | undefined,
    text: string | undefined,
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
    const text = (await readBody(request, LONGEST_BODY_BYTES))?.toString();
    const fault = parts.faults.next(`${method} ${matched?.route.path ?? url.pathname}`);
    const now = parts.clock.now();
    // The sandbox's time: a client learns from it how far the two clocks are apart.
    response.setHeader("date", new Date(now.epochMilliseconds).toUTCString());
    // A fault before the effect leaves the data and the limits unchanged.
    const answer = fault?.at === "before" ? undefined : decide(request, url, matched, text, now);
    if (parts.settings.latencyMs > 0) await pause(parts.settings.latencyMs);
    parts.record({
      method,
      path,
      userId: merchantOfRequest(parts, request)?.userId,
      status: fault === undefined ? answer?.status : undefined,
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

/** Undefined when the body is too long, not JSON or not announced as such. */
const parseBody = (
  request: IncomingMessage,
  text: string | undefined,
): { readonly value: unknown } | undefined => {
  if (text === undefined) return undefined;
  if (text === "") return { value: undefined };
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? "")) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    // Any other text than JSON is refused as a bad request.
    return undefined;
  }
};

/** Fixed paths stand before those with an id. Source: service.md 4. */
const ROUTES: readonly Route[] = [
  { method: "POST", path: "/v1/split/withdraw", withdraws: true, answer: splitWithdraw },
  { method: "POST", path: "/v1/withdraw", withdraws: true, answer: withdraw },
  { method: "POST", path: "/v1/withdraw/cancel", withdraws: false, answer: cancelWithdrawal },
  { method: "POST", path: "/v1/refund", withdraws: true, answer: refund },
  { method: "POST", path: "/v1/pix/validate", withdraws: false, answer: validatePixKey },
  { method: "POST", path: "/v1/payment/create", withdraws: false, answer: createCharge },
  { method: "GET", path: "/v1/payment/status/:id", withdraws: false, answer: chargeStatus },
  { method: "GET", path: "/v1/transactions", withdraws: false, answer: transactionList },
  { method: "GET", path: "/v1/balance", withdraws: false, answer: balance },
  { method: "GET", path: "/v1/withdrawals", withdraws: false, answer: withdrawalList },
  { method: "GET", path: "/v1/transactions/:id", withdraws: false, answer: transaction },
  { method: "GET", path: "/v1/withdrawals/:id", withdraws: false, answer: withdrawalDetail },
  { method: "GET", path: "/v1/meds", withdraws: false, answer: medList },
  { method: "GET", path: "/v1/meds/summary", withdraws: false, answer: medSummary },
  { method: "GET", path: "/v1/meds/:id", withdraws: false, answer: medDetail },
  { method: "GET", path: "/v1/sales/report", withdraws: false, answer: salesReport },
];

interface MatchedRoute {
  readonly route: Route;
  readonly id: string;
}

/** Undefined for a wrong endpoint. */
const matchRoute = (method: string, pathname: string): MatchedRoute | undefined => {
  for (const route of ROUTES) {
    if (route.method !== method) continue;
    const id = idIn(route.path, pathname);
    if (id !== undefined) return { route, id };
  }
  return undefined;
};

const idIn = (path: string, pathname: string): string | undefined => {
  if (!path.endsWith("/:id")) return path === pathname ? "" : undefined;
  const folder = path.slice(0, -":id".length);
  const rest = pathname.startsWith(folder) ? pathname.slice(folder.length) : "";
  if (rest === "" || rest.includes("/")) return undefined;
  try {
    return decodeURIComponent(rest);
  } catch {
    // A path with a broken escape is a wrong endpoint.
    return undefined;
  }
};

const REQUESTS_PER_MINUTE = 60;
const WITHDRAWALS_PER_MINUTE = 3;

/**
 * 60 requests and 3 withdrawals in any minute, for each key. A refund counts as a withdrawal: this sandbox's
 * assumption. Source: service.md 8.
 */
const createRequestLimits = () => {
  const requests = new Map<string, number[]>();
  const withdrawals = new Map<string, number[]>();
  return {
    /** Undefined when the request may pass, else the milliseconds until it may. A refused request is not counted. */
    take: (apiKey: string, withdraws: boolean, now: Temporal.Instant): number | undefined => {
      const nowMs = now.epochMilliseconds;
      const general = recent(requests, apiKey, nowMs);
      const money = recent(withdrawals, apiKey, nowMs);
      const wait =
        waitFor(general, REQUESTS_PER_MINUTE, nowMs) ??
        (withdraws ? waitFor(money, WITHDRAWALS_PER_MINUTE, nowMs) : undefined);
      if (wait !== undefined) return wait;
      general.push(nowMs);
      if (withdraws) money.push(nowMs);
      return undefined;
    },
  };
};

/** Instants ahead of `nowMs` are dropped too: the virtual clock may have been moved back. */
const recent = (seen: Map<string, number[]>, apiKey: string, nowMs: number): number[] => {
  const kept = (seen.get(apiKey) ?? []).filter((at) => at > nowMs - MINUTE && at <= nowMs);
  seen.set(apiKey, kept);
  return kept;
};

const waitFor = (instants: readonly number[], limit: number, nowMs: number): number | undefined => {
  const oldest = instants[0];
  return oldest === undefined || instants.length < limit ? undefined : oldest + MINUTE - nowMs;
};
