import type { Locale } from "../shared/locale.ts";
import type { Account, AlertChoice } from "../domain/account.ts";
import type { Secret } from "../shared/secret.ts";
import { accountOf, type AccountRow, rowsOfWatch } from "./account-connections.ts";
import type { AccountsStore } from "./accounts.ts";
import { recordAudit } from "./audit.ts";
import { flagOf, storedFlag, storedInstant } from "./columns.ts";
import { deletePresence } from "./presences.ts";
import type { Database } from "./schema.ts";
import type { Vault } from "./vault.ts";
import { adoptKey, lockConnections, walletOfKey } from "./wallet-accounts.ts";
import { isFinal, withdrawStates } from "../domain/withdraw-op.ts";
import { deleteExternalBaseline } from "./wallet-observations.ts";
import { deleteOffersTo, keyLast4Of } from "./key-offers.ts";
import { redirectAlertsToOwners } from "./outbox-redirect.ts";
import { enqueueDelivery } from "./outbox-enqueue.ts";
import { deleteDeliveriesOf, reassignAlerts } from "./outbox-cancel.ts";
import { deletePixKeysOf } from "./pix-key-book.ts";
import { deleteProofsOf } from "./proofs.ts";
import { eraseEndedKeysOf } from "./withdraw-journal.ts";

/** An account as the caller gives it. The store adds the rest. */
export type SavedAccount = Omit<
  Account,
  "id" | "keyLast4" | "keyFingerprint" | "accountFp" | "watchId" | "alerts" | "locale" | "pausedAt"
> & {
  readonly locale?: Locale | undefined;
};

export const saveAccount =
  (db: Database, vault: Vault): AccountsStore["save"] =>
  (account, apiKey, walletUserId) =>
    db.transaction().execute(async (trx) => {
      await lockConnections(trx);
      return await keepAccount(trx, vault, account, apiKey, walletUserId);
    });

export const saveFirstAccount =
  (db: Database, vault: Vault): AccountsStore["saveFirst"] =>
  (account, apiKey, walletUserId) =>
    db.transaction().execute(async (trx) => {
      await lockConnections(trx);
      return (await rowBefore(trx, account)) === undefined
        ? await keepAccount(trx, vault, account, apiKey, walletUserId)
        : undefined;
    });

export const learnWallet =
  (db: Database, vault: Vault): AccountsStore["learn"] =>
  ({ keyFingerprint }, walletUserId, at) =>
    db.transaction().execute(async (trx) => {
      await lockConnections(trx);
      await adoptKey(trx, keyFingerprint, vault.hashWalletUser(walletUserId), at);
    });

/**
 * Names the wallet account of connections that an older version saved for verified owners, without asking the service:
 * their keys may be revoked by now. Call before other work uses the database.
 */
export const learnVerified = async (
  db: Database,
  vault: Vault,
  at: Temporal.Instant,
): Promise<void> => {
  const rows = await db
    .selectFrom("account")
    .select(["owner_id as ownerId", "key_fingerprint as keyFingerprint"])
    .whereRef("account_fp", "=", "key_fingerprint")
    .where("owner_verified", "=", storedFlag(true))
    .execute();
  for (const row of rows) await learnWallet(db, vault)(row, row.ownerId, at);
};

export const removeAccount =
  (db: Database): AccountsStore["remove"] =>
  (guildId, ownerId, actor, at, notice) =>
    db.transaction().execute(async (trx) => {
      // Two removals at once must not each leave the cleanup to the other.
      await lockConnections(trx);
      const row = await trx
        .selectFrom("account")
        .select(["id", "watch_id", "account_fp"])
        .where("guild_id", "=", guildId)
        .where("owner_id", "=", ownerId)
        .executeTakeFirst();
      if (row === undefined) return false;
      await deleteConnection(trx, row);
      await deleteOffersTo(trx, guildId, ownerId);
      await deletePresence(trx, guildId, ownerId);
      if (!(await isConnected(trx, "owner_id", ownerId))) {
        await deletePixKeysOf(trx, ownerId);
        await deleteProofsOf(trx, ownerId);
        await eraseEndedKeysOf(trx, ownerId);
      }
      if (notice !== undefined) await enqueueDelivery(trx, notice, at);
      await recordAudit(trx, { at, actor, action: "account_removed", subject: row.id });
      return true;
    });

