import { schedule } from "node-cron";
import { MINUTE, SECOND } from "../shared/duration.ts";
import type { Logger } from "../shared/log.ts";

/** Calls `beat` at each full minute, never while the beat before is under way; gives back what ends the calls. */
export type EveryMinute = (beat: () => Promise<void>) => () => void;

const LONGEST_SILENCE_MS = MINUTE + 5 * SECOND;

/**
 * The minutes of node-cron. A trigger and nothing more: what is owed is asked of the database, so a beat that comes
 * late, or not at all while the machine sleeps, loses nothing. node-cron waits for the minute that it has named: by a
 * clock that is set back an hour it would say nothing for an hour, so a timer beside it lets it begin anew.
 */
export const cronMinutes =
  (log: Logger): EveryMinute =>
  (beat) => {
    const task = schedule(
      "* * * * *",
      async () => {
        silence.refresh();
        await beat();
      },
      {
        timezone: "UTC",
        noOverlap: true,
        // By default a minute that is a second late counts as missed, and so is not told.
        missedExecutionTolerance: MINUTE,
        suppressMissedWarning: true,
        logger: cronLogger(log),
      },
    );
    const silence = setTimeout(() => {
      silence.refresh();
      if (task.isBusy()) return;
      void task.stop();
      void task.start();
      void task.execute();
    }, LONGEST_SILENCE_MS);
    return () => {
      clearTimeout(silence);
      void task.destroy();
    };
  };

const cronLogger = (log: Logger) => {
  const say = (text: string): void => log.debug({ said: text }, "node-cron");
  const fail = (problem: string | Error, error?: Error): void =>
    log.error({ err: problem instanceof Error ? problem : error }, "node-cron");
  return { info: say, warn: say, debug: say, error: fail };
};
