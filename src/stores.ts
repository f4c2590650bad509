import {
  chargesStore,
  deleteChargesOf,
  handOverCharges,
  leaveCharges,
} from "./charges/charges.store.ts";
import type { Random } from "./shared/random.ts";
import type { Secret } from "./shared/secret.ts";
import { type ConnectionHooks, createAccountsStore } from "./accounts/accounts.store.ts";
import { alertRoutes } from "./disputes/alert-routes.store.ts";
import { purgeAudit } from "./database/audit.ts";
import type { OpenDatabase } from "./database/database.ts";
import { deleteWatch, handOverAlerts, startWatch } from "./disputes/dispute-connections.store.ts";
import { disputeWatch } from "./disputes/dispute-watch.store.ts";
import {
  deleteExternalBaseline,
  deleteSplitBalances,
  externalWithdrawals,
  openListings,
  splitBalances,
} from "./withdrawals/wallet-observations.store.ts";
import { goalsStore } from "./goals/goals.store.ts";
import { guardsStore } from "./money-guards/money-guards.store.ts";
import { identifyBudget, interactionsStore } from "./discord/gateway-records.store.ts";
import { keyOffers } from "./accounts/key-offers.store.ts";
import { keyAcceptedNotice, keyRefusedNotice } from "./accounts/notices.view.ts";
import { outboxStore } from "./delivery/outbox.store.ts";
import {
  handOverDirectReports,
  handOverKeyNotice,
  leaveDailyReports,
} from "./delivery/outbox-cancel.store.ts";
import { replacedPosts } from "./delivery/outbox-replace.store.ts";
import { deletePixKeysOf, pixKeyBook } from "./withdrawals/pix-key-book.store.ts";
import { presences } from "./accounts/presences.store.ts";
import { deleteProofsOf, proofsStore } from "./defence/proofs.store.ts";
import { carryOverProgress, reportLedger } from "./reports/report-ledger.store.ts";
import { reportRoutesStore } from "./reports/report-routes.store.ts";
import { deleteUnconnectedWebhooks, webhookStore } from "./webhooks/webhooks.store.ts";
import {
  carryOverSaleChoice,
  syncWatches,
  handOverSaleNotices,
} from "./sale-notices/sale-connections.store.ts";
import { saleRoutes } from "./sale-notices/sale-routes.store.ts";
import { saleWatches } from "./sale-notices/sale-watch.store.ts";
import { deleteSalesDays, salesDays } from "./reports/sales-days.store.ts";
import { wantComparedDays, wantUnreadDays } from "./reports/sales-history.store.ts";
import { carryOverCloses, deleteCloses, shareCloses } from "./closes/direct-closes.store.ts";
import { closesStore, withdrawFromCloses } from "./closes/closes.store.ts";
import { restoreHolds } from "./withdrawals/restore/restore-holds.store.ts";
import type { Database } from "./schema.ts";
import { parseKeyRing } from "./database/encryption.ts";
import { openVault, type Vault } from "./database/vault.ts";
import { createGroupCommit } from "./database/group-commit.ts";
import {
  eraseNeedlessKeysOf,
  handOverOperations,
  leftUnfinished,
  withdrawJournal,
} from "./withdrawals/withdraw-journal.store.ts";

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** The rows of each capability that follow the connections of accounts. */
const connectionHooks: ConnectionHooks = {
  leftUnfinished,
  watchStarted: [startWatch],
  replaced: [carryOverProgress, carryOverSaleChoice, carryOverCloses],
  handedOver: [
    handOverAlerts,
    handOverOperations,
    handOverCharges,
    handOverDirectReports,
    handOverKeyNotice(keyRefusedNotice, keyAcceptedNotice),
  ],
  keySaved: [handOverKeyNotice(keyRefusedNotice, keyAcceptedNotice)],
  alertsChosen: [handOverAlerts],
  watchEnded: [deleteWatch, deleteUnconnectedWebhooks],
  removed: [
    handOverSaleNotices,
    (trx, { account_fp: accountFp }, at) => syncWatches(trx, [accountFp], at),
    leaveCharges,
    deleteCloses,
  ],
  consentGiven: [wantComparedDays],
  keyWorks: [wantUnreadDays],
  directShared: [shareCloses],
  consentWithdrawn: [leaveDailyReports, withdrawFromCloses],
  walletDisconnected: [deleteExternalBaseline, deleteSplitBalances, deleteSalesDays],
  ownerDisconnected: [deletePixKeysOf, deleteProofsOf, eraseNeedlessKeysOf, deleteChargesOf],
};

export const accountsStore = (db: Database, vault: Vault) =>
  createAccountsStore(db, vault, connectionHooks);

/**
 * `masterKey` is the text of the key ring, `walletBaseUrl` the wallet service whose keys are stored. Writes about
 * deliveries, and about accounts compared with the service, are committed in groups, a `commitGap` apart.
 * @throws StoreError malformed_key_ring, wrong_key_ring, other_wallet
 */
export const openStores = async (
  { db, leaseNow, storage }: OpenDatabase,
  masterKey: Secret,
  walletBaseUrl: string,
  random: Random,
  commitGap?: (isAwaited: boolean) => Promise<void>,
) => {
  const groupCommit = createGroupCommit(db, commitGap);
  const vault = await openVault(db, parseKeyRing(masterKey.reveal()), walletBaseUrl, random);
  return {
    vault,
    accounts: accountsStore(db, vault),
    keyOffers: keyOffers(db, vault),
    presences: presences(db, groupCommit),
    routes: reportRoutesStore(db),
    ledger: reportLedger(db, groupCommit),
    salesDays: salesDays(db, groupCommit),
    closes: closesStore(db, groupCommit),
    outbox: outboxStore(db, leaseNow, groupCommit),
    replacedPosts: replacedPosts(db),
    interactions: interactionsStore(db),
    identifyBudget: identifyBudget(db),
    journal: withdrawJournal(db, vault, random, leaseNow, storage.sending),
    pixKeys: pixKeyBook(db, vault),
    guards: guardsStore(db),
    splitBalances: splitBalances(db),
    externalWithdrawals: externalWithdrawals(db, groupCommit),
    openListings: openListings(db),
    holds: restoreHolds(db, groupCommit),
    alertRoutes: alertRoutes(db),
    disputeWatch: disputeWatch(db),
    proofs: proofsStore(db, vault),
    webhooks: webhookStore(db, groupCommit),
    charges: chargesStore(db),
    goals: goalsStore(db),
    saleRoutes: saleRoutes(db),
    saleWatches: saleWatches(db, groupCommit),
    purgeAudit: purgeAudit(db),
  } as const;
};
