import type { Clock } from "../../shared/time.ts";

/** First instant of Discord's ids, in milliseconds of Unix time. Source: Discord's reference, "Snowflakes". */
const DISCORD_EPOCH = 1_420_070_400_000n;
const TIME_SHIFT = 22n;
const COUNTER_MASK = 0x3fffff;

/** Unique ids that contain the clock's time. Within a millisecond, later ids are greater. */
export const createSnowflakes = (clock: Clock): (() => string) => {
  let counter = 0;
  return () => {
    const elapsed = BigInt(clock.now().epochMilliseconds) - DISCORD_EPOCH;
    counter = (counter + 1) & COUNTER_MASK;
    return ((elapsed << TIME_SHIFT) | BigInt(counter)).toString();
  };
};

/** Sorts older ids first. Ids have no leading zeros, so the longer id is the greater. */
export const compareIds = (a: string, b: string): number => {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

export const isSnowflake = (value: unknown): value is string =>
  typeof value === "string" && /^(0|[1-9]\d{0,19})$/.test(value);
