import { SECOND } from "../shared/duration.ts";

const HTTP_DATE = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * By how many ms the service's clock is ahead of ours (negative: behind), from the `Date` header of an answer and our
 * own time in epoch ms; exact to a second or so. Undefined without a readable header. The header is cut to whole
 * seconds, so that half of one is what it leaves out on average.
 */
export const clockSkewMs = (date: string | undefined, ourMs: number): number | undefined => {
  const theirMs = date !== undefined && HTTP_DATE.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(theirMs) ? undefined : theirMs + SECOND / 2 - ourMs;
};
