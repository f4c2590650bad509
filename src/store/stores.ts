import type { AlertRoutes, DisputeWatch } from "../domain/dispute-stores.ts";
import type {
  ExternalWithdrawals,
  GuardsStore,
  OpenListings,
  PixKeyBook,
  RestoreHolds,
  SplitBalances,
} from "../domain/money-stores.ts";
import type { KeyOffers } from "../domain/wallet-key.ts";
import type { Presences } from "../domain/account.ts";
import type { Proofs } from "../domain/proof.ts";
import type { WithdrawJournal } from "../domain/withdraw-journal.ts";
import type { Random } from "../shared/random.ts";
import type { Secret } from "../shared/secret.ts";
import { learnVerified } from "./accounts-write.ts";
import { type AccountsStore, accountsStore } from "./accounts.ts";
import { alertRoutes } from "./alert-routes.ts";
import { forgetAudit } from "./audit.ts";
import type { OpenDatabase } from "./database.ts";
import { disputeWatch } from "./dispute-watch.ts";
import { externalWithdrawals, openListings, splitBalances } from "./wallet-observations.ts";
import { guardsStore } from "./guards.ts";
import {
  type IdentifyBudget,
  identifyBudget,
  type InteractionsStore,
  interactionsStore,
} from "./gateway-records.ts";
import { keyOffers } from "./key-offers.ts";
import { type OutboxStore, outboxStore } from "./outbox.ts";
import { pixKeyBook } from "./pix-key-book.ts";
import { presences } from "./presences.ts";
import { proofsStore } from "./proofs.ts";
import { type ReportLedger, reportLedger } from "./report-ledger.ts";
import { type ReportRoutesStore, reportRoutesStore } from "./report-routes.ts";
import { restoreHolds } from "./restore-holds.ts";
import { openVault, parseKeyRing, type Vault } from "./vault.ts";
import { createGroupCommit } from "./together.ts";
import { withdrawJournal } from "./withdraw-journal.ts";

/** Everything that is kept, by subject. */
export interface Stores {
  readonly vault: Vault;
  readonly accounts: AccountsStore;
  readonly keyOffers: KeyOffers;
  readonly presences: Presences;
  readonly routes: ReportRoutesStore;
  readonly ledger: ReportLedger;
  readonly outbox: OutboxStore;
  readonly interactions: InteractionsStore;
  readonly identifyBudget: IdentifyBudget;
  readonly journal: WithdrawJournal;
  readonly pixKeys: PixKeyBook;
  readonly guards: GuardsStore;
  readonly splitBalances: SplitBalances;
  readonly externalWithdrawals: ExternalWithdrawals;
  readonly openListings: OpenListings;
  readonly holds: RestoreHolds;
  readonly alertRoutes: AlertRoutes;
  readonly disputeWatch: DisputeWatch;
  readonly proofs: Proofs;
  /** Forgets who did what before that instant. */
  readonly forgetAudit: (before: Temporal.Instant) => Promise<void>;
}

/**
 * `masterKey` is the key ring's text, `walletBaseUrl` names the service whose keys are kept. What jobs write of posts is
 * committed together, `commitGapMs` apart.
 * @throws StoreError malformed_key_ring, wrong_key_ring, other_wallet
 */
export const openStores = async (
  { db, leaseNow, storage }: OpenDatabase,
  masterKey: Secret,
  walletBaseUrl: string,
  random: Random,
  commitGapMs = 0,
): Promise<Stores> => {
  const together = createGroupCommit(db, commitGapMs);
  const vault = await openVault(db, parseKeyRing(masterKey.reveal()), walletBaseUrl, random);
  await learnVerified(db, vault, await leaseNow());
  return {
    vault,
    accounts: accountsStore(db, vault),
    keyOffers: keyOffers(db, vault),
    presences: presences(db, together),
    routes: reportRoutesStore(db),
    ledger: reportLedger(db, together),
    outbox: outboxStore(db, leaseNow, together),
    interactions: interactionsStore(db),
    identifyBudget: identifyBudget(db),
    journal: withdrawJournal(db, vault, random, leaseNow, storage.sending),
    pixKeys: pixKeyBook(db, vault),
    guards: guardsStore(db),
    splitBalances: splitBalances(db),
    externalWithdrawals: externalWithdrawals(db),
    openListings: openListings(db),
    holds: restoreHolds(db),
    alertRoutes: alertRoutes(db),
    disputeWatch: disputeWatch(db),
    proofs: proofsStore(db, vault),
    forgetAudit: (before) => forgetAudit(db, before),
  };
};
