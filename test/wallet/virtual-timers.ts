import type { Timers } from "#src/wallet/timers.ts";

interface Task {
  readonly at: number;
  readonly work: () => void;
}

export interface VirtualTimers extends Timers {
  /** Advances time and runs due timers in order, each at its own instant. */
  readonly advance: (ms: number) => void;
  /** Like `advance`, but runs the promises of each step before the next step. */
  readonly pass: (ms: number) => Promise<void>;
  readonly pending: () => number;
}

/** Runs the continuations of resolved promises. */
const settle = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

export const createVirtualTimers = (): VirtualTimers => {
  let now = 0;
  const tasks = new Set<Task>();

  const nextBefore = (end: number): Task | undefined => {
    let next: Task | undefined;
    for (const task of tasks) if (task.at <= end && (!next || task.at < next.at)) next = task;
    return next;
  };

  return {
    now: () => now,
    after: (delayMs, work) => {
      const task = { at: now + delayMs, work };
      tasks.add(task);
      return () => {
        tasks.delete(task);
      };
    },
    advance: (ms) => {
      const end = now + ms;
      for (let task = nextBefore(end); task; task = nextBefore(end)) {
        tasks.delete(task);
        now = task.at;
        task.work();
      }
      now = end;
    },
    pass: async (ms) => {
      const end = now + ms;
      await settle();
      for (let task = nextBefore(end); task; task = nextBefore(end)) {
        tasks.delete(task);
        now = task.at;
        task.work();
        await settle();
      }
      now = end;
    },
    pending: () => tasks.size,
  };
};
