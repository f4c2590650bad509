import { createJobs } from "#src/bot-jobs.ts";
import { createBotMoney } from "#src/bot-money.ts";
import type { Poster } from "#src/discord/poster.ts";
import type { Logger } from "#src/shared/log.ts";
import { noMetrics } from "#src/shared/metrics.ts";
import type { Stores } from "#src/stores.ts";
import { bindReads, createAttempt, createReader } from "#src/wallet/read.ts";
import type { Call } from "#src/wallet/http.ts";
import { getDispute, getDisputes, getDisputeSummary } from "#src/wallet/disputes.ts";
import { DEFAULT_LIMITS } from "#src/wallet/limits.ts";
import { createBreaker } from "#src/wallet/breaker.ts";
import { createCalls } from "#src/webhooks/calls.service.ts";
import { createPacer } from "#src/wallet/pacing.ts";
import { getTransactions } from "#src/wallet/transactions.ts";
import { getSalesReport } from "#src/wallet/sales.ts";
import { createSingleFlight } from "#src/wallet/single-flight.ts";
import { GENERAL_PACE, type WalletClient } from "#src/wallet/client.ts";
import { getWithdrawals } from "#src/wallet/withdrawals.ts";
import { minutesOf } from "#src/sandbox/clock.ts";
import type { Dice } from "../dice.ts";
import type { VirtualTime } from "../virtual-time.ts";

export interface BotNeeds {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly stores: Stores;
  readonly call: Call;
  readonly discord: Poster;
  /** Whether the service calls the bot. */
  readonly withCalls?: boolean | undefined;
  readonly onError: (what: unknown) => void;
}

/** The reads of the real client; only the HTTP call is a model. */
const createReads = ({ time, dice, call }: BotNeeds, log: Logger): WalletClient => {
  const { clock, nowMs, after } = time;
  const timers = { now: nowMs, after };
  const limits = DEFAULT_LIMITS;
  const singleFlight = createSingleFlight(limits.sharedReadMs, timers);
  const reader = createReader({
    attempt: createAttempt({ call, clock, random: dice, log }),
    breaker: createBreaker({ timers, leastCalls: limits.breakerCalls }),
    pacer: createPacer(GENERAL_PACE, timers),
    singleFlight,
    limits,
    timers,
    random: dice,
    metrics: noMetrics,
  });
  const read = bindReads(reader);
  const reads: Partial<WalletClient> = {
    salesReport: read(getSalesReport),
    dispute: read(getDispute),
    disputes: read(getDisputes),
    disputeSummary: read(getDisputeSummary),
    withdrawals: read(getWithdrawals),
    transactions: read(getTransactions),
  };
  return reads as WalletClient;
};

export type BotProcess = ReturnType<typeof createBotProcess>;

/** All jobs of one process, wired as in the bot, and its calls from outside. It waits for `start`. */
export const createBotProcess = (needs: BotNeeds) => {
  const { time, dice, stores, discord } = needs;
  const log: Logger = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (what: unknown) => {
      needs.onError(what);
    },
  };
  const wallet = createReads(needs, log);
  const common = { clock: time.clock, random: dice, log, stores, wallet };
  const money = createBotMoney({
    ...common,
    monotonicMs: time.nowMs,
    live: { edit: async () => false },
    withdrawEnabled: false,
    refundEnabled: false,
    wake: () => void jobs.wake(),
  });
  const calls = createCalls({
    clock: time.clock,
    timers: { now: time.nowMs, after: time.after },
    random: dice,
    log,
    metrics: noMetrics,
    webhooks: stores.webhooks,
    hashes: stores.vault.webhook,
  });
  const jobs = createJobs({
    ...common,
    everyMinute: minutesOf(time.clock),
    metrics: noMetrics,
    poster: discord,
    live: { edit: async () => false, moved: async () => {} },
    money,
    medAnswerUrl: undefined,
    stillAlive: async () => {},
    calls: needs.withCalls === true ? calls : undefined,
  });
  calls.open(jobs.lookNow, jobs.lookSoon);
  const stop = async (): Promise<void> => {
    calls.stop();
    await jobs.stop();
  };
  return { ...jobs, stop, receive: calls.receive };
};
