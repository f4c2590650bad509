/** Timers that stand still until they are moved. */
export const manualTimers = () => {
  let nowMs = 0;
  const waiting = new Set<{ readonly atMs: number; readonly work: () => void }>();
  return {
    now: () => nowMs,
    after: (delayMs: number, work: () => void) => {
      const entry = { atMs: nowMs + delayMs, work };
      waiting.add(entry);
      return () => void waiting.delete(entry);
    },
    waiting: () => waiting.size,
    /** Runs what is due by then, in order. */
    moveBy: (ms: number) => {
      nowMs += ms;
      for (const entry of [...waiting].toSorted((a, b) => a.atMs - b.atMs)) {
        if (entry.atMs > nowMs || !waiting.delete(entry)) continue;
        entry.work();
      }
    },
  };
};
