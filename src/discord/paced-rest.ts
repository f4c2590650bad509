import { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { RateLimitData, REST } from "@discordjs/rest";
import { abortAfter, HOUR, MINUTE, pause, SECOND } from "../shared/time.ts";
import type { ReplyFile } from "../ui/reply.ts";
import type { DiscordApi } from "./discord-api.ts";
import {
  type DiscordAnswer,
  type HttpMethod,
  type HttpRequest,
  NoAnswerError,
  rateLimitMs,
} from "./discord-http.ts";
import { fieldsOf, numberOf, parseJson } from "./json.ts";
import { formOf } from "./message-body.ts";

const VERSION_PREFIX = /^\/v\d+/;
/** Calls wait in the queue for limits that end sooner, and fail as `limited` for longer ones. */
const MOST_QUEUE_WAIT_MS = 5 * SECOND;
const REQUESTS_PER_SECOND = 50;
const HANDLER_SWEEP_MS = MINUTE;

export type PacedTimeouts = Readonly<typeof PACED_TIMEOUTS>;

const PACED_TIMEOUTS = {
  /** Until the last byte of the answer. */
  requestMs: 10 * SECOND,
  /** With the wait in the queue. */
  callMs: 15 * SECOND,
};

export type PacedAnswer =
  | { readonly kind: "ok"; readonly body: unknown }
  | { readonly kind: "error"; readonly status: number; readonly code: number | undefined }
  /** A limit refused the call, here or at Discord. */
  | { readonly kind: "limited"; readonly retryAfterMs: number }
  /** `unsent: true` proves that the request was not sent; `false` proves nothing. */
  | { readonly kind: "no_answer"; readonly unsent: boolean; readonly reason: string };

export interface PacedCall {
  readonly body?: object;
  /** Announced by the body as its attachments. */
  readonly files?: readonly ReplyFile[];
  readonly query?: Readonly<Record<string, string>>;
  /** Asked right before each request, after all waits in the queue. */
  readonly isInTime?: () => boolean;
}

/** The `isInTime` of a call: the package hands none of our options on to its transport. */
const callTimes = new AsyncLocalStorage<PacedCall["isInTime"]>();

/**
 * Discord's REST API at Discord's pace: this process's share of 50 requests a second, and the limit of each route's bucket.
 * `@discordjs/rest` keeps the queues and route limits. Pace and transport are ours, so that requests are not repeated
 * unseen, whole answers have a deadline, and answers of any shape have an outcome. The first call loads the package.
 */
export const createPacedRest = (api: DiscordApi, timeouts: PacedTimeouts = PACED_TIMEOUTS) => {
  const turn = createPace(Math.max(1, Math.floor(REQUESTS_PER_SECOND * api.share)));
  let rest: REST | undefined;
  const close = (): void => {
    rest?.clearHandlerSweeper();
    rest?.clearHashSweeper();
  };

  return {
    /** Sends one request, and repeats it only after a 429. Never rejects. */
    call: async (
      method: HttpMethod,
      path: `/${string}`,
      { body, files = [], query, isInTime }: PacedCall = {},
    ): Promise<PacedAnswer> => {
      const { signal, end } = abortAfter(timeouts.callMs);
      try {
        const request = {
          method: method as never,
          fullRoute: path,
          // Our transport adds the token: the package would drop its own for good after one 401.
          auth: false,
          signal,
          ...(body !== undefined && { body }),
          // Our own form goes out byte for byte, as files of replies do.
          ...(body !== undefined &&
            files.length > 0 && { body: formOf(body, files), passThroughBody: true }),
          ...(query !== undefined && { query: new URLSearchParams(query) }),
        };
        const queues = (rest ??= loadRest(api, timeouts.requestMs, turn));
        const answer = await callTimes.run(isInTime, () => queues.request(request));
        return { kind: "ok", body: answer };
      } catch (error) {
        const failure = failureOf(error, signal.aborted);
        if (failure.kind !== "limited" || failure.retryAfterMs <= LONGEST_WAIT_MS) return failure;
        // The package dates its limits by our clock, which was set back since: a new one has no limits.
        close();
        rest = undefined;
        return { kind: "limited", retryAfterMs: UNTOLD_WAIT_MS };
      } finally {
        end();
      }
    },
    close,
  };
};

const load = createRequire(import.meta.url);

/** Its build for the web: the other one brings a second undici, 13 MB and 25 ms. The pinned version keeps this path valid. */
const loadPackage = () =>
  load(join(dirname(load.resolve("@discordjs/rest")), "web.js")) as {
    readonly REST: typeof REST;
  };

const loadRest = (api: DiscordApi, timeout: number, turn: ReturnType<typeof createPace>): REST => {
  const { REST } = loadPackage();
  return new REST({
    api: "",
    retries: 0,
    timeout,
    // The package counts by its own seconds; our pace allows for those of Discord.
    globalRequestsPerSecond: Infinity,
    handlerSweepInterval: HANDLER_SWEEP_MS,
    rejectOnRateLimit: (limit) => waitMs(limit) > MOST_QUEUE_WAIT_MS,
    makeRequest: async (url, { method, body, signal }) => {
      const answered = await turn();
      if (callTimes.getStore()?.() === false) {
        answered();
        throw new NoAnswerError(true, new Error("The time for this request is over"));
      }
      const answer = await api
        .send({
          method: method as HttpMethod,
          path: url.replace(VERSION_PREFIX, ""),
          body: (body ?? undefined) as HttpRequest["body"],
          signal: signal ?? undefined,
        })
        .finally(answered);
      return responseLike(answer);
    },
  });
};

const waitMs = ({ timeToReset, retryAfter, sublimitTimeout }: RateLimitData): number =>
  Math.max(timeToReset, retryAfter, sublimitTimeout);

/** Wait of a 429 that tells no usable one. */
const UNTOLD_WAIT_MS = 30 * SECOND;
/** The package adds an allowance of its own to the longest wait that is handed to it, an hour. */
const LONGEST_WAIT_MS = HOUR + MINUTE;

/**
 * Seconds to wait after a 429. The package repeats at once, and without end, after a header that is no positive number.
 * A limit longer than an hour is asked about again then.
 */
const retryAfterOf = (answer: DiscordAnswer, body: unknown): string => {
  const ms = rateLimitMs(answer, body) ?? UNTOLD_WAIT_MS;
  return String(Math.min(Math.max(ms, SECOND), HOUR) / SECOND);
};

/**
 * The parts of a response that the package reads. Its body is always an object, because the package fails on other
 * JSON.
 */
const responseLike = (answer: DiscordAnswer) => {
  const { status, headers, text } = answer;
  const body = fieldsOf(parseJson(text));
  const headerOf = (name: string): string | null => {
    if (name.toLowerCase() === "content-type") return "application/json";
    if (status === 429 && name.toLowerCase() === "retry-after") return retryAfterOf(answer, body);
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

/** Recognises the package's errors by their fields, because their classes may not be loaded yet. */
const failureOf = (error: unknown, aborted: boolean): PacedAnswer => {
  if (error instanceof NoAnswerError)
    return { kind: "no_answer", unsent: error.unsent, reason: error.code ?? "no_answer" };
  const facts = fieldsOf(error);
  const retryAfter = numberOf(facts["retryAfter"]);
  if (retryAfter !== undefined)
    return { kind: "limited", retryAfterMs: waitMs(error as RateLimitData) };
  const status = numberOf(facts["status"]);
  if (status !== undefined) return { kind: "error", status, code: numberOf(facts["code"]) };
  // Errors of our transport and answers are handled above, so this is a timeout in the queue or a fault.
  return { kind: "no_answer", unsent: aborted, reason: aborted ? "queue_timeout" : "fault" };
};

/** Requests may catch up with this much delay, of late timers and of places that were free late. */
const LATE_MS = 250;
/** Longest assumed round trip, and the assumption for requests without an answer yet. */
const LONGEST_WAY_MS = 0.5 * SECOND;
/** Timers run in whole milliseconds. */
const TICK_MS = 2;

/**
 * Sends requests at even distances, so that posts come in no burst beside people's answers. The server counts requests
 * at their arrival, which is unknown here. A request counts as arrived after its own round trip, less the shortest one;
 * a second later its place is free again. A turn comes, in order of calls, when the next request may be sent; its result is
 * called when the answer has come.
 */
export const createPace = (perSecond: number): (() => Promise<() => void>) => {
  const gapMs = SECOND / perSecond;
  /** The last requests, at most one second's number. */
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
    nextMs = Math.max(nextMs, request.atMs - LATE_MS) + gapMs;
    return () => {
      request.wayMs = Math.min(LONGEST_WAY_MS, performance.now() - request.atMs);
    };
  };

  return () => {
    const turn = line.then(next);
    line = turn;
    return turn;
  };
};
