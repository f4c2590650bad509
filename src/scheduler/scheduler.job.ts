import { setImmediate } from "node:timers/promises";
import { schedule } from "node-cron";
import { type Clock, MINUTE, SECOND, within } from "../shared/time.ts";
import { DatabaseAwayError } from "../shared/errors.ts";
import { createWakeTimer } from "./wake-timer.ts";
import type { Logger } from "../shared/log.ts";
import { createSignal, type Deliver } from "../delivery/deliver.job.ts";

/** Work of the heartbeat. It asks the database what is due, so a skipped run loses no work. */
export interface Job {
  /** Set where a hanging run must not delay the next one; any other job is skipped while a run is under way. */
  readonly overlaps?: true;
  /**
   * Does the work that is due. `wakeAt`, or the instant that it gives, sets a timer for work that is due before the next
   * beat.
   */
  readonly run: (
    stopping: AbortSignal,
    wakeAt: (instant: Temporal.Instant) => void,
  ) => Promise<Temporal.Instant | undefined | void>;
}

interface SchedulerNeeds<Name extends string> {
  readonly clock: Clock;
  readonly log: Logger;
  readonly everyMinute: EveryMinute;
  readonly deliver: Deliver;
  /** Learns of each failure of a part, after the log. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
  /** In the order in which a beat starts them, those that may overlap first. */
  readonly jobs: Readonly<Record<Name, Job>>;
}

export type Scheduler<Name extends string = string> = ReturnType<typeof createScheduler<Name>>;

const STOP_TIMEOUT_MS = 15 * SECOND;

/**
 * One heartbeat for all jobs. A beat carries no data: each job asks the database for due work, so a missed, doubled or
 * late beat loses no work.
 */
export const createScheduler = <Name extends string>(needs: SchedulerNeeds<Name>) => {
  const { clock, log, deliver } = needs;
  const stopping = new AbortController();
  let ticks: Promise<void> = Promise.resolve();
  let delivering: Promise<void> | undefined;
  let wokenAgain = false;
  const news = createSignal();
  const underWay = new Set<Promise<void>>();

  /** A failed part is logged and tried again at the next beat; the other parts go on. */
  const run = async (part: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const failures: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
      for (const err of failures) {
        // The loss of the database has been logged where it was first noticed.
        const level = err instanceof DatabaseAwayError ? "debug" : "error";
        log[level]({ part, err }, "a part of the tick failed");
        needs.onFailure?.(err);
      }
    }
  };

  const deliverAll = async (): Promise<void> => {
    while (wokenAgain && !stopping.signal.aborted) {
      wokenAgain = false;
      await run("deliveries", () =>
        deliver({ stopping: stopping.signal, news, retryAt: retry.at }),
      );
    }
    delivering = undefined;
  };

  /** Delivers new messages without waiting for the next minute. */
  const wake = async (): Promise<void> => {
    wokenAgain = true;
    news.ring();
    delivering ??= deliverAll();
    await delivering;
  };

  const begin = async (part: string, work: () => Promise<void>): Promise<void> => {
    if (stopping.signal.aborted) return;
    const done = run(part, work);
    underWay.add(done);
    await done;
    underWay.delete(done);
  };

  const retry = createWakeTimer(clock, () => void wake());

  const started = ([name, job]: [string, Job]) => {
    let runs = 0;
    const runOnce = async (): Promise<void> => {
      // Runs must not pile up behind a hanging run.
      if (runs > 0 && job.overlaps !== true) return;
      runs++;
      await begin(name, async () => {
        const next = await job.run(stopping.signal, timer.at);
        if (next !== undefined) timer.at(next);
      });
      runs--;
    };
    const timer = createWakeTimer(clock, () => void runOnce());
    return [name, { run: runOnce, timer, isUrgent: job.overlaps === true }] as const;
  };
  const jobs = new Map<string, ReturnType<typeof started>[1]>(
    Object.entries<Job>(needs.jobs).map(started),
  );

  /**
   * No job waits for another: each may take long while the wallet service hangs. Those that may not overlap are not
   * urgent: each begins in a turn of its own, since SQLite's answers leave no turn to the event loop.
   */
  const beat = async (): Promise<void> => {
    void wake();
    for (const job of jobs.values()) if (job.isUrgent) void job.run();
    for (const job of jobs.values()) {
      if (job.isUrgent) continue;
      void job.run();
      await setImmediate();
    }
  };

  const runAll = async (): Promise<void> => {
    // Work that an earlier beat has begun, and that this one therefore skips.
    await Promise.all(underWay);
    if (stopping.signal.aborted) return;
    await beat();
    await Promise.all(underWay);
    await wake();
  };

  /** Runs all jobs once; resolves when they and their deliveries are done. Ticks run one after the other. */
  const tick = (): Promise<void> => {
    ticks = ticks.then(runAll);
    return ticks;
  };

  let stopBeats = (): void => {};

  return {
    /** Runs all jobs now, and then every minute. */
    start: (): void => {
      if (stopping.signal.aborted) return;
      stopBeats = needs.everyMinute(beat);
      void beat();
    },
    tick,
    wake,
    /** Runs one job now. */
    run: async (name: Name): Promise<void> => await jobs.get(name)?.run(),
    /** Runs one job soon, once for all calls within a moment. */
    runSoon: (name: Name): void => jobs.get(name)?.timer.at(clock.now()),
    /** Starts no more work and waits up to `STOP_TIMEOUT_MS` for running work to end. */
    stop: async (): Promise<void> => {
      stopping.abort();
      stopBeats();
      await within(STOP_TIMEOUT_MS, Promise.all([ticks, delivering, ...underWay]));
    },
  };
};

/**
 * Calls `beat` at each full minute unless the previous call is still running. Returns a function that stops the calls.
 */
export type EveryMinute = (beat: () => Promise<void>) => () => void;

/** Well before node-cron's own timer, which fires at the full minute. */
const EARLY_MS = SECOND;
/** A larger drift means that the clock was set or the machine slept. */
const MOST_DRIFT_MS = MINUTE;

/**
 * A heartbeat from node-cron, with one addition. node-cron waits for a named minute: after the clock is set back an
 * hour it stays silent for an hour, and after a leap it walks through each minute between, which blocks the event loop
 * for 0.1 ms each. A timer that fires shortly before node-cron's own detects such a drift and restarts it.
 */
export const cronMinutes =
  (clock: Clock, log: Logger): EveryMinute =>
  (beat) => {
    let underWay = false;
    // node-cron's own overlap guard forgets a beat that began before the restart.
    const beatOnce = async (): Promise<void> => {
      if (underWay) return;
      underWay = true;
      await beat().finally(() => (underWay = false));
    };
    const task = schedule("* * * * *", beatOnce, {
      timezone: "UTC",
      // By default node-cron drops a beat that is one second late.
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
        if (Math.abs(driftMs) > MOST_DRIFT_MS) restart();
        watchClock();
      }, waitMs);
    };
    const restart = (): void => {
      void task.stop();
      void task.start();
      // `logger` has already reported the failure.
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
