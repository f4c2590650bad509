/** Rate limit for each name. Lives in memory: a restart resets it. */
export interface SlidingLimit {
  /** Milliseconds until the name may have its next turn; 0 means now. Does not take a turn. */
  readonly waitMs: (name: string) => number;
  readonly take: (name: string) => void;
  /** Number of remembered names. Each call of `waitMs` or `take` forgets the names without a turn in the window. */
  readonly size: () => number;
}

/** Beyond this number the limit forgets the longest idle names, so that a flood of names cannot fill the memory. */
const MOST_NAMES = 50_000;

/**
 * At most `most` turns of a name in any window of `windowMs`.
 * @param parts.nowMs a clock that never steps back.
 */
export const createSlidingLimit = (parts: {
  readonly most: number;
  readonly windowMs: number;
  readonly nowMs: () => number;
  readonly mostNames?: number;
}): SlidingLimit => {
  const { most, windowMs, nowMs, mostNames = MOST_NAMES } = parts;
  /** Turns in the window, oldest first. Names are ordered by their last turn. */
  const turns = new Map<string, readonly number[]>();

  const forgetQuiet = (now: number): void => {
    for (const [name, taken] of turns) {
      const isQuiet = (taken.at(-1) ?? -Infinity) <= now - windowMs;
      if (!isQuiet && turns.size <= mostNames) return;
      turns.delete(name);
    }
  };

  const inWindow = (name: string, now: number): readonly number[] =>
    (turns.get(name) ?? []).filter((at) => at > now - windowMs);

  return {
    waitMs: (name) => {
      const now = nowMs();
      forgetQuiet(now);
      const taken = inWindow(name, now);
      const [oldest] = taken.slice(-most);
      return taken.length < most || oldest === undefined ? 0 : oldest + windowMs - now;
    },
    take: (name) => {
      const now = nowMs();
      const taken = [...inWindow(name, now), now];
      turns.delete(name);
      turns.set(name, taken);
      forgetQuiet(now);
    },
    size: () => turns.size,
  };
};
