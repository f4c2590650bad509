import { setTimeout as pause } from "node:timers/promises";
import { MINUTE, SECOND } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import type { Secret } from "../shared/secret.ts";
import {
  createDiscordHttp,
  type DiscordAnswer,
  type HttpMethod,
  type HttpRequest,
  isForeignPage,
  isShieldPage,
  NoAnswerError,
  rateLimitMs,
} from "./discord-http.ts";
import { fieldsOf, numberOf, parseJson, textOf } from "./json.ts";

const API_CONNECTIONS = 64;
/** Discord gives up on an interaction after three seconds: the question for its time must leave room for the answer. */
const TIME_WITHIN_MS = 1.5 * SECOND;
const MOST_TRIES = 3;
/** A caller that has to wait longer decides by itself. */
const MOST_PAUSE_MS = MINUTE;
const WARN_EVERY = 100;
/** Out of the 10,000 invalid requests in ten minutes at which Discord blocks an address. */
const INVALID_REQUESTS_TO_STOP_ALL = 3_000;

/** Sentence for the operator. */
export const TOKEN_REFUSED = "Discord refuses DISCORD_TOKEN: copy the bot's token again.";

/** Discord answered with a status outside 2xx. */
export class DiscordApiError extends Error {
  override readonly name = "DiscordApiError";
  readonly status: number;
  readonly code: number | undefined;
  /** The wait that Discord asks for. */
  readonly retryAfterMs: number | undefined;

  constructor(
    method: HttpMethod,
    path: string,
    status: number,
    code: number | undefined,
    retryAfterMs?: number,
  ) {
    super(`${method} ${path} answered ${status}${code === undefined ? "" : ` (${code})`}`);
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

interface ApiCall {
  readonly method: HttpMethod;
  readonly path: string;
  /** JSON text, or a form with files. */
  readonly body?: HttpRequest["body"];
  readonly signal?: AbortSignal | undefined;
}

export type DiscordApi = ReturnType<typeof createDiscordApi>;

/** Discord's REST API with the bot's token, without queues. */
export const createDiscordApi = (options: {
  /** Without version. */
  readonly apiUrl: string;
  readonly token: Secret;
  readonly log: Logger;
  readonly observeDate?: (header: string | undefined) => void;
  readonly wait?: (ms: number) => Promise<void>;
  readonly share?: number;
}) => {
  const { wait = pause, share = 1 } = options;
  const http = createDiscordHttp({ apiUrl: options.apiUrl, connections: API_CONNECTIONS });
  const invalid = createInvalidRequests();
  const invalidRequests = (): number => invalid.count() / share;

  /** Sends once. Any status is an answer. @throws NoAnswerError */
  const send = async (call: ApiCall): Promise<DiscordAnswer> => {
    if (invalidRequests() >= INVALID_REQUESTS_TO_STOP_ALL)
      throw new NoAnswerError(true, new Error("Too many invalid requests"));
    const authorization = `Bot ${options.token.reveal()}`;
    const answer = await http.send({ ...call, authorization });
    options.observeDate?.(textOf(answer.headers["date"]));
    const before = invalid.count();
    invalid.observe(answer);
    const count = invalid.count();
    if (count > before && count % WARN_EVERY === 0)
      options.log.warn({ count }, "Discord holds many answers of 401, 403 and 429 against us");
    return answer;
  };

  return {
    send,
    /**
     * The JSON of a 2xx answer. Tries up to three times, as late as Discord asks for: both methods are idempotent.
     * @throws DiscordApiError, NoAnswerError
     */
    json: async (method: "GET" | "PUT", path: string, body?: unknown): Promise<unknown> => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      for (let tries = 1; ; tries++) {
        try {
          const answer = await send({ method, path, body: text });
          const parsed = parseJson(answer.text);
          if (answer.status >= 200 && answer.status < 300) return parsed;
          if (isForeignPage(answer, parsed))
            throw new NoAnswerError(false, new Error(`A page answered ${answer.status}`));
          const code = numberOf(fieldsOf(parsed)["code"]);
          const retryAfterMs = rateLimitMs(answer, parsed);
          throw new DiscordApiError(method, path, answer.status, code, retryAfterMs);
        } catch (error) {
          if (tries === MOST_TRIES || !isPassing(error)) throw error;
          const refusal = error instanceof DiscordApiError ? error : undefined;
          const pauseMs = Math.max(tries * SECOND, refusal?.retryAfterMs ?? 0);
          if (pauseMs > MOST_PAUSE_MS || isShieldPage(refusal ?? {})) throw error;
          await wait(pauseMs);
        }
      }
    },
    /** Gets any answer of Discord within 1.5 s, for its `date` header. @throws NoAnswerError */
    askTime: async (): Promise<void> => {
      const signal = AbortSignal.timeout(TIME_WITHIN_MS);
      await send({ method: "GET", path: "/gateway", signal });
    },
    /** Answers of 401, 403 and 429 to the whole bot in the last ten minutes, estimated from this process's own. */
    invalidRequests,
    /** This process's part of Discord's limits; 1 where it is the only one. */
    share,
    close: (): Promise<void> => http.close(),
  };
};

/** Timeout, too early, too many requests. */
const LATER = new Set([408, 425, 429]);
/** The day's creations of commands are used up: Discord has told it with 400 as well as with 429. */
const TOO_MANY_COMMANDS = 30034;

/** Whether another try may succeed. */
export const isPassing = (error: unknown): boolean =>
  error instanceof DiscordApiError
    ? error.status >= 500 ||
      LATER.has(error.status) ||
      error.code === TOO_MANY_COMMANDS ||
      isShieldPage(error)
    : error instanceof NoAnswerError;

/** Application and bot user of the token. @throws DiscordApiError (401: invalid token), NoAnswerError */
export const fetchApplication = async (api: Pick<DiscordApi, "json">) => {
  const application = fieldsOf(await api.json("GET", "/applications/@me"));
  const applicationId = textOf(application["id"]);
  // A proxy that answered in Discord's place may be gone at the next start.
  if (applicationId === undefined)
    throw new NoAnswerError(false, new Error("The answer names no application"));
  const botUserId = textOf(fieldsOf(application["bot"])["id"]) ?? applicationId;
  return { applicationId, botUserId };
};

const WINDOW_MINUTES = 10;

/** 401, 403 and 429, except a 429 of a shared limit. Source: Discord's reference, "Invalid Request Limit". */
export const isInvalid = ({ status, headers }: DiscordAnswer): boolean =>
  status === 401 || status === 403 || (status === 429 && headers["x-ratelimit-scope"] !== "shared");

/**
 * Counts answers that Discord holds against this machine's address: 10,000 in ten minutes block it.
 * @param now of a monotonic clock, in milliseconds.
 */
export const createInvalidRequests = (now: () => number = () => performance.now()) => {
  let minutes: { readonly minute: number; count: number }[] = [];
  const currentMinute = (): number => Math.floor(now() / MINUTE);
  return {
    observe: (answer: DiscordAnswer): void => {
      if (!isInvalid(answer)) return;
      const minute = currentMinute();
      const last = minutes.at(-1);
      if (last?.minute === minute) last.count++;
      else minutes = [...minutes.slice(1 - WINDOW_MINUTES), { minute, count: 1 }];
    },
    count: (): number => {
      const first = currentMinute() - WINDOW_MINUTES;
      return minutes.reduce((sum, { minute, count }) => (minute >= first ? sum + count : sum), 0);
    },
  };
};
