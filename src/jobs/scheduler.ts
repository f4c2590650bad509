import type { Clock } from "../shared/clock.ts";
import { MINUTE, SECOND } from "../shared/duration.ts";
import type { Logger } from "../shared/log.ts";
import { createBell } from "./bell.ts";
import type { DailySalesReport } from "./daily-sales-report.ts";
import type { Deliver } from "./deliver.ts";
import { createHeartbeat } from "./heartbeat.ts";
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

const RETRY_MOMENT_MS = 100;
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
  let unfinished = 0;
  let wokenAgain = false;
  const news = createBell();
  const retries = new Map<number, NodeJS.Timeout>();

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
      await run("deliveries", () => deliver({ stopping: stopping.signal, news, retryAt }));
    }
    delivering = undefined;
  };

  const wake = async (): Promise<void> => {
    wokenAgain = true;
    news.ring();
    delivering ??= deliverAll();
    await delivering;
  };

  /** Retries within the minute come between two beats, those of the same moment together. */
  const retryAt = (instant: Temporal.Instant): void => {
    const nowMs = clock.now().epochMilliseconds;
    const moment = Math.ceil(instant.epochMilliseconds / RETRY_MOMENT_MS);
    const waitMs = Math.max(moment * RETRY_MOMENT_MS - nowMs, 0);
    if (stopping.signal.aborted || waitMs >= MINUTE || retries.has(moment)) return;
    const retry = (): void => {
      retries.delete(moment);
      void wake();
    };
    retries.set(moment, setTimeout(retry, waitMs).unref());
  };

  const look = async (): Promise<void> => {
    if (stopping.signal.aborted) return;
    await Promise.all([run("reports", () => dailySalesReport(stopping.signal)), wake()]);
    await wake();
    await run("upkeep", () => upkeep(clock.now()));
  };

  const tick = (): Promise<void> => {
    unfinished++;
    ticks = ticks.then(look).finally(() => unfinished--);
    return ticks;
  };

  /** While the wallet service hangs, a look takes long: deliveries do not wait for it, and no looks pile up behind it. */
  const beat = async (): Promise<void> => {
    void wake();
    if (unfinished === 0) void tick();
  };

  const heartbeat = createHeartbeat(clock, beat);

  return {
    start: () => {
      heartbeat.start();
      void tick();
    },
    tick,
    wake,
    stop: async () => {
      stopping.abort();
      for (const retry of retries.values()) clearTimeout(retry);
      heartbeat.stop();
      await within(STOP_PATIENCE_MS, Promise.all([ticks, delivering]));
    },
  };
};

const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, ms);
  await Promise.race([work, patience.promise]);
  clearTimeout(timer);
};
