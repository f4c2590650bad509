const SWEEP_MS = 50;

export interface Deadlined {
  /** On the monotonic clock of `performance.now()`, in milliseconds. May be moved while waiting. */
  dueAt: number;
}

export interface Deadlines<Entry extends Deadlined> {
  readonly add: (entry: Entry) => void;
  readonly remove: (entry: Entry) => void;
}

/**
 * One timer for whatever is under way, instead of one for each: due entries are passed to `expire` at most 50 ms late.
 * An entry stays until it is removed, so `expire` must remove it or move its `dueAt`. `expire` must not throw.
 */
export const createDeadlines = <Entry extends Deadlined>(
  expire: (entry: Entry) => void,
): Deadlines<Entry> => {
  const entries = new Set<Entry>();
  let timer: NodeJS.Timeout | undefined;

  const sweep = (): void => {
    if (entries.size === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    const now = performance.now();
    for (const entry of entries) if (entry.dueAt <= now) expire(entry);
  };

  return {
    add: (entry) => {
      entries.add(entry);
      timer ??= setInterval(sweep, SWEEP_MS).unref();
    },
    remove: (entry) => {
      entries.delete(entry);
    },
  };
};
