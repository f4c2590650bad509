import type { Timers } from "../wallet/timers.ts";

/** Work for each key at most once in a gap: all who ask in the gap share one more run at its end. */
export interface Throttle {
  /** False when the key's work was asked for already, in its gap. */
  readonly ask: (key: string) => boolean;
  /** Keys in their gap or waiting; others are forgotten. */
  readonly size: () => number;
  readonly stop: () => void;
}

interface Turn {
  isAskedAgain: boolean;
  cancel: () => void;
}

/** `work` gives its key's gap in milliseconds, measured from its end, and never rejects. */
export const createThrottle = (parts: {
  readonly timers: Pick<Timers, "after">;
  readonly concurrency: number;
  readonly work: (key: string) => Promise<number>;
}): Throttle => {
  const { timers, concurrency, work } = parts;
  const turns = new Map<string, Turn>();
  const due: string[] = [];
  let running = 0;
  let stopped = false;

  const endGap = (key: string, turn: Turn): void => {
    if (!turn.isAskedAgain) turns.delete(key);
    else begin(key);
  };

  const run = async (key: string): Promise<void> => {
    const turn = turns.get(key);
    if (turn === undefined) return;
    turn.isAskedAgain = false;
    const gapMs = await work(key);
    if (!stopped) turn.cancel = timers.after(gapMs, () => endGap(key, turn));
  };

  const fill = (): void => {
    while (running < concurrency) {
      const key = stopped ? undefined : due.shift();
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
    ask: (key) => {
      const turn = turns.get(key);
      if (turn === undefined) {
        turns.set(key, { isAskedAgain: false, cancel: () => {} });
        begin(key);
        return true;
      }
      const wasAsked = turn.isAskedAgain;
      turn.isAskedAgain = true;
      return !wasAsked;
    },
    size: () => turns.size,
    stop: () => {
      stopped = true;
      due.length = 0;
      for (const { cancel } of turns.values()) cancel();
      turns.clear();
    },
  };
};
