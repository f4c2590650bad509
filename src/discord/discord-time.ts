import { type Clock, MINUTE, SECOND } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";

const BETWEEN_SAMPLES_MS = MINUTE;
/** `Date` headers name whole seconds, and the answer travelled. */
const PRECISION_MS = 2 * SECOND;
/** Clocks are slewed by less than this between two looks: more is a step, or a machine that slept. */
const STEP_MS = SECOND;
const BETWEEN_QUESTIONS_MS = 2 * SECOND;
/** Discord gives up on an interaction after three seconds; an older one was replayed to a resumed session. */
const STALE_MS = 2.5 * SECOND;
const REMEMBERED_MS = MINUTE;
/** Of the interactions of that minute: more of them change no verdict about it. */
const MOST_COUNTED = 1_000;

/** Interactions of the last minute. */
interface RecentInteractions {
  /** Dropped because they seemed too old to be answered. */
  readonly stale: number;
  readonly fresh: number;
}

/** The age of an interaction when it was received, in milliseconds, never negative. */
interface Age {
  readonly ageMs: number;
  /** Too old to be answered in time. */
  readonly stale: boolean;
}

export interface DiscordTime {
  /** Learns from the `Date` header of one of Discord's answers. */
  readonly observe: (dateHeader: string | undefined) => void;
  /** Compares our two clocks: after a step of the wall clock Discord is asked for its time at once. */
  readonly check: () => void;
  /**
   * Judges and counts the interaction that Discord made at `createdMs` and that came at `receivedAt` of the monotonic
   * clock. One that seems stale, or that comes after a step of the wall clock, is judged once Discord has told its time
   * anew. Never rejects.
   */
  readonly judge: (createdMs: number, receivedAt: number) => Age | Promise<Age>;
  readonly recent: () => RecentInteractions;
}

interface DiscordTimeParts {
  readonly clock: Clock;
  readonly log: Logger;
  /** Makes Discord answer anything, so that `observe` is told its time. Bounded by the caller; may reject. */
  readonly ask?: () => Promise<unknown>;
  /** In milliseconds; that of `performance.now()` by default. */
  readonly monotonicMs?: () => number;
}

/**
 * How much Discord's clock is ahead of ours, in milliseconds; 0 within what the header can tell.
 * `dateHeader` is of HTTP's form, `nowMs` is our clock when the answer came.
 */
export const skewOf = (dateHeader: string, nowMs: number): number | undefined => {
  const theirs = Date.parse(dateHeader);
  if (Number.isNaN(theirs)) return undefined;
  const skew = theirs - nowMs;
  return Math.abs(skew) <= PRECISION_MS ? 0 : skew;
};

/**
 * The smallest age that is possible, by our clock or by Discord's: an interaction must not be dropped because this
 * machine's clock runs ahead or because a header is mistaken. A clock by which it would be made in the future is wrong.
 */
export const ageOf = (createdMs: number, nowMs: number, theirNowMs: number | undefined): number => {
  const ages = [nowMs, theirNowMs ?? nowMs].map((now) => now - createdMs);
  const possible = ages.filter((age) => age >= -PRECISION_MS);
  return possible.length === 0 ? 0 : Math.max(0, Math.min(...possible));
};

/** Adds the time of an event, by the monotonic clock, to those before it. */
const remember = (times: number[], at: number): void => {
  times.push(at);
  if (times.length > MOST_COUNTED) times.shift();
};

/**
 * Discord's time, carried on by the monotonic clock from answer to answer, so that steps of the wall clock do not move
 * it. Compares clocks at most once a minute while there is no doubt.
 */
export const createDiscordTime = (parts: DiscordTimeParts): DiscordTime => {
  const { clock, log, ask, monotonicMs = () => performance.now() } = parts;
  const wallMs = (): number => clock.now().epochMilliseconds;
  const drift = (): number => wallMs() - monotonicMs();
  /** Discord's time less the monotonic one; undefined until Discord has answered. */
  let aheadMs: number | undefined;
  let sampledAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  let lastDrift = drift();
  let inDoubt = false;
  const stale: number[] = [];
  const fresh: number[] = [];

  const observe = (dateHeader: string | undefined): void => {
    const now = monotonicMs();
    const isKnown = !inDoubt && asking === undefined && now - sampledAt < BETWEEN_SAMPLES_MS;
    if (dateHeader === undefined || isKnown) return;
    const skewMs = skewOf(dateHeader, wallMs());
    if (skewMs === undefined) return;
    aheadMs = wallMs() + skewMs - now;
    sampledAt = now;
    inDoubt = false;
  };

  const askOnce = async (question: () => Promise<unknown>): Promise<void> => {
    try {
      await question();
    } catch (error) {
      log.warn({ err: error }, "Discord did not tell its time");
    } finally {
      asking = undefined;
    }
  };

  /** Many interactions at once share one question, and one that was just answered is not put again. */
  const askAnew = (): Promise<void> | undefined => {
    if (asking !== undefined || ask === undefined) return asking;
    if (monotonicMs() - askedAt < BETWEEN_QUESTIONS_MS) return undefined;
    askedAt = monotonicMs();
    asking = askOnce(ask);
    return asking;
  };

  const check = (): void => {
    const before = lastDrift;
    lastDrift = drift();
    const stepMs = Math.round(lastDrift - before);
    if (Math.abs(stepMs) < STEP_MS) return;
    inDoubt = true;
    log.info(
      { stepMs },
      "this machine's clock was set, or it slept: Discord is asked for its time",
    );
    void askAnew();
  };

  const ageAt = (createdMs: number, receivedAt: number): number => {
    const sinceMs = Math.max(0, monotonicMs() - receivedAt);
    const theirNowMs = aheadMs === undefined ? undefined : aheadMs + receivedAt;
    return Math.round(ageOf(createdMs, wallMs() - sinceMs, theirNowMs));
  };

  const counted = (ageMs: number): Age => {
    const isStale = ageMs > STALE_MS;
    remember(isStale ? stale : fresh, monotonicMs());
    return { ageMs, stale: isStale };
  };

  const judge: DiscordTime["judge"] = (createdMs, receivedAt) => {
    check();
    const ageMs = ageAt(createdMs, receivedAt);
    const answer = inDoubt || ageMs > STALE_MS ? askAnew() : undefined;
    return answer === undefined
      ? counted(ageMs)
      : answer.then(() => counted(ageAt(createdMs, receivedAt)));
  };

  const recent = (): RecentInteractions => {
    const since = monotonicMs() - REMEMBERED_MS;
    const count = (times: readonly number[]): number => times.filter((at) => at > since).length;
    return { stale: count(stale), fresh: count(fresh) };
  };

  return { observe, check, judge, recent };
};

/** First millisecond of 2015, from which Discord counts. Source: Discord's reference, "Snowflakes". */
const DISCORD_EPOCH_MS = 1_420_070_400_000;
const TIME_SHIFT = 22n;
const SNOWFLAKE = /^\d{1,20}$/;

/** When the thing of this id was made, in milliseconds since 1970 by Discord's clock; undefined for no id. */
export const snowflakeMs = (id: string): number | undefined =>
  SNOWFLAKE.test(id) ? Number(BigInt(id) >> TIME_SHIFT) + DISCORD_EPOCH_MS : undefined;

/** The smallest id of this instant: everything made later has a larger one. */
export const snowflakeAt = (instant: Temporal.Instant): string =>
  String(BigInt(Math.max(0, instant.epochMilliseconds - DISCORD_EPOCH_MS)) << TIME_SHIFT);
