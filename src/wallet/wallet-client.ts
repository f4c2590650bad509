import type { Dispute, DisputeSummary } from "../domain/dispute.ts";
import type { SalesReport } from "../domain/sales.ts";
import type { Transaction } from "../domain/transaction.ts";
import type {
  SplitWithdrawRequest,
  SplitWithdrawResult,
  Withdrawal,
} from "../domain/withdrawal.ts";
import type { Logger } from "../shared/log.ts";
import type { Metrics } from "../shared/metrics.ts";
import type { Random } from "../shared/random.ts";
import { createMoneyAgent, createReadsAgent } from "./agents.ts";
import { createAttempt } from "./attempt.ts";
import { getDispute, getDisputeSummary } from "./dispute.ts";
import type { Lane } from "../domain/lane.ts";
import { DEFAULT_LIMITS, type WalletLimits } from "./limits.ts";
import { createMoneySender } from "./money-sender.ts";
import { createPacer } from "./pacing.ts";
import { createReader } from "./reader.ts";
import { getSalesReport } from "./sales.ts";
import { createSingleFlight } from "./single-flight.ts";
import { splitWithdrawal } from "./split-withdraw.ts";
import { systemTimers } from "./timers.ts";
import { getTransaction } from "./transaction.ts";
import type { WalletKey } from "./wallet-key.ts";
import { getWithdrawal } from "./withdrawal.ts";

/** The six documented operations of `/v1`. Every failure is a `WalletError`. */
export interface WalletClient {
  readonly salesReport: (
    key: WalletKey,
    day: Temporal.PlainDate,
    lane: Lane,
  ) => Promise<SalesReport>;
  readonly transaction: (key: WalletKey, txid: string, lane: Lane) => Promise<Transaction>;
  readonly withdrawal: (key: WalletKey, txid: string, lane: Lane) => Promise<Withdrawal>;
  readonly dispute: (key: WalletKey, infractionId: string, lane: Lane) => Promise<Dispute>;
  readonly disputeSummary: (key: WalletKey, lane: Lane) => Promise<DisputeSummary>;
  /** Moves money: sent once, whatever happens. */
  readonly splitWithdraw: (
    key: WalletKey,
    request: SplitWithdrawRequest,
  ) => Promise<SplitWithdrawResult>;
  /** Turns waiting calls away, lets running ones end (their deadlines bound it), closes the connections. */
  readonly close: () => Promise<void>;
}

export interface WalletClientOptions {
  /** Base address of the service, without `/v1`; the only host that is ever called. */
  readonly baseUrl: string;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly limits?: Partial<WalletLimits>;
}

/** Below the documented 60 a minute: other programs may use the same key, and clocks differ. */
const GENERAL_PACE = { perMinute: 50, burst: 8, backgroundHeadroom: 4 };
/** Below the documented 3 a minute; without a burst, so that no minute sees a fourth. */
const WITHDRAWAL_PACE = { perMinute: 2, burst: 1, backgroundHeadroom: 0 };

/** A client of the wallet service. Source: service.md; settings from reliability notes 6.2 and 9. */
export const createWalletClient = (options: WalletClientOptions): WalletClient => {
  const { baseUrl, random, log, metrics } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const timers = systemTimers;
  const reads = createReadsAgent(limits);
  const money = createMoneyAgent(limits);
  const pacer = createPacer(GENERAL_PACE, timers);
  const withdrawalPacer = createPacer(WITHDRAWAL_PACE, timers);
  const singleFlight = createSingleFlight(limits.sharedReadMs, timers);
  const attemptRead = createAttempt({ dispatcher: reads, baseUrl, random, log });
  const attemptMoney = createAttempt({ dispatcher: money, baseUrl, random, log });
  const reader = createReader({
    attempt: attemptRead,
    pacer,
    singleFlight,
    limits,
    timers,
    random,
    metrics,
  });
  const pacers = [pacer, withdrawalPacer];
  const sendMoney = createMoneySender({ attempt: attemptMoney, pacers, limits, timers, metrics });

  let closing: Promise<void> | undefined;
  const close = async () => {
    pacer.close();
    withdrawalPacer.close();
    singleFlight.close();
    await Promise.all([reads.close(), money.close()]);
  };

  return {
    salesReport: (key, day, lane) => getSalesReport(reader(key, lane), day),
    transaction: (key, txid, lane) => getTransaction(reader(key, lane), txid),
    withdrawal: (key, txid, lane) => getWithdrawal(reader(key, lane), txid),
    dispute: (key, infractionId, lane) => getDispute(reader(key, lane), infractionId),
    disputeSummary: (key, lane) => getDisputeSummary(reader(key, lane)),
    splitWithdraw: async (key, request) => {
      const { value, requestId } = await sendMoney(splitWithdrawal(request), key);
      return { ...value, requestId };
    },
    close: () => (closing ??= close()),
  };
};
