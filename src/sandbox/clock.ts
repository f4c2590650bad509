import { type Clock, MINUTE } from "../shared/time.ts";

type MoveListener = () => Promise<void> | void;

/** Real time plus an offset that can be changed: what makes "amanhã 21:05" a matter of one click. */
export interface VirtualClock extends Clock {
  readonly moveTo: (instant: Temporal.Instant) => void;
  readonly moveBy: (durationMs: number) => void;
  /** Resolves when all who were told have done what they then do. */
  readonly moveAndSettle: (durationMs: number) => Promise<void>;
  /** How far ahead of real time this clock is; another process with the same offset shows the same time. */
  readonly offsetMs: () => number;
  /** Told after each move; gives back what ends the telling. A listener's promise never rejects. */
  readonly onMove: (listener: MoveListener) => () => void;
}

/** A clock that starts at `start`, or at real time, and runs at real speed from there. */
export const createVirtualClock = (start?: Temporal.Instant): VirtualClock => {
  let offsetMs = start === undefined ? 0 : start.epochMilliseconds - Date.now();
  const listeners = new Set<MoveListener>();

  const setOffset = (next: number): readonly Promise<void>[] => {
    offsetMs = next;
    return [...listeners].map(async (listener) => listener());
  };

  return {
    now: () => Temporal.Instant.fromEpochMilliseconds(Date.now() + offsetMs),
    moveTo: (instant) => void setOffset(instant.epochMilliseconds - Date.now()),
    moveBy: (durationMs) => void setOffset(offsetMs + durationMs),
    moveAndSettle: async (durationMs) => {
      await Promise.all(setOffset(offsetMs + durationMs));
    },
    offsetMs: () => offsetMs,
    onMove: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Timers by a clock that is ahead of real time: each move of the clock has passed, also for what waits already. */
export const timersAheadBy = ({
  offsetMs,
  onMove,
}: Pick<VirtualClock, "offsetMs"> & {
  readonly onMove: (listener: () => void) => () => void;
}) => {
  const now = (): number => performance.now() + offsetMs();
  const waiting = new Set<() => void>();
  onMove(() => {
    for (const look of waiting) look();
  });
  return {
    now,
    after: (delayMs: number, work: () => void) => {
      const dueAt = now() + delayMs;
      const cancel = (): void => {
        clearTimeout(timer);
        waiting.delete(look);
      };
      const run = (): void => {
        cancel();
        work();
      };
      const look = (): void => {
        if (now() >= dueAt) run();
      };
      const timer = setTimeout(run, delayMs);
      waiting.add(look);
      return cancel;
    },
  };
};

/** Beats at each full minute of a clock that is not the machine's, one at a time; gives back what ends them. */
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
