import type { LookupFunction } from "node:net";
import { lookup as systemLookup, type LookupAddress } from "node:dns";
import type { Dispatcher } from "undici";
import { errorCode } from "../shared/errors.ts";
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
 * Sends one request once, authorised by the key, within `deadlineMs`. Never rejects. Undefined when the key cannot
 * stand in a header: the request was not sent. It is not sent either where `isTooLate` is true as its connection is there.
 */
export type Call = (
  request: CallRequest,
  apiKey: Secret,
  deadlineMs: number,
  isTooLate?: () => boolean,
) => Promise<HttpAnswer | HttpFailure | undefined>;

/** Keys that a header can carry unchanged. */
const SENDABLE_KEY = /^[\x21-\x7e]{1,1024}$/;

/** Sends requests below `baseUrl` (without `/v1`) and to no other host. Source: service.md 5. */
export const createCall = (dispatcher: Dispatcher, baseUrl: string, timers?: Timers): Call => {
  const { origin, pathname } = new URL(baseUrl);
  const basePath = pathname.replace(/\/+$/, "");

  return async ({ method, path, body }, apiKey, deadlineMs, isTooLate) => {
    const key = apiKey.reveal();
    if (!SENDABLE_KEY.test(key)) return undefined;
    const headers = {
      authorization: `Bearer ${key}`,
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const request = { origin, method, path: basePath + path, headers, body };
    return sendRequest(dispatcher, request, deadlineMs, timers, isTooLate);
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

/** A request without a complete answer. `status` is undefined when no answer began. */
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

/** An error's code, or a parser error's name: both are free of text from the wire. */
const codeOf = (error: Error): string => errorCode(error) ?? error.name;

/**
 * Sends one request and reads its whole answer. Resolves within `deadlineMs`, however the peer behaves. Never
 * rejects.
 */
export const sendRequest = async (
  dispatcher: Dispatcher,
  request: HttpRequest,
  deadlineMs: number,
  timers: Timers = systemTimers,
  isTooLate: () => boolean = () => false,
): Promise<HttpAnswer | HttpFailure> => {
  const deadlineAt = timers.now() + deadlineMs;
  const late = Object.assign(new Error(DEADLINE), { code: DEADLINE });
  const outcome = await requestOnce(
    dispatcher,
    { ...request, body: request.body ?? null },
    {
      wait: (end) => timers.after(deadlineMs, () => end(late)),
      isOver: () => timers.now() >= deadlineAt || isTooLate(),
    },
  );
  const { status, headers } = outcome;
  if (outcome.complete)
    return { complete: true, status: outcome.status, headers, body: outcome.text };
  const code = codeOf(outcome.error);
  const kind = outcome.started ? failureKind(code) : "unreachable";
  return { complete: false, kind, code, status, headers };
};

type FailureKind = "unreachable" | "unavailable" | "timeout" | "malformed";

const TIMEOUTS = new Set(["DEADLINE", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

const NO_ANSWER_OF_OURS = new Set([
  "HTTPParserError",
  "UND_ERR_HEADERS_OVERFLOW",
  "UND_ERR_RES_EXCEEDED_MAX_SIZE",
]);

/**
 * The kind of an error that came after the request began to leave, by undici's code or name. Unknown errors count as
 * a broken connection, the kind that promises least.
 */
const failureKind = (code: string): FailureKind => {
  if (TIMEOUTS.has(code)) return "timeout";
  return NO_ANSWER_OF_OURS.has(code) ? "malformed" : "unavailable";
};

const MEBIBYTE = 1 << 20;

/**
 * Connections for reads. An HTTP/1 connection carries one call at a time: with answers in 20 ms, 16 connections would
 * cap the bot at 800 reads a second, and 256 allow 12,800. They open on demand and close when idle.
 */
export const createReadsAgent = (limits: WalletLimits, lookup: LookupFunction): Agent =>
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
 * Connections for calls that move money. Each call opens its own: on a stale socket it would be unclear whether the
 * service received the request. HTTP/2 is off, as undici repeats a refused request there by itself. An account has at
 * most three calls under way, so only 170 hanging accounts could use up all connections.
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

/** Resolves a name as the machine does, hosts file included. */
type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Node resolves names in the thread pool that hashing and file access share: an answer may take minutes. */
const resolveBySystem: ResolveName = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else reject(error);
    });
  });

/** Older addresses are still used, while a new look-up runs in the background. */
const FRESH_MS = 30 * SECOND;
/** Even older addresses may belong to another host by now: the call waits for the look-up. */
const USABLE_MS = 10 * MINUTE;

interface Known {
  readonly addresses: readonly LookupAddress[];
  readonly at: number;
}

/**
 * Caches the addresses of hosts for all connections: after a look-up, calls that move money leave for ten minutes
 * even while the thread pool is busy.
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
    // The known addresses stay in use when the look-up fails.
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
