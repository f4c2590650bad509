import type { FormData } from "undici";
import { errorCode } from "../shared/errors.ts";
import { SECOND } from "../shared/time.ts";
import { requestOnce, type Expiry, type HttpHeaders, Pool } from "../shared/http-request.ts";
import { fieldsOf, numberOf, textOf } from "./json.ts";

const API_VERSION = 10;
const USER_AGENT = "DiscordBot (balcao, 0.1.0)";
export const UNKNOWN_MESSAGE = 10008;
/** Access to file uploads has been limited for this guild. Source: JSON error codes of Discord's reference. */
export const UPLOADS_LIMITED = 400001;
const LARGEST_ANSWER = 16 * 1024 * 1024;

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH";

export interface HttpRequest {
  readonly method: HttpMethod;
  /** After the API's version, with its query: `/channels/1/messages?limit=5`. */
  readonly path: string;
  /** JSON text, or a form with files. */
  readonly body?: string | FormData | undefined;
  /** Value of the `authorization` header; interaction endpoints take none. */
  readonly authorization?: string | undefined;
  readonly headersTimeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface DiscordAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: HttpHeaders;
  readonly text: string;
}

/**
 * No complete answer came. `unsent: true` proves that not one byte of the request was written; `false` proves nothing.
 */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  readonly unsent: boolean;
  readonly code: string | undefined;

  constructor(unsent: boolean, cause: unknown) {
    super(unsent ? "The request was not sent" : "No answer came", { cause });
    this.unsent = unsent;
    this.code = errorCode(cause);
  }
}

export type DiscordHttp = ReturnType<typeof createDiscordHttp>;

/**
 * Discord's REST API over keep-alive HTTP/1.1 connections. HTTP/2 stays off: over it undici may repeat a request that
 * the server had already carried out.
 */
export const createDiscordHttp = (options: {
  /** Without version: `https://discord.com/api`. */
  readonly apiUrl: string;
  readonly connections: number;
}) => {
  const { origin, pathname } = new URL(options.apiUrl);
  const base = `${pathname.replace(/\/+$/, "")}/v${API_VERSION}`;
  const pool = new Pool(origin, {
    connections: options.connections,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: 5 * SECOND },
    headersTimeout: 10 * SECOND,
    bodyTimeout: 10 * SECOND,
    keepAliveTimeout: 30 * SECOND,
    maxResponseSize: LARGEST_ANSWER,
  });

  return {
    /** Sends one request, without retries. Any status is an answer. @throws NoAnswerError */
    send: async (request: HttpRequest): Promise<DiscordAnswer> => {
      const { method, path, body = null, headersTimeoutMs, signal } = request;
      if (signal?.aborted) throw new NoAnswerError(true, signal.reason);
      const outcome = await requestOnce(
        pool,
        {
          method,
          path: base + path,
          headers: headersOf(request),
          body,
          ...(headersTimeoutMs !== undefined && { headersTimeout: headersTimeoutMs }),
        },
        abortBy(signal),
      );
      if (!outcome.complete) throw new NoAnswerError(!outcome.started, outcome.error);
      return outcome;
    },
    close: (): Promise<void> => pool.close(),
  };
};

const abortBy = (signal: AbortSignal | undefined): Expiry => ({
  wait: (end) => {
    const onAbort = (): void => {
      const reason: unknown = signal?.reason;
      end(reason instanceof Error ? reason : new Error("Aborted"));
    };
    signal?.addEventListener("abort", onAbort);
    return () => signal?.removeEventListener("abort", onAbort);
  },
  isOver: () => signal?.aborted === true,
});

/** undici adds the content type of a form, with its boundary. */
const headersOf = ({ body, authorization }: HttpRequest): string[] => {
  const headers = ["user-agent", USER_AGENT];
  if (typeof body === "string") headers.push("content-type", "application/json");
  if (authorization !== undefined) headers.push("authorization", authorization);
  return headers;
};

/** Code of the shield's answers in JSON. Source: discord-api-docs #6473. */
const BLOCKED_BY_SHIELD = 40333;

/**
 * Whether the answer comes from Discord's shield, which blocks an address for a while: a 403 without a JSON error code,
 * or with the shield's own.
 */
export const isShieldPage = (answer: {
  readonly status?: number;
  readonly code?: number | undefined;
}): boolean =>
  answer.status === 403 && (answer.code === undefined || answer.code === BLOCKED_BY_SHIELD);

/** Pages of Discord's own edge: the shield, a request that is too large, and a limit. */
const EDGE_PAGES = new Set([403, 413, 429]);

/** Whether a proxy answered in Discord's place, with a page that is no word of Discord's: its answers are JSON or empty. */
export const isForeignPage = ({ status, text }: DiscordAnswer, body: unknown): boolean =>
  text !== "" && body === undefined && status < 500 && !EDGE_PAGES.has(status);

/**
 * Whether Discord's defence against abuse blocked one request, which it calls an unknown message. Source:
 * discord-userdoccers, "Errors".
 */
export const isBlockedRequest = ({
  status,
  code,
}: {
  readonly status: number;
  readonly code: number | undefined;
}): boolean => status === 403 && code === UNKNOWN_MESSAGE;

/**
 * The wait of a 429 in milliseconds: the body's `retry_after`, or else the header `retry-after` in seconds or as a date,
 * which counts from the answer's own date; undefined without a usable one.
 */
export const rateLimitMs = ({ headers }: DiscordAnswer, body: unknown): number | undefined => {
  const header = textOf(headers["retry-after"]);
  const answeredAt = textOf(headers["date"]);
  const seconds = [
    numberOf(fieldsOf(body)["retry_after"]) ?? Number.NaN,
    Number(header ?? Number.NaN),
    (Date.parse(header ?? "") - Date.parse(answeredAt ?? "")) / SECOND,
  ].find((wait) => Number.isFinite(wait) && wait >= 0);
  return seconds === undefined ? undefined : Math.ceil(seconds * SECOND);
};
