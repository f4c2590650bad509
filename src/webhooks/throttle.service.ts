import type { Timers } from "../wallet/timers.ts";

interface Turn {
  /** A run is yet to begin. */
  isAsked: boolean;
  cancel: () => void;
}

/**
 * Work for each key at most once in a gap: all who ask in the gap share one more run at its end.
 * `work` gives its key's gap in milliseconds, measured from its end, and never rejects. Outside of its gap it begins
 * after `pauseMs`, or at once without.
 */
export const createThrottle = (parts: {
  readonly timers: Pick<Timers, "after">;
  readonly concurrency: number;
  readonly work: (key: string) => Promise<number>;
  readonly pauseMs?: () => number;
}) => {
  const { timers, concurrency, work, pauseMs } = parts;
  const turns = new Map<string, Turn>();
  const due: string[] = [];
  let running = 0;
  let stopped = false;

  const endGap = (key: string, turn: Turn): void => {
    if (!turn.isAsked) turns.delete(key);
    else begin(key);
  };

  const run = async (key: string): Promise<void> => {
    const turn = turns.get(key);
    // Those that were due at the stop never begin.
    if (turn === undefined) return;
    turn.isAsked = false;
    const gapMs = await work(key);
    if (!stopped) turn.cancel = timers.after(gapMs, () => endGap(key, turn));
  };

  const fill = (): void => {
    while (running < concurrency) {
      const key = due.shift();
      if (key === undefined) return;
      running++;
      void run(key).finally(() => {
        running--;
        fill();
      });
    }
  };

  const begin = (key: string): void => {
    due.push(key);
    fill();
  };

  return {
    /** False when the key's work was asked for already, and is yet to begin, and after the stop. */
    ask: (key: string): boolean => {
      if (stopped) return false;
      const turn = turns.get(key);
      if (turn === undefined) {
        const asked: Turn = { isAsked: true, cancel: () => {} };
        turns.set(key, asked);
        if (pauseMs === undefined) begin(key);
        else asked.cancel = timers.after(pauseMs(), () => begin(key));
        return true;
      }
      const wasAsked = turn.isAsked;
      turn.isAsked = true;
      return !wasAsked;
    },
    stop: (): void => {
      stopped = true;
      for (const { cancel } of turns.values()) cancel();
      turns.clear();
    },
  };
};
