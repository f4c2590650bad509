import { adornment, wireTime } from "./wire.ts";

/** Below the root, and below what stands there under one of the names. */
const LEVELS = 2;

/** PIX began then: an earlier time is a zero, or seconds taken for milliseconds, and would prove a page old. */
const EARLIEST = Temporal.Instant.from("2020-11-01T00:00:00Z");

/** A time of an item; one that cannot be is none. */
export const listedTime = adornment(
  wireTime.refine((instant) => Temporal.Instant.compare(instant, EARLIEST) >= 0),
);

const arraysBelow = (
  holder: object,
  names: readonly string[],
  levels: number,
): readonly (readonly unknown[])[] =>
  Object.entries(holder).flatMap(([name, value]: [string, unknown]) => {
    if (!names.includes(name) || typeof value !== "object" || value === null) return [];
    if (Array.isArray(value)) return [value];
    return levels > 1 ? arraysBelow(value, names, levels - 1) : [];
  });

/** The arrays that may be the list of an answer whose shape is not documented: its root, or those under the names. */
export const arraysOf = (
  answer: object,
  names: readonly string[],
): readonly (readonly unknown[])[] =>
  Array.isArray(answer) ? [answer] : arraysBelow(answer, names, LEVELS);
