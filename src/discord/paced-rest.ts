import type { RateLimitData, REST } from "@discordjs/rest";
import { MINUTE, pause, SECOND } from "../shared/time.ts";
import type { DiscordApi } from "./discord-api.ts";
import { type HttpAnswer, type HttpMethod, NoAnswerError } from "./discord-http.ts";
import { fieldsOf, numberOf, parseJson } from "./json.ts";

const VERSION_PREFIX = /^\/v\d+/;
/** A limit that ends sooner is waited for; a later one is the caller's to plan with. */
const MOST_QUEUE_WAIT_MS = 5 * SECOND;
const REQUESTS_PER_SECOND = 50;
const HANDLER_SWEEP_MS = MINUTE;

export interface PacedTimeouts {
  /** On the wire, to the last byte of the answer. */
  readonly requestMs: number;
  /** Waiting in the queue included. */
  readonly callMs: number;
}

const PACED_TIMEOUTS: PacedTimeouts = { requestMs: 10 * SECOND, callMs: 15 * SECOND };

/** How one call ended, whatever happened. */
export type PacedAnswer =
  | { readonly kind: "ok"; readonly body: unknown }
  | { readonly kind: "error"; readonly status: number; readonly code: number | undefined }
  /** Not sent, or not looked at, because of a limit. */
  | { readonly kind: "limited"; readonly retryAfterMs: number }
  /** `unsent` is proof; its absence proves nothing. */
  | { readonly kind: "no_answer"; readonly unsent: boolean; readonly reason: string };

export interface PacedCall {
  readonly body?: object;
  readonly query?: Readonly<Record<string, string>>;
}

/** Discord's REST API at the pace that Discord allows: 50 a second, and each bucket's own limit. */
interface PacedRest {
  /** One request on the wire, except after a 429. Never rejects. */
  readonly call: (method: HttpMethod, path: `/${string}`, call?: PacedCall) => Promise<PacedAnswer>;
  readonly close: () => void;
}

/**
 * Queues and limits of routes are `@discordjs/rest`'s; the pace of all and the wire are ours, so that nothing is repeated
 * behind our back, the whole answer has a deadline, and an answer of any shape has an outcome. The package is loaded with
 * the first call.
 */
export const createPacedRest = (
  api: DiscordApi,
  timeouts: PacedTimeouts = PACED_TIMEOUTS,
): PacedRest => {
  let loading: Promise<REST> | undefined;
  const loaded = (): Promise<REST> => (loading ??= loadRest(api, timeouts.requestMs));

  return {
    call: async (method, path, { body, query } = {}) => {
      const signal = AbortSignal.timeout(timeouts.callMs);
      try {
        const rest = await loaded();
        const answer: unknown = await rest.request({
          method: method as never,
          fullRoute: path,
          // The token is our transport's: the package forgets its own for good after one 401.
          auth: false,
          signal,
          ...(body !== undefined && { body }),
          ...(query !== undefined && { query: new URLSearchParams(query) }),
        });
        return { kind: "ok", body: answer };
      } catch (error) {
        return failureOf(error, signal.aborted);
      }
    },
    close: () => {
      void loading?.then((rest) => {
        rest.clearHandlerSweeper();
        rest.clearHashSweeper();
      });
    },
  };
};

const loadRest = async (api: DiscordApi, timeout: number): Promise<REST> => {
  const { REST } = await import("@discordjs/rest");
  const pace = createPace(REQUESTS_PER_SECOND);
  return new REST({
    api: "",
    retries: 0,
    timeout,
    // By its own clock; ours keeps to Discord's.
    globalRequestsPerSecond: Infinity,
    handlerSweepInterval: HANDLER_SWEEP_MS,
    rejectOnRateLimit: (limit) => waitMs(limit) > MOST_QUEUE_WAIT_MS,
    makeRequest: async (url, { method, body, signal }) => {
      const answered = await pace.turn();
      const answer = await api
        .send({
          method: method as HttpMethod,
          path: url.replace(VERSION_PREFIX, ""),
          body: typeof body === "string" ? body : undefined,
          signal: signal ?? undefined,
        })
        .finally(answered);
      return responseLike(answer);
    },
  });
};

