import type { MoneyAnswer } from "../withdrawals/withdrawal.ts";
import type { WalletKey } from "../accounts/wallet-key.ts";
import { type Clock, SECOND } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import type { Metrics } from "../shared/metrics.ts";
import type { Random } from "../shared/random.ts";
import { createCall, createMoneyAgent, createNameLookup, createReadsAgent } from "./http.ts";
import { bindReads, createAttempt, createReader } from "./read.ts";
import type { MoneyOperation } from "./operation.ts";
import { getBalance, getWithdrawal, getWithdrawals } from "./withdrawals.ts";
import { charge, getChargeStatus } from "./charges.ts";
import { createBreaker } from "./breaker.ts";
import {
  checkPixKey,
  refundPayment,
  splitWithdrawal,
  withdrawal,
  withdrawalCancellation,
} from "./withdraw.ts";
import { getDispute, getDisputes, getDisputeSummary } from "./disputes.ts";
import { DEFAULT_LIMITS, type WalletLimits } from "./limits.ts";
import { createMoneySender } from "./send-money.ts";
import { createPacer } from "./pacing.ts";
import { getSalesReport } from "./sales.ts";
import { getTransaction, getTransactions } from "./transactions.ts";
import { createSingleFlight } from "./single-flight.ts";
import { systemTimers, type Timers, waitBy } from "./timers.ts";

export type WalletClient = ReturnType<typeof createWalletClient>;

interface WalletClientOptions {
  /** Base address of the service, without `/v1`; the only host that is ever called. */
  readonly baseUrl: string;
  /** The clock that the `Date` header of answers is compared with. */
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly limits?: Partial<WalletLimits>;
  /** Time of deadlines and waits: real by default. Connection timeouts always run in real time. */
  readonly timers?: Timers | undefined;
  /** Time of pacing, of the breaker and of shared answers: `timers` by default. */
  readonly paceTimers?: Timers | undefined;
}

/** Below the documented 60 a minute: other programs may use the same key, and clocks differ. */
export const GENERAL_PACE = { perMinute: 50, burst: 8, backgroundHeadroom: 4 };
/** A burst of two allows a withdrawal and its cancellation; spacing by 31 s allows three in any minute. */
const WITHDRAWAL_PACE = { perMinute: 60 / 31, burst: 2, backgroundHeadroom: 0 };

/** Disputes are read just before a refund: a wait between the two would make them old. */
const LONGEST_REFUND_WAIT_MS = 2 * SECOND;

/**
 * The operations of `/v1` that the bot uses. Reads reject with a `WalletError`. Those that move money or create a charge
 * never reject: each is sent at most once, and its answer says how it ended. Source: service.md; settings from
 * decisions 3 and 4.
 */
export const createWalletClient = (options: WalletClientOptions) => {
  const { baseUrl, clock, random, log, metrics } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const timers = options.timers ?? systemTimers;
  const lookup = createNameLookup();
  const reads = createReadsAgent(limits, lookup);
  const money = createMoneyAgent(limits, lookup);
  const paceTimers = options.paceTimers ?? timers;
  const pacer = createPacer(GENERAL_PACE, paceTimers);
  const withdrawalPacer = createPacer(WITHDRAWAL_PACE, paceTimers);
  const singleFlight = createSingleFlight(limits.sharedReadMs, paceTimers);
  const breaker = createBreaker({
    timers: paceTimers,
    leastCalls: limits.breakerCalls,
    onChange: (open) =>
      log.warn(
        open
          ? "the wallet service does not answer: reads fail at once"
          : "the wallet service answers again",
      ),
  });
  const attempt = createAttempt({ call: createCall(reads, baseUrl, timers), clock, random, log });
  const shared = { breaker, limits, timers, random, metrics };
  const reader = createReader({ ...shared, attempt, pacer, singleFlight });
  const sending = { ...shared, call: createCall(money, baseUrl, timers), clock, log };
  const moneyPacers = [pacer, withdrawalPacer];
  const sendMoney = createMoneySender({ ...sending, pacers: moneyPacers });
  const { longestWaitMs } = limits;
  const refundWaitMs = Math.min(longestWaitMs.money, LONGEST_REFUND_WAIT_MS);
  const sendRefund = createMoneySender({
    ...sending,
    pacers: moneyPacers,
    limits: { ...limits, longestWaitMs: { ...longestWaitMs, money: refundWaitMs } },
  });
  const sendCharge = createMoneySender({ ...sending, pacers: [pacer] });

  const read = bindReads(reader);
  const moveBy =
    (send: typeof sendMoney) =>
    <Given extends unknown[], Accepted>(describe: (...given: Given) => MoneyOperation<Accepted>) =>
    (key: WalletKey, ...given: Given): Promise<MoneyAnswer<Accepted>> =>
      send(describe(...given), key);
  const move = moveBy(sendMoney);

  let closing: Promise<void> | undefined;
  const close = async () => {
    pacer.close();
    withdrawalPacer.close();
    singleFlight.close();
    await Promise.all([reads.close(), money.close()]);
  };

  return {
    salesReport: read(getSalesReport),
    transaction: read(getTransaction),
    transactions: read(getTransactions),
    withdrawal: read(getWithdrawal),
    dispute: read(getDispute),
    disputes: read(getDisputes),
    disputeSummary: read(getDisputeSummary),
    balance: read(getBalance),
    withdrawals: read(getWithdrawals),
    checkPixKey: read(checkPixKey),
    chargeStatus: read(getChargeStatus),
    createCharge: moveBy(sendCharge)(charge),
    withdraw: move(withdrawal),
    splitWithdraw: move(splitWithdrawal),
    cancelWithdrawal: move(withdrawalCancellation),
    refund: moveBy(sendRefund)(refundPayment),
    /**
     * Waits until a refund could go out at once, and takes no turn. What is read between this and the refund is as new
     * as the pacing allows: the refund itself waits for no turn longer than `LONGEST_REFUND_WAIT_MS`.
     */
    refundTurn: async ({ fingerprint }: WalletKey): Promise<void> => {
      const waitMs = Math.max(...moneyPacers.map((each) => each.waitMs(fingerprint, "money")));
      // A longer wait is refused when the refund is sent.
      if (waitMs > 0 && waitMs <= longestWaitMs.money) await waitBy(paceTimers, waitMs);
    },
    /** Rejects waiting calls, lets running calls end within their deadlines, and closes the connections. */
    close: (): Promise<void> => (closing ??= close()),
  } as const;
};
