import { createAccountingFiles } from "./accounting-files/accounting-files.service.ts";
import { chargeNotice, chargePost } from "./charges/charge.view.ts";
import { createCharges } from "./charges/charges.service.ts";
import { createCloses } from "./closes/closes.service.ts";
import { createConnecting } from "./accounts/accounts.service.ts";
import { noticeToOther, resumeKeyOf } from "./accounts/account-notices.job.ts";
import { createChosenChannels } from "./accounts/chosen-channel.service.ts";
import { createDefence } from "./defence/defence.service.ts";
import { alertChannelLostNotice, alertMoveNotice } from "./disputes/dispute-alert.view.ts";
import { createDisputeReading } from "./disputes/dispute-reading.service.ts";
import { createDisputeReminders } from "./disputes/dispute-reminders.service.ts";
import { createGoals } from "./goals/goals.service.ts";
import { createKeyOffersService } from "./accounts/key-offers.service.ts";
import { createMembersService } from "./accounts/members.service.ts";
import type { Money } from "./bot-money.ts";
import type { Poster } from "./discord/poster.ts";
import { createProofs } from "./defence/proofs.service.ts";
import { createSaleNotices } from "./sale-notices/sale-notices.service.ts";
import { createReportRoutesService } from "./reports/report-routes.service.ts";
import { saleChannelLostNotice, saleMoveNotice } from "./sale-notices/sale-notice.view.ts";
import { createSalesService, type SalesNeeds } from "./reports/sales.service.ts";
import { createPictureMaker } from "./reports/picture/make-picture.ts";
import { monthOf } from "./reports/sales-period.ts";
import { todayOf } from "./shared/report-day.ts";
import { chartFiles } from "./reports/picture/post-picture.ts";
import { createSalesPeriods } from "./reports/sales-periods.service.ts";
import { keepSalesDays } from "./reports/sales-days.service.ts";
import { isStale } from "./reports/sales-days.ts";
import type { CallsAbout } from "./webhooks/calls.service.ts";
import { createWebhooksService } from "./webhooks/webhooks.service.ts";
import { type Clock, HOUR, MINUTE } from "./shared/time.ts";
import type { Logger } from "./shared/log.ts";
import { createSlidingLimit } from "./shared/sliding-limit.ts";
import type { Stores } from "./stores.ts";
import { createTransactions } from "./transactions/transactions.service.ts";
import { reportMoveNotice } from "./reports/report-route.view.ts";
import { testPost } from "./reports/test-post.view.ts";
import {
  channelLostNotice,
  connectedForYouNotice,
  keyOfferEndNotice,
  keyOfferQuestion,
  removedNotice,
  reportChannelNotice,
} from "./accounts/notices.view.ts";
import { createPrint } from "./print/print.service.ts";
import type { WalletClient } from "./wallet/client.ts";
import type { Random } from "./shared/random.ts";

/** A try sends a typed key, valid or not, to the wallet service. */
const KEY_TRIES_AN_HOUR = 5;

/**
 * Of a person. All posts pause after a number of Discord's refusals, to which a few people could come by pressing
 * _Testar_, in any server or channel.
 */
const FAILED_POSTS = { most: 5, windowMs: 10 * MINUTE };

type ChosenChannelParts = Parameters<typeof createChosenChannels>[0];

export const chosenChannels = (
  parts: Omit<ChosenChannelParts, `${string}Notice`>,
): ReturnType<typeof createChosenChannels> =>
  createChosenChannels({
    ...parts,
    reportChannelNotice,
    reportMoveNotice,
    saleMoveNotice,
    alertMoveNotice,
    channelLostNotice,
    saleChannelLostNotice,
    alertChannelLostNotice,
  });

