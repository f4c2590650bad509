import { schedule } from "node-cron";
import { type Clock, MINUTE, SECOND } from "../shared/time.ts";
import { DatabaseAwayError } from "../shared/errors.ts";
import type { FollowCharges } from "../charges/charges.job.ts";
import { createWakeTimer } from "./wake-timer.ts";
import type { Logger } from "../shared/log.ts";
import type { PresencePrefetch } from "../accounts/presence.job.ts";
import { createSignal, type Deliver } from "../delivery/deliver.job.ts";
import type { DailySalesReport } from "../reports/daily-sales-report.job.ts";
import type { SalesHistoryJob } from "../reports/sales-history.job.ts";
import type { DisputeWatchJob } from "../disputes/dispute-watch.job.ts";
import type { ExternalWatch, FollowWithdrawals } from "../withdrawals/withdrawal-watch.job.ts";
import type { SaleWatchJob } from "../sale-notices/sale-watch.job.ts";
import type { LearnWallets } from "../accounts/learn-wallets.job.ts";
import type { Upkeep } from "./upkeep.job.ts";

export interface SchedulerNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly everyMinute: EveryMinute;
  readonly dailySalesReport: DailySalesReport;
  readonly prefetchPresence: PresencePrefetch;
  readonly deliver: Deliver;
  readonly followWithdrawals: FollowWithdrawals;
  readonly followCharges: FollowCharges;
  readonly learnWallets: LearnWallets;
  readonly readSalesHistory: SalesHistoryJob;
  readonly watchExternal: ExternalWatch;
  readonly watchDisputes: DisputeWatchJob;
  readonly watchSales: Pick<SaleWatchJob, "look">;
  readonly upkeep: Upkeep;
}

export interface Scheduler {
  /** Runs all jobs now, and then every minute. */
  readonly start: () => void;
  /** Runs all jobs once; resolves when they and their deliveries are done. Ticks run one after the other. */
  readonly tick: () => Promise<void>;
  /** Delivers new messages without waiting for the next minute. */
  readonly wake: () => Promise<void>;
  /** Checks the withdrawals that are due, and sets a timer for the next check. */
  readonly follow: () => Promise<void>;
  /** Polls the disputes of an account that became due. */
  readonly lookAtDisputes: (accountFp: string) => Promise<void>;
  /** Looks at the charges that are due, and sets a timer for the next look. */
  readonly followCharges: () => Promise<void>;
  /** Looks at the sales that are due, and sets a timer for the next look. */
  readonly lookAtSales: () => Promise<void>;
  /** Starts no more work and waits up to `STOP_TIMEOUT_MS` for running work to end. */
  readonly stop: () => Promise<void>;
}

const STOP_TIMEOUT_MS = 15 * SECOND;

/**
 * One heartbeat for all jobs. A beat carries no data: each job asks the database for due work, so a missed, doubled or
 * late beat loses no work.
 */
export const createScheduler = (needs: SchedulerNeeds): Scheduler => {
  const { clock, log, deliver, followWithdrawals, watchDisputes, watchSales } = needs;
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
      // The loss of the database has been logged where it was first noticed.
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

  /** Skips a run while the previous one is under way, so that runs do not pile up behind a hanging run. */
  const oneAtATime = (part: string, work: () => Promise<void>): (() => Promise<void>) => {
    let runs = false;
    return async () => {
      if (runs) return;
      runs = true;
      await begin(part, work);
      runs = false;
    };
  };

  /** Runs may overlap, so that a hanging check does not delay other withdrawals. */
  const follow = (): Promise<void> =>
    begin("withdrawals", async () => {
      const next = await followWithdrawals(stopping.signal);
      if (next !== undefined) nextCheck.at(next);
    });
  /** Runs may overlap, for the same reason. */
  const pollDisputes = (): Promise<void> =>
    begin("disputes", () => watchDisputes.poll(stopping.signal));
  /** Runs may overlap, for the same reason. */
  const lookAtSales = (): Promise<void> =>
    begin("sales", () => watchSales.look(stopping.signal, nextLook.at));
  /** Reads only the database, so that reminders go out while the wallet service hangs. */
  const remind = (): Promise<void> => begin("reminders", watchDisputes.remind);
  /** A skipped run loses no look: the one under way ends by asking for the next. */
  const followCharges = oneAtATime("charges", async () => {
    const next = await needs.followCharges(stopping.signal);
    if (next !== undefined) nextCharge.at(next);
  });
  const prepareReports = oneAtATime("reports", () => needs.dailySalesReport(stopping.signal));
  const prefetchPresence = oneAtATime("whereabouts", () => needs.prefetchPresence(stopping.signal));
  const learn = oneAtATime("wallet accounts", () => needs.learnWallets(stopping.signal));
  const readHistory = oneAtATime("sales history", () => needs.readSalesHistory(stopping.signal));
  const watchExternal = oneAtATime("ghost watch", () => needs.watchExternal(stopping.signal));
  const tidy = oneAtATime("upkeep", () => needs.upkeep(clock.now()));

  const retry = createWakeTimer(clock, () => void wake());
  const nextCheck = createWakeTimer(clock, () => void follow());
  /** One run for all accounts that become due within a moment. */
  const disputesDue = createWakeTimer(clock, () => void pollDisputes());
  const nextCharge = createWakeTimer(clock, () => void followCharges());
  const nextLook = createWakeTimer(clock, () => void lookAtSales());

  /** No part waits for another: each may take long while the wallet service hangs. */
  const beat = async (): Promise<void> => {
    void wake();
    void follow();
    void followCharges();
    void remind();
    void pollDisputes();
    void lookAtSales();
    void prepareReports();
    void prefetchPresence();
    void learn();
    void readHistory();
    void watchExternal();
    void tidy();
  };

  const runAll = async (): Promise<void> => {
    // Work that an earlier beat has begun, and that this one therefore skips.
    await Promise.all(underWay);
    if (stopping.signal.aborted) return;
    await beat();
    await Promise.all(underWay);
    await wake();
  };

  const tick = (): Promise<void> => {
    ticks = ticks.then(runAll);
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
    lookAtDisputes: async (accountFp) => {
      if (await watchDisputes.lookNow(accountFp)) disputesDue.at(clock.now());
    },
    followCharges,
    lookAtSales,
    stop: async () => {
      stopping.abort();
      retry.stop();
      nextCheck.stop();
      disputesDue.stop();
      nextCharge.stop();
      nextLook.stop();
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
