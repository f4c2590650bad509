import type { LookupFunction } from "node:net";
import { lookup as systemLookup, type LookupAddress } from "node:dns";
import type { Dispatcher } from "undici";
import type { Secret } from "../shared/secret.ts";
import { systemTimers, type Timers } from "./timers.ts";
import { Agent, requestOnce } from "../shared/http-request.ts";
import { MINUTE, SECOND } from "../shared/time.ts";
import type { WalletLimits } from "./limits.ts";

export interface CallRequest {
  readonly method: "GET" | "POST";
  /** Path and query, encoded. */
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
    return sendRequest(dispatcher, request, deadlineMs, timers);
  };
};

type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

interface HttpRequest extends CallRequest {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpAnswer {
  readonly complete: true;
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: string;
}

/** An exchange without a whole answer; what had come by then is kept. */
export interface HttpFailure {
  readonly complete: false;
  readonly kind: FailureKind;
  readonly code: string;
  readonly status: number | undefined;
  readonly headers: ResponseHeaders;
}

export const headerOf = (answer: HttpAnswer | HttpFailure, name: string): string | undefined => {
  const value = answer.headers[name];
  return typeof value === "string" ? value : value?.[0];
};

const DEADLINE = "DEADLINE";

/** A parser error has no code but its name. Neither ever holds anything that came over the wire. */
const codeOf = (error: Error): string => {
  const code: unknown = "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : error.name;
};

/** One request and its whole answer. Resolves after `deadlineMs` at the latest, whatever the peer does. Never rejects. */
export const sendRequest = async (
  dispatcher: Dispatcher,
  request: HttpRequest,
  deadlineMs: number,
  timers: Timers = systemTimers,
): Promise<HttpAnswer | HttpFailure> => {
  const deadlineAt = timers.now() + deadlineMs;
  const late = Object.assign(new Error(DEADLINE), { code: DEADLINE });
  const outcome = await requestOnce(
    dispatcher,
    { ...request, body: request.body ?? null },
    {
      wait: (end) => timers.after(deadlineMs, () => end(late)),
      isOver: () => timers.now() >= deadlineAt,
    },
  );
  const { status, headers } = outcome;
  if (outcome.complete)
    return { complete: true, status: outcome.status, headers, body: outcome.text };
  const code = codeOf(outcome.error);
  const kind = outcome.started ? failureKind(code) : "unreachable";
  return { complete: false, kind, code, status, headers };
};

/** How an exchange can end without a whole answer. */
type FailureKind = "unreachable" | "unavailable" | "timeout" | "malformed";

const TIMEOUTS = new Set(["DEADLINE", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

const NO_ANSWER_OF_OURS = new Set([
  "HTTPParserError",
  "UND_ERR_HEADERS_OVERFLOW",
  "UND_ERR_RES_EXCEEDED_MAX_SIZE",
]);

/**
 * What an error stands for once the request had begun to leave, by undici's code or name for it. An unknown one counts
 * as a broken connection: the kind that promises least.
 */
const failureKind = (code: string): FailureKind => {
  if (TIMEOUTS.has(code)) return "timeout";
  return NO_ANSWER_OF_OURS.has(code) ? "malformed" : "unavailable";
};

const MEBIBYTE = 1 << 20;

/**
 * Connections for reads. An HTTP/1 connection carries one call at a time, so the ceiling is connections / latency:
 * with a service that answers in 20 ms, 16 connections would cap the bot at 800 reads a second and 256 allow 12,800.
 * They are opened on demand and closed when idle, so the number costs nothing until it is needed.
 */
export const createReadsAgent = (
  limits: WalletLimits,
  lookup: LookupFunction = createNameLookup(),
): Agent =>
  new Agent({
    allowH2: false,
    connections: 256,
    keepAliveTimeout: 10 * SECOND,
    connect: { timeout: limits.connectTimeoutMs, lookup },
    headersTimeout: limits.readHeadersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
    maxResponseSize: 4 * MEBIBYTE,
  });

/**
 * Connections for calls that move money: a fresh one for each call, so that no stale socket can leave it open whether
 * the service had the request; and never HTTP/2, on which undici sends a refused request again by itself. Calls that
 * hang keep none waiting: an account has at most three under way (its pace within one deadline), so that only 170
 * accounts that hang at once could take all connections.
 */
export const createMoneyAgent = (
  limits: WalletLimits,
  lookup: LookupFunction = createNameLookup(),
): Agent =>
  new Agent({
    allowH2: false,
    pipelining: 0,
    connections: limits.moneyConnections,
    connect: { timeout: limits.connectTimeoutMs, lookup },
    headersTimeout: limits.moneyHeadersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
    maxResponseSize: MEBIBYTE,
  });

/** Asks the machine, hosts file included. */
type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Node asks in a queue that hashes, files and all other names share: minutes may pass until an answer. */
const resolveBySystem: ResolveName = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else reject(error);
    });
  });

/** Older addresses are used at once and asked for anew beside that. */
const FRESH_MS = 30 * SECOND;
/** Older ones may be somebody else's by now: the call waits for the answer. */
const USABLE_MS = 10 * MINUTE;

interface Known {
  readonly addresses: readonly LookupAddress[];
  readonly at: number;
}

/**
 * Addresses of hosts, shared by all connections that are given it. A call whose host was asked for in the last ten
 * minutes waits for no look-up, so that money leaves although the threads that look names up are busy.
 * @param parts.nowMs a clock that never steps back.
 */
export const createNameLookup = (
  parts: { readonly resolve?: ResolveName; readonly nowMs?: () => number } = {},
): LookupFunction => {
  const { resolve = resolveBySystem, nowMs = () => performance.now() } = parts;
  const known = new Map<string, Known>();
  const asking = new Map<string, Promise<Known>>();

  const askOnce = async (hostname: string): Promise<Known> => {
    try {
      const found = { addresses: await resolve(hostname), at: nowMs() };
      known.set(hostname, found);
      return found;
    } finally {
      asking.delete(hostname);
    }
  };

  const ask = (hostname: string): Promise<Known> => {
    const asked = asking.get(hostname) ?? askOnce(hostname);
    asking.set(hostname, asked);
    return asked;
  };

  const find = async (hostname: string): Promise<Known> => {
    const kept = known.get(hostname);
    const ageMs = kept === undefined ? Infinity : nowMs() - kept.at;
    if (kept !== undefined && ageMs <= FRESH_MS) return kept;
    const asked = ask(hostname);
    if (kept === undefined || ageMs > USABLE_MS) return await asked;
    // What is known stands until the machine has another answer.
    asked.catch(() => {});
    return kept;
  };

  return (hostname, { all = false, family = 0 }, callback) => {
    const wanted = Number(String(family).replace("IPv", ""));
    const answer = ({ addresses }: Known): void => {
      const fitting = addresses.filter((each) => wanted === 0 || each.family === wanted);
      const [first] = fitting;
      if (all) callback(null, fitting);
      else if (first === undefined) callback(notFound(hostname), "");
      else callback(null, first.address, first.family);
    };
    void find(hostname).then(answer, (error: NodeJS.ErrnoException) => callback(error, ""));
  };
};

const notFound = (hostname: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`No address of ${hostname} is of that family`), { code: "ENOTFOUND" });