type Chosen = Pick<AccountRow, "alerts" | "locale">;

type Place = Pick<AccountRow, "id" | "account_fp" | "watch_id">;

/**
 * The alert choice of a saved account. The earlier choice stays for the same wallet account, or when both keys are
 * known to be the owner's: another person's alerts must not appear in a channel, or be off, without that person's
 * consent. An owner with alerts off on every other connection of the wallet account starts with alerts off.
 */
const alertsOf = (
  before: AccountRow | undefined,
  isKept: boolean,
  elsewhere: readonly AccountRow[],
  { ownerVerified }: SavedAccount,
): AlertChoice => {
  if (before !== undefined && (isKept || (flagOf(before.owner_verified) && ownerVerified))) {
    return before.alerts;
  }
  const isOff = elsewhere.length > 0 && elsewhere.every(({ alerts }) => alerts === "off");
  return isOff ? "off" : "direct";
};

const rowFor = (
  place: Place,
  account: SavedAccount,
  apiKey: Secret,
  chosen: Chosen,
  vault: Vault,
): AccountRow => ({
  ...place,
  guild_id: account.guildId,
  owner_id: account.ownerId,
  connected_by: account.connectedBy,
  api_key: vault.seal({ rowId: place.id, ownerId: account.ownerId }, apiKey),
  api_key_kid: vault.currentKid,
  key_last4: keyLast4Of(apiKey),
  key_fingerprint: vault.fingerprint(apiKey),
  owner_verified: storedFlag(account.ownerVerified),
  report_consent: storedFlag(account.reportConsent),
  report_consent_at: account.reportConsentAt ? storedInstant(account.reportConsentAt) : null,
  ...chosen,
  paused_at: null,
  connected_at: storedInstant(account.connectedAt),
});

const replaceAccount = async (
  db: Database,
  before: AccountRow | undefined,
  row: AccountRow,
): Promise<void> => {
  const progress = await db
    .selectFrom("report_progress")
    .select("last_day")
    .where("account_id", "=", before?.id ?? "")
    .executeTakeFirst();
  if (before !== undefined) await deleteConnection(db, before);
  await db.insertInto("account").values(row).execute();
  await db
    .insertInto("dispute_poll")
    .values({ account_id: row.watch_id, next_poll_at: row.connected_at })
    .onConflict((conflict) => conflict.column("account_id").doNothing())
    .execute();
  // The days already reported carry over, so that a new key repeats no report.
  if (progress) {
    await db
      .insertInto("report_progress")
      .values({ ...progress, account_id: row.id })
      .execute();
  }
};

const rowBefore = (
  trx: Database,
  { guildId, ownerId }: Pick<Account, "guildId" | "ownerId">,
): Promise<AccountRow | undefined> =>
  trx
    .selectFrom("account")
    .selectAll()
    .where("guild_id", "=", guildId)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();

/** Moves the rows kept under the key to its wallet account. @returns that wallet account */
const adoptSavedKey = async (
  trx: Database,
  vault: Vault,
  account: SavedAccount,
  apiKey: Secret,
  walletUserId: string | undefined,
): Promise<string> => {
  const fingerprint = vault.fingerprint(apiKey);
  if (walletUserId === undefined) return await walletOfKey(trx, fingerprint);
  const at = account.connectedAt;
  const before = await rowBefore(trx, account);
  // A verified owner's Discord id is the service's user id, so the old key's account is known without a request.
  if (before !== undefined && flagOf(before.owner_verified)) {
    await adoptKey(trx, before.key_fingerprint, vault.hashWalletUser(before.owner_id), at);
  }
  return await adoptKey(trx, fingerprint, vault.hashWalletUser(walletUserId), at);
};

/** The watch that the owner's other connections of this wallet account share. */
const watchElsewhere = async (
  trx: Database,
  accountFp: string,
  { guildId, ownerId }: SavedAccount,
): Promise<string | undefined> => {
  const row = await trx
    .selectFrom("account")
    .select("watch_id")
    .where("account_fp", "=", accountFp)
    .where("owner_id", "=", ownerId)
    .where("guild_id", "!=", guildId)
    .limit(1)
    .executeTakeFirst();
  return row?.watch_id;
};

