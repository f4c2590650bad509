export type SlidingLimit = ReturnType<typeof createSlidingLimit>;

/** Beyond this number the limit forgets the longest idle names, so that a flood of names cannot fill the memory. */
const MOST_NAMES = 50_000;
/** Quiet names are forgotten so many times in a window. */
const PARTS = 30;

/**
 * At most `most` turns of a name in any window of `windowMs`. Lives in memory: a restart resets it.
 * @param parts.nowMs a clock that never steps back.
 */
export const createSlidingLimit = (parts: {
  readonly most: number;
  readonly windowMs: number;
  readonly nowMs: () => number;
}) => {
  const { most, windowMs, nowMs } = parts;
  /** The last turns, oldest first: `most` decide, twice as many are kept. Names are ordered by their last turn. */
  const turns = new Map<string, number[]>();
  let forgetAtMs = -Infinity;

  // Now and then: a map's iterator passes over all places of names that were deleted.
  const forgetQuiet = (now: number): void => {
    if (now < forgetAtMs && turns.size <= MOST_NAMES) return;
    forgetAtMs = now + windowMs / PARTS;
    for (const [name, taken] of turns) {
      const isQuiet = (taken.at(-1) ?? -Infinity) <= now - windowMs;
      if (!isQuiet && turns.size <= MOST_NAMES) return;
      turns.delete(name);
    }
  };

  return {
    /** Milliseconds until the name may have its next turn; 0 means now. Does not take a turn. */
    waitMs: (name: string): number => {
      const now = nowMs();
      forgetQuiet(now);
      const oldest = turns.get(name)?.at(-most) ?? -Infinity;
      return Math.max(oldest + windowMs - now, 0);
    },
    take: (name: string): void => {
      const now = nowMs();
      const taken = turns.get(name) ?? [];
      if (taken.length >= 2 * most) taken.splice(0, taken.length - most);
      taken.push(now);
      turns.delete(name);
      turns.set(name, taken);
      forgetQuiet(now);
    },
    /** Number of remembered names. Names without a turn in the window are forgotten after a thirtieth of one more. */
    size: (): number => turns.size,
  };
};