const waitMs = ({ timeToReset, retryAfter, sublimitTimeout }: RateLimitData): number =>
  Math.max(timeToReset, retryAfter, sublimitTimeout);

/** What the package reads of a response. The body is always an object: it would choke on anything else. */
const responseLike = ({ status, headers, text }: HttpAnswer) => {
  const body = fieldsOf(parseJson(text));
  const headerOf = (name: string): string | null => {
    if (name.toLowerCase() === "content-type") return "application/json";
    const value = headers[name.toLowerCase()];
    return typeof value === "string" ? value : null;
  };
  return {
    status,
    statusText: String(status),
    ok: status >= 200 && status < 300,
    headers: { get: headerOf, has: (name: string) => headerOf(name) !== null } as Headers,
    body: null,
    bodyUsed: false,
    json: async () => body,
    text: async () => text,
    arrayBuffer: async () => new ArrayBuffer(0),
  };
};

/** The package's errors by what they carry: their classes are not loaded until it is. */
const failureOf = (error: unknown, aborted: boolean): PacedAnswer => {
  if (error instanceof NoAnswerError)
    return { kind: "no_answer", unsent: error.unsent, reason: error.code ?? "no_answer" };
  const facts = fieldsOf(error);
  const retryAfter = numberOf(facts["retryAfter"]);
  if (retryAfter !== undefined)
    return { kind: "limited", retryAfterMs: waitMs(error as RateLimitData) };
  const status = numberOf(facts["status"]);
  if (status !== undefined) return { kind: "error", status, code: numberOf(facts["code"]) };
  // Only the queue gives up without an answer and without our transport's error.
  return { kind: "no_answer", unsent: aborted, reason: aborted ? "queue_timeout" : "fault" };
};

/** Turns for requests of which a server counts so many in any second. */
interface RequestPace {
  /** Resolves when the next request may be sent; each in its turn. Call what it gives when the answer is there. */
  readonly turn: () => Promise<() => void>;
}

/** A timer that runs out late is made up for within that time. */
const LATE_MS = 250;
/** Nobody waits longer for an answer that does not come. */
const LONGEST_WAY_MS = 0.5 * SECOND;
/** Timers run out in whole milliseconds. */
const TICK_MS = 2;

/**
 * Requests at an even distance, so that posts are no burst beside people's answers. The server counts them when they
 * arrive, by seconds of its own: however long one was on its way, what is sent a second after that, less the shortest
 * way there and back, arrives a second after it.
 */
export const createPace = (perSecond: number): RequestPace => {
  const gapMs = SECOND / perSecond;
  /** The last requests, as many as a second has. */
  const sent: { readonly atMs: number; wayMs: number }[] = [];
  let nextMs = 0;
  let line: Promise<unknown> = Promise.resolve();

  const freeAtMs = (): number => {
    if (sent.length < perSecond) return 0;
    const shortestMs = Math.min(...sent.map(({ wayMs }) => wayMs));
    const oldest = sent.shift();
    return oldest === undefined ? 0 : oldest.atMs + oldest.wayMs - shortestMs + SECOND + TICK_MS;
  };

  const next = async (): Promise<() => void> => {
    const atMs = Math.max(nextMs, freeAtMs());
    const waitMs = atMs - performance.now();
    if (waitMs > 0) await pause(Math.ceil(waitMs));
    const request = { atMs: performance.now(), wayMs: LONGEST_WAY_MS };
    sent.push(request);
    nextMs = Math.max(atMs, request.atMs - LATE_MS) + gapMs;
    return () => {
      request.wayMs = Math.min(LONGEST_WAY_MS, performance.now() - request.atMs);
    };
  };

  return {
    turn: () => {
      const turn = line.then(next);
      line = turn;
      return turn;
    },
  };
};
