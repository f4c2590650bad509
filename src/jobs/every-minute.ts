import { schedule } from "node-cron";
import { type Clock, MINUTE, SECOND } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";

/** Calls `beat` at each full minute, never while the beat before is under way; gives back what ends the calls. */
export type EveryMinute = (beat: () => Promise<void>) => () => void;

/** Surely before node-cron's own timer, which runs out at the minute. */
const EARLY_MS = SECOND;
/** A clock that is further from the awaited minute was set, or slept with the machine. */
const MOST_DRIFT_MS = MINUTE;

/**
 * The minutes of node-cron. A trigger and nothing more: what is owed is asked of the database, so a beat that comes
 * late, or not at all while the machine sleeps, loses nothing. node-cron waits for the minute that it has named: by a
 * clock that is set back an hour it would say nothing for an hour, and by one that leapt it would walk through each
 * minute between, 0.1 ms of blocked loop for each. A timer that runs out before its own lets it begin anew.
 */
export const cronMinutes =
  (clock: Clock, log: Logger): EveryMinute =>
  (beat) => {
    let underWay = false;
    // node-cron's own guard against overlaps knows nothing of a beat from before it began anew.
    const beatOnce = async (): Promise<void> => {
      if (underWay) return;
      underWay = true;
      await beat().finally(() => (underWay = false));
    };
    const task = schedule("* * * * *", beatOnce, {
      timezone: "UTC",
      // By default a minute that is a second late counts as missed, and so is not told.
      missedExecutionTolerance: MINUTE,
      logger: cronLogger(log),
    });
    let watch: NodeJS.Timeout;
    const watchClock = (): void => {
      const toNextMs = task.msToNext() ?? MINUTE;
      const waitMs = toNextMs - EARLY_MS + (toNextMs > EARLY_MS ? 0 : MINUTE);
      const awaited = clock.now().add({ milliseconds: waitMs });
      watch = setTimeout(() => {
        const driftMs = awaited.until(clock.now()).total("milliseconds");
        if (Math.abs(driftMs) > MOST_DRIFT_MS) beginAnew();
        watchClock();
      }, waitMs);
    };
    const beginAnew = (): void => {
      void task.stop();
      void task.start();
      // A failure is in the log by then.
      task.execute().catch(() => {});
    };
    watchClock();
    return () => {
      clearTimeout(watch);
      void task.destroy();
    };
  };

const cronLogger = (log: Logger) => {
  const say = (text: string): void => log.debug({ said: text }, "node-cron");
  const fail = (problem: string | Error, error?: Error): void =>
    log.error({ err: problem instanceof Error ? problem : error }, "node-cron");
  return { info: say, warn: say, debug: say, error: fail };
};
