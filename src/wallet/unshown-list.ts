import { adornment, wireTime } from "./wire.ts";

/** Below the root, and below what stands there under one of the names. */
const LEVELS = 2;

/** PIX began then: an earlier time is a zero, or seconds taken for milliseconds, and would prove a page old. */
const EARLIEST = Temporal.Instant.from("2020-11-01T00:00:00Z");

/** A time of an item; one that cannot be is none. */
export const listedTime = adornment(
  wireTime.refine((instant) => Temporal.Instant.compare(instant, EARLIEST) >= 0),
);

const SNAKE = /_+([a-zA-Z0-9])/g;

/**
 * An object with its names as the document writes them: `due_date` counts as `dueDate` where that is not there too.
 * Anything else comes back as it is.
 */
export const camelKeys = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, each]: [string, unknown]) => {
    const camel = name.slice(1).replace(SNAKE, (_, letter: string) => letter.toUpperCase());
    return [name.slice(0, 1) + camel, each] as const;
  });
  return { ...Object.fromEntries(entries), ...value };
};

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
