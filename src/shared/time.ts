/** Source of time: the system clock in production, a movable clock in tests and the sandbox. */
export interface Clock {
  readonly now: () => Temporal.Instant;
}

/** `other` may be unknown. */
export const earlierInstant = (
  one: Temporal.Instant,
  other: Temporal.Instant | undefined,
): Temporal.Instant =>
  other !== undefined && Temporal.Instant.compare(other, one) < 0 ? other : one;

/** The earliest of the known ones. */
export const earliestOf = (
  instants: readonly (Temporal.Instant | undefined)[],
): Temporal.Instant | undefined =>
  instants.reduce(
    (first, each) => (each === undefined ? first : earlierInstant(each, first)),
    undefined,
  );

/** Newest first; rows without a time keep their order behind the others. */
export const sortedNewestFirst = <Row>(
  rows: readonly Row[],
  timeOf: (row: Row) => Temporal.Instant | undefined,
): readonly Row[] =>
  rows.toSorted((one, other) => {
    const [at, otherAt] = [timeOf(one), timeOf(other)];
    if (at === undefined || otherAt === undefined)
      return Number(at === undefined) - Number(otherAt === undefined);
    return Temporal.Instant.compare(otherAt, at);
  });

/** When figures were read. */
export interface ReadingTimes {
  /** The newest reading. */
  readonly readAt: Temporal.Instant;
  readonly oldestAt: Temporal.Instant;
}

/** Both are `now` without figures. */
export const readingTimes = (
  figures: readonly Pick<ReadingTimes, "readAt">[],
  now: Temporal.Instant,
): ReadingTimes => {
  const sorted = figures
    .map(({ readAt }) => readAt)
    .toSorted((one, other) => Temporal.Instant.compare(one, other));
  return { readAt: sorted.at(-1) ?? now, oldestAt: sorted[0] ?? now };
};

/** Milliseconds between two instants, whichever comes first: a clock that was set back must not hold up any work. */
export const msBetween = (one: Temporal.Instant, other: Temporal.Instant): number =>
  Math.abs(one.epochMilliseconds - other.epochMilliseconds);

/** The instant as rows keep it: without fractions of a millisecond. */
export const toMillisecond = (at: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(at.epochMilliseconds);

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/**
 * A clock was set back when it is behind a stored time by more than this: processes differ by less, and a query is not
 * held up for so long after its time was read.
 */
export const SET_BACK_MS = 5 * MINUTE;

/**
 * Resolves after `ms`, or at once when `stopping` aborts. Uses the global timers, which tests and simulations replace
 * by virtual time; the timers of `node:timers/promises` would stay real.
 */
export const pause = (ms: number, stopping?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stopping?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stopping?.addEventListener("abort", end);
  });

/** The result of the work, or undefined once `ms` have passed. */
export const within = async <Result>(
  ms: number,
  work: Promise<Result>,
): Promise<Result | undefined> => {
  const over = Promise.withResolvers<undefined>();
  const timer = setTimeout(over.resolve, ms, undefined);
  return await Promise.race([work, over.promise]).finally(() => clearTimeout(timer));
};

const LONGEST_RECONNECT_DELAY_MS = 30 * SECOND;

/**
 * Delay before the `failures`-th connection attempt since the last success: 0 for the first two, then doubling.
 * `fraction` in [0, 1) spreads many processes.
 */
export const reconnectDelayMs = (
  failures: number,
  fraction: number,
  longestMs = LONGEST_RECONNECT_DELAY_MS,
): number =>
  failures <= 1 ? 0 : Math.min(2 ** (failures - 2) * SECOND, longestMs) * (0.75 + fraction / 4);

/**
 * A signal that is aborted after `ms`, unless `end` is called before. One of `AbortSignal.timeout` would keep its
 * listeners, and what they hold, until then. Keeps no process alive.
 */
export const abortAfter = (ms: number): { readonly signal: AbortSignal; end: () => void } => {
  const controller = new AbortController();
  const over = (): void => controller.abort(new DOMException("The time is over", "TimeoutError"));
  const timer = setTimeout(over, ms).unref();
  return { signal: controller.signal, end: () => clearTimeout(timer) };
};
