import { type Clock, MINUTE } from "../shared/time.ts";

type MoveListener = () => Promise<void> | void;

export type VirtualClock = ReturnType<typeof createVirtualClock>;

/** Real time plus a changeable offset; at first the clock shows `start`, or real time. */
export const createVirtualClock = (start?: Temporal.Instant) => {
  let offsetMs = start === undefined ? 0 : start.epochMilliseconds - Date.now();
  const listeners = new Set<MoveListener>();

  const setOffset = (next: number): readonly Promise<void>[] => {
    offsetMs = next;
    return [...listeners].map(async (listener) => listener());
  };

  return {
    now: () => Temporal.Instant.fromEpochMilliseconds(Date.now() + offsetMs),
    moveTo: (instant: Temporal.Instant) => void setOffset(instant.epochMilliseconds - Date.now()),
    moveBy: (durationMs: number) => void setOffset(offsetMs + durationMs),
    /** Moves, and resolves when all listeners are done. */
    moveAndSettle: async (durationMs: number): Promise<void> => {
      await Promise.all(setOffset(offsetMs + durationMs));
    },
    /** How far ahead of real time this clock is; another process with the same offset shows the same time. */
    offsetMs: () => offsetMs,
    /** Calls the listener after each move; the returned function ends that. A listener's promise must not reject. */
    onMove: (listener: MoveListener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Timers of a clock ahead of real time: a move of the clock shortens the waits under way too. */
export const timersAheadBy = ({
  offsetMs,
  onMove,
}: Pick<VirtualClock, "offsetMs"> & {
  readonly onMove: (listener: () => void) => () => void;
}) => {
  const now = (): number => performance.now() + offsetMs();
  const waiting = new Set<() => void>();
  onMove(() => {
    for (const runIfDue of waiting) runIfDue();
  });
  return {
    now,
    after: (delayMs: number, work: () => void) => {
      const dueAt = now() + delayMs;
      const cancel = (): void => {
        clearTimeout(timer);
        waiting.delete(runIfDue);
      };
      const run = (): void => {
        cancel();
        work();
      };
      const runIfDue = (): void => {
        if (now() >= dueAt) run();
      };
      const timer = setTimeout(run, delayMs);
      waiting.add(runIfDue);
      return cancel;
    },
  };
};

/** Calls `beat` at each full minute of a virtual clock, one call at a time; the returned function ends the calls. */
export const minutesOf =
  (clock: Clock) =>
  (beat: () => Promise<void>): (() => void) => {
    let timer: NodeJS.Timeout | undefined;
    let underWay = false;
    const schedule = (): void => {
      const intoMinute = ((clock.now().epochMilliseconds % MINUTE) + MINUTE) % MINUTE;
      timer = setTimeout(() => {
        schedule();
        if (underWay) return;
        underWay = true;
        void beat().finally(() => (underWay = false));
      }, MINUTE - intoMinute);
    };
    schedule();
    return () => clearTimeout(timer);
  };
