import { type Clock, DAY } from "../../shared/time.ts";

const STARTS_A_DAY = 1_000;
/** IDENTIFYs that Discord takes in 5 seconds; as that of a large bot, so that many shards start quickly. */
const MAX_CONCURRENCY = 16;

/** How many sessions the application may still start. Source: Discord's reference, "Session Start Limit". */
export interface SessionStarts {
  /** False: none is left. */
  readonly spend: () => boolean;
  readonly setLeft: (remaining: number) => void;
  /** `session_start_limit` of `/gateway/bot`. */
  readonly limit: () => object;
}

export const createSessionStarts = (clock: Clock): SessionStarts => {
  let remaining = STARTS_A_DAY;
  let endsAtMs = clock.now().epochMilliseconds + DAY;

  const renew = (): number => {
    const nowMs = clock.now().epochMilliseconds;
    if (nowMs >= endsAtMs) {
      remaining = STARTS_A_DAY;
      endsAtMs = nowMs + DAY;
    }
    return nowMs;
  };

  return {
    spend: () => {
      renew();
      if (remaining === 0) return false;
      remaining--;
      return true;
    },
    setLeft: (left) => {
      renew();
      remaining = left;
    },
    limit: () => {
      const nowMs = renew();
      return {
        total: STARTS_A_DAY,
        remaining,
        reset_after: endsAtMs - nowMs,
        max_concurrency: MAX_CONCURRENCY,
      };
    },
  };
};