export const createServices = (parts: {
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  readonly log: Logger;
  readonly random: Random;
  readonly stores: Stores;
  readonly wallet: WalletClient;
  readonly money: Pick<Money, "withdrawals" | "balance" | "guards" | "watchExternal">;
  /** Page on which sellers answer disputes; undefined when it is not set. */
  readonly medAnswerUrl: string | undefined;
  /** Address under which calls arrive; undefined when it is not set. */
  readonly publicUrl: string | undefined;
  /** Which calls are trusted, for each subject. */
  readonly calls: readonly Pick<CallsAbout, "trustedUntil">[];
  /** Sends the deliveries that are due. */
  readonly deliver: () => Promise<void>;
  readonly pause: (ms: number) => Promise<void>;
  /** Looks at the charges that are due, and sets a timer for the next look. */
  readonly followCharges: () => Promise<void>;
  /** Looks at the sales that are due, in the background. */
  readonly lookAtSales: () => void;
  /** Untrusted text; undefined when Discord does not tell the name. */
  readonly guildName: (guildId: string) => Promise<string | undefined>;
  readonly askPresence: Poster["askPresence"];
}) => {
  const { clock, log, stores, money, medAnswerUrl, deliver, guildName } = parts;
  const keeping = { clock, log, days: stores.salesDays };
  const wallet = {
    ...parts.wallet,
    salesReport: keepSalesDays(keeping, parts.wallet.salesReport),
  };
  const accounts: Stores["accounts"] = {
    ...stores.accounts,
    resume: resumeKeyOf(stores.accounts, clock),
  };
  const { hashPixKey } = stores.vault;
  const wake = (): void => void deliver();
  const readReport: SalesNeeds["readReport"] = (key, day) =>
    wallet.salesReport(key, day, "interactive");
  const salesNeeds = { accounts, clock, log, readReport };
  const sales = createSalesService({ ...salesNeeds, days: stores.salesDays });
  const periods = createSalesPeriods({ ...salesNeeds, days: stores.salesDays });
  // Files and closes share the details that a press read.
  const withdrawalReading = { hashPixKey, clock, askedDetails: new Map() };
  const transactions = createTransactions({
    accounts,
    charges: stores.charges,
    clock,
    log,
    wallet,
    monotonicMs: parts.monotonicMs,
    watched: stores.disputeWatch,
    report: sales.report,
  });
  const disputeNeeds = {
    ...accounts,
    clock,
    log,
    wallet,
    watched: stores.disputeWatch,
    products: transactions.products,
  };
  const disputeReading = createDisputeReading(disputeNeeds);
  const disputes = {
    ...disputeReading,
    ...createDisputeReminders({ ...disputeNeeds, open: disputeReading.open }),
  };
  const chosen = chosenChannels({ ...stores, clock, guildName, wake });
  const { connections, check, lossesBy, connectAgreed } = createConnecting({
    ...stores,
    presences: chosen.presences,
    clock,
    readReport,
    askPresence: parts.askPresence,
    connectedForYouNotice,
    sharedNotice: noticeToOther,
    offerEndPayload: keyOfferEndNotice,
    keyTries: createSlidingLimit({
      most: KEY_TRIES_AN_HOUR,
      windowMs: HOUR,
      nowMs: parts.monotonicMs,
    }),
    wake,
    // Records the existing withdrawals, so that only later ones count as external.
    onConnected: (account, apiKey) =>
      void money.watchExternal(account, apiKey).catch((error: unknown) => {
        log.warn({ account: account.id, err: error }, "the first look at withdrawals failed");
      }),
  });
  const failedPosts = createSlidingLimit({ ...FAILED_POSTS, nowMs: parts.monotonicMs });
  return {
    clock,
    /** Page where sellers answer a MED; undefined when the operator set none. */
    medAnswerUrl,
    withdrawals: money.withdrawals,
    balance: money.balance,
    guards: money.guards,
    disputes,
    alertRoutes: chosen.alertRoutes,
    saleNotices: createSaleNotices({
      clock,
      routes: chosen.saleRoutes,
      watches: stores.saleWatches,
      lookSoon: parts.lookAtSales,
    }),
    defence: createDefence({
      open: disputes.open,
      proofs: stores.proofs,
      answerUrl: medAnswerUrl,
    }),
    print: createPrint(log),
    closes: createCloses({ ...stores, ...withdrawalReading, accounts, log, wallet }),
    proofs: createProofs({ ...stores, clock, transactions }),
    webhooks: createWebhooksService({
      ...stores,
      clock,
      random: parts.random,
      hashes: stores.vault.webhook,
      calls: parts.calls,
      publicUrl: parts.publicUrl,
    }),
    transactions,
    charges: createCharges({
      ...stores,
      ...parts,
      failedPosts,
      cardOf: chargePost,
      foundNotice: chargeNotice,
      confirmPresence: connections.confirmPresence,
      wake: () => {
        wake();
        void parts.followCharges();
      },
    }),
    sales: { ...sales, ...periods, picture: chartFiles(createPictureMaker(), log) },
    goals: createGoals({
      ...stores,
      clock,
      keptMonth: async (...asked) =>
        (await stores.salesDays.between(...asked)).filter((day) => !isStale(day)),
      readMonth: (guildId, ownerId) => {
        const now = clock.now();
        return periods.period(guildId, ownerId, monthOf(todayOf(now), now));
      },
    }),
    accountingFiles: createAccountingFiles({
      accounts,
      wallet,
      journal: stores.journal,
      ...withdrawalReading,
      readPeriod: periods.period,
    }),
    accounts: {
      ...connections,
      ...createMembersService({
        ...stores,
        clock,
        askPresence: parts.askPresence,
        guildName,
        wake,
        removedNotice,
        offerEndPayload: keyOfferEndNotice,
        ...connections,
      }),
    },
    keyOffers: createKeyOffersService({
      clock,
      accounts,
      offers: stores.keyOffers,
      check,
      lossesBy,
      connectAgreed,
      confirmPresence: connections.confirmPresence,
      wake,
      question: keyOfferQuestion,
      endPayload: keyOfferEndNotice,
    }),
    reportRoutes: createReportRoutesService({
      ...stores,
      routes: chosen.routes,
      failedPosts,
      clock,
      wake,
      testPost,
      pause: parts.pause,
    }),
  };
};
