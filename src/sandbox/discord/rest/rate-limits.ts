import { ApiError } from "../api-errors.ts";

const BUCKET_MS = 5_000;
const GLOBAL_MS = 1_000;
const BUCKET_NAME = "b6c1a1d0c5e84f0a9d3f7e2b4c6a8d10";

/** A counter that resets a fixed time after its first request. */
interface Window {
  startedMs: number;
  used: number;
}

export type RateLimits = ReturnType<typeof createRateLimits>;

const limited = (
  waitMs: number,
  global: boolean,
  headers: Readonly<Record<string, string>>,
): ApiError =>
  new ApiError(429, 0, "You are being rate limited.", {
    fields: { retry_after: Math.ceil(waitMs) / 1_000, global },
    headers: {
      ...headers,
      // HTTP allows whole seconds only; the body has the exact time.
      "retry-after": String(Math.ceil(waitMs / 1_000)),
      "x-ratelimit-scope": global ? "global" : "user",
      ...(global ? { "x-ratelimit-global": "true" } : {}),
    },
  });

const enter = (window: Window | undefined, lengthMs: number, atMs: number): Window =>
  window !== undefined && atMs - window.startedMs < lengthMs
    ? window
    : { startedMs: atMs, used: 0 };

/**
 * Rate limits of the bot, in real time. `nowMs`: whole milliseconds of a monotonic clock. Source: Discord's reference,
 * "Rate Limits".
 */
export const createRateLimits = (
  perSecond: number,
  perChannel: number,
  nowMs: () => number = () => Math.floor(performance.now()),
) => {
  let all: Window | undefined;
  const channels = new Map<string, Window>();

  return {
    /** Counts a request. @throws ApiError 429 over the limit. */
    spend: (): void => {
      const atMs = nowMs();
      all = enter(all, GLOBAL_MS, atMs);
      if (all.used >= perSecond) throw limited(all.startedMs + GLOBAL_MS - atMs, true, {});
      all.used++;
    },
    /** Counts a post to a channel and returns the headers of its bucket. @throws ApiError 429 over the limit. */
    spendPost: (channelId: string): Readonly<Record<string, string>> => {
      if (perChannel === Infinity) return {};
      const atMs = nowMs();
      const window = enter(channels.get(channelId), BUCKET_MS, atMs);
      channels.set(channelId, window);
      const waitMs = window.startedMs + BUCKET_MS - atMs;
      const full = window.used >= perChannel;
      if (!full) window.used++;
      const headers = {
        "x-ratelimit-bucket": BUCKET_NAME,
        "x-ratelimit-limit": String(perChannel),
        "x-ratelimit-remaining": String(perChannel - window.used),
        "x-ratelimit-reset": String((Date.now() + waitMs) / 1_000),
        "x-ratelimit-reset-after": String(Math.ceil(waitMs) / 1_000),
      };
      if (full) throw limited(waitMs, false, headers);
      return headers;
    },
  };
};
