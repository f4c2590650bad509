import type { Clock } from "../shared/clock.ts";
import { MINUTE } from "../shared/duration.ts";

export interface Heartbeat {
  readonly start: () => void;
  readonly stop: () => void;
}

/** How long until the clock's next full minute, in milliseconds: from 1 to a minute. */
export const untilNextMinute = (now: Temporal.Instant): number => {
  const intoMinute = ((now.epochMilliseconds % MINUTE) + MINUTE) % MINUTE;
  return MINUTE - intoMinute;
};

/**
 * Beats at each full minute, and never while the beat before is under way. A timer and nothing more: what is owed is
 * asked of the database, so a beat that comes late, or not at all while the machine sleeps, loses nothing. A cron
 * library would format dates for it, at 9 MB for its calendar.
 */
export const createHeartbeat = (clock: Clock, beat: () => Promise<void>): Heartbeat => {
  let timer: NodeJS.Timeout | undefined;
  let running = false;

  const schedule = (): void => {
    if (running) timer = setTimeout(() => void run(), untilNextMinute(clock.now()));
  };
  const run = async (): Promise<void> => {
    try {
      await beat();
    } finally {
      schedule();
    }
  };

  return {
    start: () => {
      if (running) return;
      running = true;
      schedule();
    },
    stop: () => {
      running = false;
      clearTimeout(timer);
    },
  };
};
