import type { Account } from "./accounts/account.ts";
import type { AccountWithKey } from "./accounts/account-connections.store.ts";
import { hoursComing } from "./reports/report-schedule.ts";
import { walletKeyOf } from "./accounts/wallet-key.ts";
import { chargeSettlement, withPayableCharge } from "./charges/charge-cards.job.ts";
import { createFollowCharges, showCharge } from "./charges/charges.job.ts";
import { chargeIdOf, chargeLiveState } from "./charges/charge.ts";
import { opIdOf } from "./withdrawals/withdraw-buttons.view.ts";
import type { Reply } from "./ui/reply.ts";
import {
  createPresencePrefetch,
  createMemberLookup,
  withPresence,
} from "./accounts/presence.job.ts";
import {
  createDailySalesReport,
  reportSettlement,
  withReportRoute,
} from "./reports/daily-sales-report.job.ts";
import { chosenChannels } from "./bot-services.ts";
import { closeSettlement, createClosesJob } from "./closes/closes.job.ts";
import type { DeliveryKind } from "./delivery/delivery-policies.ts";
import { createDeliver, type SettlementHooks } from "./delivery/deliver.job.ts";
import { withLostChannel } from "./delivery/lost-channel.job.ts";
import { createReplacePosts, type ReplacedBody } from "./delivery/replaced-posts.job.ts";
import {
  alertSettlement,
  createReplacedAlert,
  createRevalidateAlert,
} from "./disputes/revalidate-alert.job.ts";
import { createDisputeWatch } from "./disputes/dispute-watch.job.ts";
import {
  createExternalWatch,
  createFollowWithdrawals,
  createReplacedNotice,
  createWithdrawalLook,
} from "./withdrawals/withdrawal-watch.job.ts";
import {
  createKeyTries,
  expireKeyOffers,
  offerSettlement,
} from "./accounts/account-notices.job.ts";
import { createSaleWatch, saleSettlement } from "./sale-notices/sale-watch.job.ts";
import { MISSED_MS, spreadLook } from "./sale-notices/sale-watch.ts";
import {
  createScheduler,
  type EveryMinute,
  type Job,
  type Scheduler,
} from "./scheduler/scheduler.job.ts";
import { collectAll, createIdleMemory, createSmallHeap } from "./scheduler/idle-memory.job.ts";
import { createUpkeep } from "./scheduler/upkeep.job.ts";
import type { Calls, LookNow, LookSoon } from "./webhooks/calls.service.ts";
import { type Poster, rememberedNames } from "./discord/poster.ts";
import type { LiveReplies } from "./discord/live-replies.ts";
import type { Money } from "./bot-money.ts";
import { keepSalesDays } from "./reports/sales-days.service.ts";
import { createSalesHistory } from "./reports/sales-history.job.ts";
import { createServiceClock, DAYS_KEPT } from "./reports/sales-days.ts";
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
    Parameters<typeof chargeSettlement>[0] &
    Parameters<typeof offerSettlement>[0] &
    Parameters<typeof saleSettlement>[0],
): Readonly<Record<DeliveryKind, SettlementHooks | undefined>> => ({
  sales_report: reportSettlement(needs),
  close: closeSettlement(needs),
  dispute_alert: alertSettlement(needs),
  notice: offerSettlement(needs),
  charge: chargeSettlement(needs),
  sale_notice: saleSettlement(needs),
  test: undefined,
});

/** The routes of which messages tell that their channel is lost. */
export const lostRoutes = ({
  routes,
  alertRoutes,
  saleRoutes,
}: Pick<Stores, "alertRoutes" | "routes" | "saleRoutes">) => ({
  channel_lost: routes,
  alert_channel_lost: alertRoutes,
  sale_channel_lost: saleRoutes,
});

/** The bodies of replaced posts by their kind; undefined: no newer post replaces one of this kind. */
export const replacedBodies = ({
  accounts,
  alertRoutes: routes,
  journal,
}: Pick<Stores, "accounts" | "alertRoutes" | "journal">): ReplacedBody => {
  const bodies: Readonly<Record<DeliveryKind, ReplacedBody | undefined>> = {
    sales_report: undefined,
    close: undefined,
    dispute_alert: createReplacedAlert({ accounts, routes }),
    notice: createReplacedNotice(journal),
    charge: undefined,
    sale_notice: undefined,
    test: undefined,
  };
  return async (post) => await bodies[post.kind]?.(post);
};

