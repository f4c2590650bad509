import { schedule } from "node-cron";
import { type Clock, MINUTE, SECOND } from "../shared/time.ts";
import { DatabaseAwayError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import type { PresencePrefetch } from "./presence.ts";
import { createSignal, type Deliver } from "./delivery/deliver.ts";
import type { DailySalesReport } from "./daily-sales-report.ts";
import type { DisputeWatchJob } from "./disputes/dispute-watch.ts";
import type { ExternalWatch, FollowWithdrawals } from "./withdrawal-watch.ts";
import type { LearnWallets } from "./learn-wallets.ts";
import type { Upkeep } from "./upkeep.ts";

export interface SchedulerNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly everyMinute: EveryMinute;
  readonly dailySalesReport: DailySalesReport;
  readonly prefetchPresence: PresencePrefetch;
  readonly deliver: Deliver;
  readonly followWithdrawals: FollowWithdrawals;
  readonly learnWallets: LearnWallets;
  readonly watchExternal: ExternalWatch;
  readonly watchDisputes: DisputeWatchJob;
  readonly upkeep: Upkeep;
}

export interface Scheduler {
  /** Looks at what is owed now, and then every minute. */
  readonly start: () => void;
  /** Everything that is owed at this instant is handed over, posted or put off. Ticks follow each other. */
  readonly tick: () => Promise<void>;
  /** Delivers what was just enqueued, without waiting for the minute. */
  readonly wake: () => Promise<void>;
  /** Reads what became of the withdrawals that are due, and comes back when the next one is. */
  readonly follow: () => Promise<void>;
  /** Lets what is under way end, for a while, and starts nothing more. */
  readonly stop: () => Promise<void>;
}

const STOP_TIMEOUT_MS = 15 * SECOND;

/**
 * One heartbeat for everybody. It only says "look now": what is owed is asked of the database, so that a beat missed,
 * doubled or moved by a clock changes nothing.
 */
export const createScheduler = (needs: SchedulerNeeds): Scheduler => {
  const { clock, log, deliver, followWithdrawals, watchDisputes } = needs;
  const stopping = new AbortController();
  let ticks: Promise<void> = Promise.resolve();
  let delivering: Promise<void> | undefined;
  let wokenAgain = false;
  const news = createSignal();
  const underWay = new Set<Promise<void>>();

  /** One part's failure does not keep the others from their work; the next beat tries again. */
  const run = async (part: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      // That it is away was said once, by whoever found it.
      const level = error instanceof DatabaseAwayError ? "debug" : "error";
      log[level]({ part, err: error }, "a part of the tick failed");
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

  /** Nothing is begun while the run before is under way, so that no runs pile up behind one that hangs. */
  const oneAtATime = (part: string, work: () => Promise<void>): (() => Promise<void>) => {
    let runs = false;
    return async () => {
      if (runs) return;
      runs = true;
      await begin(part, work);
      runs = false;
    };
  };

  /** Checks share their lanes, so that one that hangs keeps nobody else's from being taken. */
  const follow = (): Promise<void> =>
    begin("withdrawals", async () => {
      const next = await followWithdrawals(stopping.signal);
      if (next !== undefined) nextCheck.at(next);
    });
  /** The same of looks at disputes. */
  const pollDisputes = (): Promise<void> =>
    begin("disputes", () => watchDisputes.poll(stopping.signal));
  /** Asks nobody but the database, so that a deadline is told of while the wallet service hangs. */
  const remind = (): Promise<void> => begin("reminders", watchDisputes.remind);
  const prepareReports = oneAtATime("reports", () => needs.dailySalesReport(stopping.signal));
  const prefetchPresence = oneAtATime("whereabouts", () => needs.prefetchPresence(stopping.signal));
  const learn = oneAtATime("wallet accounts", () => needs.learnWallets(stopping.signal));
  const watchExternal = oneAtATime("ghost watch", () => needs.watchExternal(stopping.signal));
  const tidy = oneAtATime("upkeep", () => needs.upkeep(clock.now()));

  const retry = createWakeTimer(clock, () => void wake());
  const nextCheck = createWakeTimer(clock, () => void follow());

  /** Each part by itself: while the wallet service hangs one may take long, and none waits for another. */
  const beat = async (): Promise<void> => {
    void wake();
    void follow();
    void remind();
    void pollDisputes();
    void prepareReports();
    void prefetchPresence();
    void learn();
    void watchExternal();
    void tidy();
  };

  const look = async (): Promise<void> => {
    // What an earlier look took, and this one therefore could not.
    await Promise.all(underWay);
    if (stopping.signal.aborted) return;
    await beat();
    await Promise.all(underWay);
    await wake();
  };

  const tick = (): Promise<void> => {
    ticks = ticks.then(look);
    return ticks;
  };

  let stopBeats = (): void => {};

  return {
    start: () => {
      if (stopping.signal.aborted) return;
      stopBeats = needs.everyMinute(beat);
      void beat();
    },
    tick,
    wake,
    follow,
    stop: async () => {
      stopping.abort();
      retry.stop();
      nextCheck.stop();
      stopBeats();
      await within(STOP_TIMEOUT_MS, Promise.all([ticks, delivering, ...underWay]));
    },
  };
};

const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, ms);
  await Promise.race([work, timeout.promise]);
  clearTimeout(timer);
};

/** Rings between two beats of the heartbeat; what lies further ahead is the next beat's. */
interface WakeTimer {
  readonly at: (instant: Temporal.Instant) => void;
  readonly stop: () => void;
}

const MOMENT_MS = 100;

/** Instants of the same moment ring together. */
const createWakeTimer = (clock: Clock, ring: () => void): WakeTimer => {
  const set = new Map<number, NodeJS.Timeout>();
  let stopped = false;
  return {
    at: (instant) => {
      const moment = Math.ceil(instant.epochMilliseconds / MOMENT_MS);
      // What is overdue already could not be done just now: it is not tried without a pause.
      const waitMs = Math.max(moment * MOMENT_MS - clock.now().epochMilliseconds, MOMENT_MS);
      if (stopped || waitMs >= MINUTE || set.has(moment)) return;
      const rings = (): void => {
        set.delete(moment);
        ring();
      };
      set.set(moment, setTimeout(rings, waitMs).unref());
    },
    stop: () => {
      stopped = true;
      for (const timer of set.values()) clearTimeout(timer);
      set.clear();
    },
  };
};

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