/**
 * Saves the account of a guild and owner. Runs in the caller's transaction, which holds `lockConnections`.
 * A key of the same wallet account updates the row: report progress, posts, alert choice and dispute history stay, and
 * unfinished operations continue with the new key. A key of another wallet account replaces the row: only the reported
 * days carry over, and the alert choice if both keys are known to be the owner's.
 */
const keepAccount = async (
  trx: Database,
  vault: Vault,
  account: SavedAccount,
  apiKey: Secret,
  walletUserId: string | undefined,
): Promise<Account> => {
  const accountFp = await adoptSavedKey(trx, vault, account, apiKey, walletUserId);
  const before = await rowBefore(trx, account);
  const kept = before?.account_fp === accountFp ? before : undefined;
  const watched = kept?.watch_id ?? (await watchElsewhere(trx, accountFp, account));
  const id = kept?.id ?? vault.newRowId();
  const elsewhere = watched === undefined ? [] : await rowsOfWatch(trx, watched);
  const alerts = alertsOf(before, kept !== undefined, elsewhere, account);
  const chosen = { alerts, locale: account.locale ?? before?.locale ?? null };
  const place = { id, account_fp: accountFp, watch_id: watched ?? id };
  const row = rowFor(place, account, apiKey, chosen, vault);
  if (kept === undefined) await replaceAccount(trx, before, row);
  else await trx.updateTable("account").set(row).where("id", "=", kept.id).execute();
  // A connection is made in the guild, usually by its owner: the last answer about membership is out of date.
  await deletePresence(trx, account.guildId, account.ownerId);
  const { connectedAt: at, connectedBy: actor } = account;
  await recordAudit(trx, { at, actor, action: "account_connected", subject: row.id });
  return accountOf(row);
};

const unfinishedStates = withdrawStates.filter((state) => !isFinal(state));

const isConnected = async (
  db: Database,
  column: "owner_id" | "account_fp",
  value: string,
): Promise<boolean> => {
  const row = await db
    .selectFrom("account")
    .select("id")
    .where(column, "=", value)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

/** Hands unfinished work to another connection of the same owner and wallet account. */
const handOver = async (
  trx: Database,
  from: Pick<AccountRow, "id">,
  to: AccountRow,
): Promise<void> => {
  // The other connection may post to another guild's channel: each alert gets its new target when it is sent.
  await redirectAlertsToOwners(trx, { accountId: from.id });
  await reassignAlerts(trx, from.id, to);
  await trx
    .updateTable("withdraw_op")
    .set({ account_id: to.id })
    .where("account_id", "=", from.id)
    .where("state", "in", unfinishedStates)
    .execute();
};

const deleteWatch = async (trx: Database, watchId: string): Promise<void> => {
  await trx.deleteFrom("dispute_watch").where("account_id", "=", watchId).execute();
  await trx.deleteFrom("dispute_poll").where("account_id", "=", watchId).execute();
  await trx.deleteFrom("dispute_unlisted").where("account_id", "=", watchId).execute();
};

/**
 * Removes one connection, in the caller's transaction, which holds `lockConnections`. Another connection of the owner
 * to the same wallet account takes over its work; with the last connection the watch is deleted too.
 */
const deleteConnection = async (
  trx: Database,
  row: Pick<AccountRow, "id" | "watch_id" | "account_fp">,
): Promise<void> => {
  const rows = await rowsOfWatch(trx, row.watch_id);
  const other = rows.find(({ id }) => id !== row.id);
  if (other !== undefined) await handOver(trx, row, other);
  await trx.deleteFrom("account").where("id", "=", row.id).execute();
  await deleteDeliveriesOf(trx, row.id);
  if (other === undefined) await deleteWatch(trx, row.watch_id);
  // While the account is disconnected its withdrawals are not observed: a new connection must start with a new
  // baseline.
  if (!(await isConnected(trx, "account_fp", row.account_fp)))
    await deleteExternalBaseline(trx, row.account_fp);
};