/** The stored state of a live reply's subject, by its name: of a withdrawal, or of a charge. */
export const liveStateOf =
  ({ journal, charges }: Pick<Stores, "journal" | "charges">) =>
  async (name: string): Promise<string | undefined> => {
    const chargeId = chargeIdOf(name);
    if (chargeId === undefined) return (await journal.find(opIdOf(name)))?.state;
    const charge = await charges.find(chargeId);
    return charge && chargeLiveState(charge);
  };

/** Edits the private replies of this process that another process has outdated. */
const createShowMoved =
  (
    { journal, charges }: Pick<Stores, "journal" | "charges">,
    money: Pick<Money, "showAgain">,
    moved: LiveReplies["moved"],
    show: (name: string, reply: Reply) => Promise<boolean>,
  ) =>
  (): Promise<void> =>
    moved(async (name) => {
      const chargeId = chargeIdOf(name);
      if (chargeId === undefined) {
        const op = await journal.find(opIdOf(name));
        if (op !== undefined) await money.showAgain(op);
      } else {
        const charge = await charges.find(chargeId);
        if (charge !== undefined) await showCharge(show, charge);
      }
    });

/** Deletes old data of these stores. */
export const upkeepOf = (stores: Stores) =>
  createUpkeep({
    purgeDeliveries: stores.outbox.purge,
    purgeInteractions: stores.interactions.purgeInteractions,
    purgeAudit: stores.purgeAudit,
    purgeSalesDays: (now, stopping) =>
      stores.salesDays.purge(openReportDay(now).subtract({ days: DAYS_KEPT }), stopping),
    purgeEndedWithdrawals: stores.journal.purgeEnded,
    purgeCharges: stores.charges.purge,
    purgePendingProofs: stores.proofs.purgePending,
    expireKeyOffers: (now) => expireKeyOffers(stores, now),
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
  readonly live: Pick<LiveReplies, "edit" | "moved">;
  readonly money: Pick<Money, "sweep" | "checkDue" | "watchExternal" | "showAgain">;
  readonly medAnswerUrl: string | undefined;
  /** Part of Discord's limits that this process uses; 1 where it is the only one. */
  readonly share?: number;
  /** Place of this process's shards among all, from 0 to less than 1; 0 where it is the only one. */
  readonly place?: number;
  /** Which turns of work that the processes share are this one's; all where it is the only one. */
  readonly isOwnTurn?: (turn: number) => boolean;
  /** Undefined where no calls arrive. */
  readonly calls?: Pick<Calls, "about" | "refresh"> | undefined;
  /** Learns of each failure of a job. */
  readonly onFailure?: (error: unknown) => void;
  /** Writes the heartbeat by which other processes see that this one uses the database. */
  readonly stillAlive: () => Promise<void>;
  /** Releases memory of the database that it can read again. */
  readonly releaseMemory?: () => Promise<void>;
  /** Begins the thread that draws for posts; undefined where none are drawn. */
  readonly beginPictures?: () => void;
}) => {
  const { clock, random, log, metrics, stores, wallet, poster, money, stillAlive, medAnswerUrl } =
    parts;
  const { calls, share, place, isOwnTurn } = parts;
  const {
    accounts,
    charges,
    outbox,
    routes,
    ledger,
    salesDays,
    alertRoutes,
    disputeWatch,
    saleRoutes,
    saleWatches,
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
    calls: calls?.about("disputes"),
    onOwed,
  };
  const guildName = rememberedNames(poster.guildName, clock);
  const lookUpMember = createMemberLookup({
    ...poster,
    clock,
    accounts,
    routes,
    presences: chosenChannels({ ...stores, clock, guildName, wake: onOwed }).presences,
    saleRoutes,
    onOwed,
  });
  const deliver = createDeliver({
    clock,
    log,
    metrics,
    outbox,
    owner: newProcessName(random),
    posting: poster,
    hooks: settlementHooks({ ...stores, clock }),
    revalidate: withPresence(
      { ...stores, clock, log, handOver: saleRoutes.handOver },
      lookUpMember,
      withReportRoute(
        { log, routes },
        withLostChannel(
          { log, routes: lostRoutes(stores) },
          withPayableCharge({ clock, log, charges }, createRevalidateAlert(disputes)),
        ),
      ),
    ),
  });
  const salesReport = keepSalesDays({ clock, log, days: salesDays }, wallet.salesReport);
  const serviceClock = createServiceClock(clock);
  const readWithKey = async ({ account, apiKey }: AccountWithKey, day: Temporal.PlainDate) => {
    const report = await salesReport(walletKeyOf(account, apiKey), day, "background");
    serviceClock.note(report);
    return report;
  };
  const readReport = async (account: Account, day: Temporal.PlainDate) => {
    const apiKey = await accounts.apiKey(account.id);
    if (apiKey === undefined) throw new UserError({ kind: "not_connected" });
    return await readWithKey({ account, apiKey }, day);
  };
  const dailySalesReport = createDailySalesReport({
    clock,
    log,
    ledger,
    accounts,
    days: salesDays,
    goals: stores.goals,
    guildName,
    readReport: readWithKey,
    onReading: () => parts.beginPictures?.(),
    onOwed,
  });
  const watchExternal = createExternalWatch({
    clock,
    log,
    ...accounts,
    watch: money.watchExternal,
    isOwnTurn,
  });
  const sales = createSaleWatch({
    clock,
    log,
    accounts,
    watches: saleWatches,
    routes: saleRoutes,
    salesDays,
    wallet,
    hashTxid: stores.vault.hashTxid,
    calls: calls?.about("sales"),
    onOwed,
  });
  const tidy = upkeepOf(stores);
  const disputeWatchJob = createDisputeWatch(disputes);
  const followWithdrawals = createFollowWithdrawals({ log, money });
  const inSmallHeap = createSmallHeap();
  const showReply = (name: string, reply: Reply) => parts.live.edit(name, () => reply);
  const jobs = {
    withdrawals: { overlaps: true, run: followWithdrawals },
    charges: {
      overlaps: true,
      run: createFollowCharges({
        clock,
        log,
        charges,
        accounts,
        wallet,
        outbox,
        show: showReply,
        edit: poster.edit,
        onOwed,
      }),
    },
    moved_replies: { run: createShowMoved(stores, money, parts.live.moved, showReply) },
    // Reminders read only the database, so that they go out while the wallet service hangs.
    reminders: { overlaps: true, run: disputeWatchJob.remind },
    disputes: { overlaps: true, run: disputeWatchJob.poll },
    replaced_posts: {
      run: createReplacePosts({
        clock,
        log,
        posts: stores.replacedPosts,
        bodyOf: replacedBodies(stores),
        edit: poster.edit,
        openDirectMessage: poster.openDirectMessage,
      }),
    },
    sales: { overlaps: true, run: sales.look },
    reports: { run: inSmallHeap(dailySalesReport) },
    closes: {
      run: inSmallHeap(
        createClosesJob({ clock, serviceClock, log, closes: stores.closes, salesDays, onOwed }),
      ),
    },
    presence: {
      run: createPresencePrefetch({
        clock,
        log,
        ledger,
        hoursComing,
        lookUpMember,
        guildName,
        share,
        place,
      }),
    },
    sales_history: { run: createSalesHistory({ clock, log, days: salesDays, readReport }) },
    external_withdrawals: { run: watchExternal },
    refused_keys: { run: createKeyTries({ ...disputes, routes, isOwnTurn }) },
    idle_memory: { run: createIdleMemory({ clock, collect: collectAll(parts.releaseMemory) }) },
    // The deletion of old data may take minutes, in which other starts would take this process for gone.
    sign_of_life: {
      run: async () => {
        await stillAlive();
        await calls?.refresh();
      },
    },
    upkeep: { run: (stopping) => tidy(clock.now(), stopping) },
  } as const satisfies Readonly<Record<string, Job>>;
  const scheduler: Scheduler<keyof typeof jobs> = createScheduler({
    clock,
    log,
    everyMinute: parts.everyMinute,
    deliver,
    onFailure: parts.onFailure,
    jobs,
  });
  // No look awaits a job, which also works for other accounts.
  const lookNow: LookNow = {
    disputes: async (accountFp) => {
      if (await disputeWatchJob.makeDue(accountFp)) scheduler.runSoon("disputes");
    },
    sales: async (accountFp) => {
      if (await sales.makeDue(accountFp)) void scheduler.run("sales");
    },
    withdrawals: createWithdrawalLook({
      ...accounts,
      clock,
      journal: stores.journal,
      follow: () => scheduler.runSoon("withdrawals"),
      watch: money.watchExternal,
    }),
    charges: async (accountFp) => {
      const connections = await accounts.connectionsOf(accountFp);
      const ids = connections.map(({ id }) => id);
      await charges.makeDue(ids, clock.now());
      scheduler.runSoon("charges");
    },
  };
  const within = (accountFp: string) => spreadLook(accountFp, MISSED_MS, clock.now());
  const lookSoon: LookSoon = {
    disputes: (accountFp) => disputeWatchJob.makeDue(accountFp, within(accountFp)),
    sales: (accountFp) => stores.saleWatches.bringForward(accountFp, within(accountFp)),
  };
  return { ...scheduler, lookNow, lookSoon, guildName };
};
