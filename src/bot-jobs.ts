import type { Account } from "./accounts/account.ts";
import type { SalesReport } from "./reports/sales.ts";
import { hoursComing } from "./reports/report-schedule.ts";
import { walletKeyOf } from "./accounts/wallet-key.ts";
import {
  createPresencePrefetch,
  createMemberLookup,
  withPresence,
} from "./accounts/presence.job.ts";
import { createDailySalesReport, reportSettlement } from "./reports/daily-sales-report.job.ts";
import { createDeliver, type DeliverNeeds } from "./delivery/deliver.job.ts";
import { alertSettlement, createRevalidateAlert } from "./disputes/revalidate-alert.job.ts";
import { createDisputeWatch } from "./disputes/dispute-watch.job.ts";
import {
  createExternalWatch,
  createFollowWithdrawals,
} from "./withdrawals/withdrawal-watch.job.ts";
import { expireKeyOffers, offerSettlement } from "./accounts/account-notices.job.ts";
import { createScheduler, type EveryMinute, type Scheduler } from "./scheduler/scheduler.job.ts";
import { createLearnWallets } from "./accounts/learn-wallets.job.ts";
import { createUpkeep } from "./scheduler/upkeep.job.ts";
import type { Poster } from "./discord/poster.ts";
import type { Money } from "./bot-money.ts";
import { createWalletLearning } from "./reports/sales.service.ts";
import { keepSalesDays } from "./reports/sales-days.service.ts";
import { createSalesHistory } from "./reports/sales-history.job.ts";
import { DAYS_KEPT } from "./reports/sales-days.ts";
import { openReportDay } from "./shared/report-day.ts";
import type { Clock } from "./shared/time.ts";
import { UserError } from "./shared/errors.ts";
import type { Logger } from "./shared/log.ts";
import type { Metrics } from "./shared/metrics.ts";
import { newProcessName, type Random } from "./shared/random.ts";
import type { Stores } from "./stores.ts";
import type { WalletClient } from "./wallet/client.ts";

/** The follow-up work of each kind of delivery. */
export const settlementHooks = (
  needs: Parameters<typeof reportSettlement>[0] &
    Parameters<typeof alertSettlement>[0] &
    Parameters<typeof offerSettlement>[0],
): DeliverNeeds["hooks"] => ({
  sales_report: reportSettlement(needs),
  dispute_alert: alertSettlement(needs),
  notice: offerSettlement(needs),
});

export const createJobs = (parts: {
  readonly clock: Clock;
  readonly everyMinute: EveryMinute;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly stores: Stores;
  readonly wallet: WalletClient;
  readonly poster: Poster;
  readonly money: Pick<Money, "sweep" | "checkDue" | "watchExternal">;
  readonly medAnswerUrl: string | undefined;
  /** Writes the heartbeat by which other processes see that this one uses the database. */
  readonly stillAlive: () => Promise<void>;
}): Scheduler => {
  const { clock, random, log, metrics, stores, wallet, poster, money, stillAlive, medAnswerUrl } =
    parts;
  const {
    accounts,
    outbox,
    routes,
    ledger,
    salesDays,
    interactions,
    alertRoutes,
    disputeWatch,
    keyOffers,
    presences,
  } = stores;
  const onOwed = (): void => void scheduler.wake();
  const disputes = {
    clock,
    log,
    accounts,
    wallet,
    watch: disputeWatch,
    routes: alertRoutes,
    answerUrl: medAnswerUrl,
    onOwed,
  };
  const lookUpMember = createMemberLookup({ ...poster, clock, routes, presences, onOwed });
  const deliver = createDeliver({
    clock,
    log,
    metrics,
    outbox,
    owner: newProcessName(random),
    posting: poster,
    hooks: settlementHooks({ clock, accounts, outbox, routes, alertRoutes, keyOffers }),
    revalidate: withPresence(
      { clock, log, accounts },
      lookUpMember,
      createRevalidateAlert(disputes),
    ),
  });
  const learn = createWalletLearning({ clock, log, learn: accounts.learn });
  const salesReport = keepSalesDays({ clock, log, days: salesDays }, wallet.salesReport);
  const readReport = async (account: Account, day: Temporal.PlainDate): Promise<SalesReport> => {
    const apiKey = await accounts.apiKey(account.id);
    if (apiKey === undefined) throw new UserError({ kind: "not_connected" });
    return await salesReport(walletKeyOf(account, apiKey), day, "background");
  };
  const dailySalesReport = createDailySalesReport({
    clock,
    log,
    ledger,
    accounts,
    corrections: salesDays.corrections,
    readReport: async (account, day) => {
      const report = await readReport(account, day);
      await learn(account, report);
      await salesDays.want(account.accountFp, clock.now(), false);
      return report;
    },
    onOwed,
  });
  const learnWallets = createLearnWallets({
    clock,
    log,
    unlearnt: accounts.unlearnt,
    readReport,
    learn,
  });
  const tidy = createUpkeep({
    purgeDeliveries: outbox.purge,
    purgeInteractions: interactions.purgeInteractions,
    purgeAudit: stores.purgeAudit,
    purgeSalesDays: (now) => salesDays.purge(openReportDay(now).subtract({ days: DAYS_KEPT })),
    purgeEndedWithdrawals: stores.journal.purgeEnded,
    purgePendingProofs: stores.proofs.purgePending,
    expireKeyOffers: (now) => expireKeyOffers(keyOffers, now),
  });
  const watchExternal = createExternalWatch({
    clock,
    log,
    ...accounts,
    watch: money.watchExternal,
  });
  const scheduler: Scheduler = createScheduler({
    clock,
    log,
    everyMinute: parts.everyMinute,
    dailySalesReport,
    prefetchPresence: createPresencePrefetch({
      clock,
      log,
      ledger,
      hoursComing,
      lookUpMember,
    }),
    deliver,
    followWithdrawals: createFollowWithdrawals({ log, money }),
    learnWallets,
    readSalesHistory: createSalesHistory({ clock, log, days: salesDays, readReport }),
    watchExternal,
    watchDisputes: createDisputeWatch(disputes),
    upkeep: async (now) => {
      await stillAlive();
      await tidy(now);
    },
  });
  return scheduler;
};
