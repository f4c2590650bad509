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
