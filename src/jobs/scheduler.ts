import { type Clock, SECOND } from "../shared/time.ts";
import { DatabaseAwayError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import { createAlarm } from "./alarm.ts";
import type { AskAhead } from "./ask-ahead.ts";
import { createBell } from "./bell.ts";
import type { DailySalesReport } from "./daily-sales-report.ts";
import type { Deliver } from "./delivery/deliver.ts";
import type { DisputeWatchJob } from "./disputes/dispute-watch.ts";
import type { FollowWithdrawals } from "./follow-withdrawals.ts";
import type { GhostWatchJob } from "./ghost-watch.ts";
import type { EveryMinute } from "./every-minute.ts";
import type { LearnWallets } from "./learn-wallets.ts";
import type { Upkeep } from "./upkeep.ts";

export interface SchedulerNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly everyMinute: EveryMinute;
  readonly dailySalesReport: DailySalesReport;
  readonly askAhead: AskAhead;
  readonly deliver: Deliver;
  readonly followWithdrawals: FollowWithdrawals;
  readonly learnWallets: LearnWallets;
  readonly watchGhosts: GhostWatchJob;
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

const STOP_PATIENCE_MS = 15 * SECOND;

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
  const news = createBell();
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
  const askAhead = oneAtATime("whereabouts", () => needs.askAhead(stopping.signal));
  const learn = oneAtATime("wallet accounts", () => needs.learnWallets(stopping.signal));
  const lookForGhosts = oneAtATime("ghost watch", () => needs.watchGhosts(stopping.signal));
  const tidy = oneAtATime("upkeep", () => needs.upkeep(clock.now()));

  const retry = createAlarm(clock, () => void wake());
  const nextCheck = createAlarm(clock, () => void follow());

  /** Each part by itself: while the wallet service hangs one may take long, and none waits for another. */
  const beat = async (): Promise<void> => {
    void wake();
    void follow();
    void remind();
    void pollDisputes();
    void prepareReports();
    void askAhead();
    void learn();
    void lookForGhosts();
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
      await within(STOP_PATIENCE_MS, Promise.all([ticks, delivering, ...underWay]));
    },
  };
};

const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, ms);
  await Promise.race([work, patience.promise]);
  clearTimeout(timer);
};
