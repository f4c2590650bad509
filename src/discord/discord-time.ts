import type { Clock } from "../shared/clock.ts";
import { MINUTE, SECOND } from "../shared/duration.ts";

const BETWEEN_SAMPLES_MS = MINUTE;
/** `Date` headers name whole seconds, and the answer travelled. */
const PRECISION_MS = 2 * SECOND;

export interface DiscordTime {
  /** Learns from the `Date` header of one of Discord's answers. */
  readonly observe: (dateHeader: string | undefined) => void;
  /** Age in milliseconds of what Discord made at `createdMs`, never negative. */
  readonly ageMs: (createdMs: number) => number;
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
 * The age by our clock, or by Discord's where that one is smaller and possible. An interaction must not be dropped
 * because this machine's clock runs ahead; nor may a mistaken header make one older, or younger than its making.
 */
export const ageOf = (createdMs: number, nowMs: number, skewMs: number): number => {
  const ours = nowMs - createdMs;
  const theirs = ours + skewMs;
  return Math.max(0, theirs < ours && theirs >= -PRECISION_MS ? theirs : ours);
};

/** Compares clocks at most once a minute. */
export const createDiscordTime = (clock: Clock): DiscordTime => {
  let skewMs = 0;
  let sampledAt = Number.NEGATIVE_INFINITY;
  return {
    observe: (dateHeader) => {
      if (dateHeader === undefined || performance.now() - sampledAt < BETWEEN_SAMPLES_MS) return;
      sampledAt = performance.now();
      skewMs = skewOf(dateHeader, clock.now().epochMilliseconds) ?? skewMs;
    },
    ageMs: (createdMs) => ageOf(createdMs, clock.now().epochMilliseconds, skewMs),
  };
};
