import { type Clock, MINUTE, SECOND } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";

const BETWEEN_SAMPLES_MS = MINUTE;
/** `Date` headers name whole seconds, and the answer took time to arrive. */
const PRECISION_MS = 2 * SECOND;
/** Time services slew a clock by less than this between two checks: more is a step, or a machine that slept. */
const STEP_MS = SECOND;
/** Skew beyond which our clock is told as wrong: a slow answer seems to give some seconds. */
const WRONG_MS = MINUTE;
/** Skew within which it is told as right again. */
const RIGHT_MS = WRONG_MS / 2;
const BETWEEN_QUESTIONS_MS = 2 * SECOND;
/** Discord gives up on an interaction after three seconds; older ones come from replays to a resumed session. */
const STALE_MS = 2.5 * SECOND;
const REMEMBERED_MS = MINUTE;
/** Enough to classify a minute: further interactions do not change the result. */
const MOST_COUNTED = 1_000;

/** Age of an interaction at its arrival. */
interface Age {
  readonly ageMs: number;
  readonly stale: boolean;
}

export type DiscordTime = ReturnType<typeof createDiscordTime>;

interface DiscordTimeParts {
  readonly clock: Clock;
  readonly log: Logger;
  /** Prints a sentence for the operator, at any log level. */
  readonly say?: ((sentence: string) => void) | undefined;
  /** Makes Discord answer any request, so that `observe` gets its time. The caller bounds it; may reject. */
  readonly ask?: () => Promise<unknown>;
  /** Defaults to `performance.now()`. */
  readonly monotonicMs?: () => number;
}

/**
 * Lead of Discord's clock over ours in milliseconds; 0 within the header's precision.
 * @param dateHeader in HTTP's form.
 * @param nowMs our clock when the answer came.
 */
export const skewOf = (dateHeader: string, nowMs: number): number | undefined => {
  const theirs = Date.parse(dateHeader);
  if (Number.isNaN(theirs)) return undefined;
  const skew = theirs - nowMs;
  return Math.abs(skew) <= PRECISION_MS ? 0 : skew;
};

/**
 * The smaller age by our clock and by Discord's, so that a fast clock here or a wrong header never drops an
 * interaction. Ignores a clock by which the interaction lies in the future.
 */
export const ageOf = (createdMs: number, nowMs: number, theirNowMs: number | undefined): number => {
  const ages = [nowMs, theirNowMs ?? nowMs].map((now) => now - createdMs);
  const possible = ages.filter((age) => age >= -PRECISION_MS);
  return possible.length === 0 ? 0 : Math.max(0, Math.min(...possible));
};

/** Sentence for the operator. */
const wrongClock = (skewMs: number): string =>
  `This machine's clock is ${Math.round(Math.abs(skewMs) / MINUTE)} min ${skewMs < 0 ? "ahead of" : "behind"} Discord's: ` +
  "set it right. Until then reminders of MEDs, reports and locks go by the wrong time.";

const remember = (times: number[], at: number): void => {
  times.push(at);
  if (times.length > MOST_COUNTED) times.shift();
};

/**
 * Carries Discord's time on by the monotonic clock, so that steps of the wall clock do not move it. Compares clocks at
 * most once a minute unless one is in doubt.
 */
export const createDiscordTime = (parts: DiscordTimeParts) => {
  const { clock, log, say, ask, monotonicMs = () => performance.now() } = parts;
  const wallMs = (): number => clock.now().epochMilliseconds;
  const drift = (): number => wallMs() - monotonicMs();
  /** Discord's time less the monotonic one; undefined before Discord's first answer. */
  let aheadMs: number | undefined;
  let sampledAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  let lastDrift = drift();
  let inDoubt = false;
  let isWrong = false;
  const stale: number[] = [];
  const fresh: number[] = [];

  /** Learns from the `Date` header of one of Discord's answers. */
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

  /** Shares one question among concurrent interactions, and pauses between questions. */
  const askAnew = (): Promise<void> | undefined => {
    if (asking !== undefined || ask === undefined) return asking;
    if (monotonicMs() - askedAt < BETWEEN_QUESTIONS_MS) return undefined;
    askedAt = monotonicMs();
    asking = askOnce(ask);
    return asking;
  };

  /** Runs between two steps only: an answer that came after a sleep tells the time before it. */
  const tellSkew = (): void => {
    if (aheadMs === undefined || inDoubt) return;
    const skewMs = Math.round(aheadMs - drift());
    const wasWrong = isWrong;
    isWrong = Math.abs(skewMs) > (wasWrong ? RIGHT_MS : WRONG_MS);
    if (isWrong === wasWrong) return;
    log.warn(
      { skewMs },
      isWrong ? "this machine's clock is wrong" : "this machine's clock is right",
    );
    say?.(isWrong ? wrongClock(skewMs) : "This machine's clock agrees with Discord's again.");
  };

  /**
   * Compares wall clock and monotonic clock, and asks Discord for its time after a step. Tells the operator of a wrong
   * clock.
   */
  const check = (): void => {
    const before = lastDrift;
    lastDrift = drift();
    const stepMs = Math.round(lastDrift - before);
    if (Math.abs(stepMs) < STEP_MS) {
      tellSkew();
      return;
    }
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

  /**
   * Classifies and counts an interaction made at `createdMs` by Discord's clock and received at `receivedAt` on the
   * monotonic clock. Asks Discord for its time first when the interaction seems stale or the wall clock has stepped.
   * Never rejects.
   */
  const classify = (createdMs: number, receivedAt: number): Age | Promise<Age> => {
    check();
    const ageMs = ageAt(createdMs, receivedAt);
    const answer = inDoubt || ageMs > STALE_MS ? askAnew() : undefined;
    return answer === undefined
      ? counted(ageMs)
      : answer.then(() => counted(ageAt(createdMs, receivedAt)));
  };

  const recent = () => {
    const since = monotonicMs() - REMEMBERED_MS;
    const count = (times: readonly number[]): number => times.filter((at) => at > since).length;
    return { stale: count(stale), fresh: count(fresh) };
  };

  return { observe, check, classify, recent };
};
