import { DAY } from "../shared/duration.ts";
import { inBrasilia } from "./brasilia.ts";

const NIGHT_BEGINS = 20;
const NIGHT_ENDS = 6;

/**
 * From 20:00 to 06:00 in Brasília, when the service's limits are lower. The document names no zone for its windows.
 * Source: service.md 4.
 */
export const isNight = (now: Temporal.Instant): boolean => {
  const { hour } = inBrasilia(now);
  return hour >= NIGHT_BEGINS || hour < NIGHT_ENDS;
};

/** When the service allows the next withdrawal, one in 24 hours. Undefined: now, as far as is known. */
export const allowedFrom = (
  lastSentAt: Temporal.Instant | undefined,
  now: Temporal.Instant,
): Temporal.Instant | undefined => {
  const from = lastSentAt?.add({ milliseconds: DAY });
  return from !== undefined && Temporal.Instant.compare(from, now) > 0 ? from : undefined;
};
