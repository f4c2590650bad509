import { createTask } from "node-cron";
import type { Clock } from "../shared/clock.ts";
import { MINUTE, SECOND } from "../shared/duration.ts";
import type { Logger } from "../shared/log.ts";
import type { DailySalesReport } from "./daily-sales-report.ts";
import type { Deliver } from "./deliver.ts";
import type { Upkeep } from "./upkeep.ts";

export interface SchedulerNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly dailySalesReport: DailySalesReport;
  readonly deliver: Deliver;
  readonly upkeep: Upkeep;
}

export interface Scheduler {
  /** Looks at what is owed now, and then every minute. */
  readonly start: () => void;
  /** Everything that is owed at this instant is handed over, posted or put off. Ticks follow each other. */
  readonly tick: () => Promise<void>;
  /** Delivers what was just enqueued, without waiting for the minute. */
  readonly wake: () => Promise<void>;
  /** Lets what is under way end, for a while, and starts nothing more. */
  readonly stop: () => Promise<void>;
}

const EVERY_MINUTE = "* * * * *";
const STOP_PATIENCE_MS = 15 * SECOND;

/**
 * One heartbeat for everybody. It only says "look now": what is owed is asked of the database, so that a beat missed,
 * doubled or moved by a clock changes nothing.
 */
export const createScheduler = (needs: SchedulerNeeds): Scheduler => {
  const { clock, log, dailySalesReport, deliver, upkeep } = needs;
  const stopping = new AbortController();
  let ticks: Promise<void> = Promise.resolve();
  let delivering: Promise<void> | undefined;
  let wokenAgain = false;
  let retry: NodeJS.Timeout | undefined;

  /** One part's failure does not keep the others from their work; the next beat tries again. */
  const run = async (part: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.error({ part, err: error }, "a part of the tick failed");
    }
  };

  const deliverAll = async (): Promise<void> => {
    while (wokenAgain && !stopping.signal.aborted) {
      wokenAgain = false;
      await run("deliveries", async () => retryAt(await deliver(stopping.signal)));
    }
    delivering = undefined;
  };

  const wake = async (): Promise<void> => {
    wokenAgain = true;
    delivering ??= deliverAll();
    await delivering;
  };

  /** Retries within the minute come between two beats. */
  const retryAt = (instant: Temporal.Instant | undefined): void => {
    if (instant === undefined || stopping.signal.aborted) return;
    const waitMs = instant.epochMilliseconds - clock.now().epochMilliseconds;
    if (waitMs >= MINUTE) return;
    clearTimeout(retry);
    retry = setTimeout(() => void wake(), Math.max(waitMs, 0)).unref();
  };

  const look = async (): Promise<void> => {
    if (stopping.signal.aborted) return;
    await Promise.all([run("reports", () => dailySalesReport(stopping.signal)), wake()]);
    await wake();
    await run("upkeep", () => upkeep(clock.now()));
  };

  const tick = (): Promise<void> => {
    ticks = ticks.then(look);
    return ticks;
  };

  const heartbeat = createTask(EVERY_MINUTE, tick, {
    timezone: "UTC",
    noOverlap: true,
    suppressMissedWarning: true,
    logger: cronLogger(log),
  });

  return {
    start: () => {
      void heartbeat.start();
      void tick();
    },
    tick,
    wake,
    stop: async () => {
      stopping.abort();
      clearTimeout(retry);
      await heartbeat.destroy();
      await within(STOP_PATIENCE_MS, Promise.all([ticks, delivering]));
    },
  };
};

/** node-cron writes whole errors to the console unless it is given a logger. */
const cronLogger = (log: Logger) => ({
  info: (message: string) => log.debug({ message }, "cron"),
  debug: () => {},
  warn: (message: string) => log.debug({ message }, "cron"),
  error: (message: string | Error, error?: Error) =>
    log.error({ err: error ?? message }, "the heartbeat failed"),
});

const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, ms);
  await Promise.race([work, patience.promise]);
  clearTimeout(timer);
};
