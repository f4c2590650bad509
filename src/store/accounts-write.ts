import type { Locale } from "../shared/locale.ts";
import type { Account } from "../domain/account.ts";
import type { AlertChoice } from "../domain/dispute-alert.ts";
import type { Secret } from "../shared/secret.ts";
import { accountOf, type AccountRow, rowsOfWatch } from "./account-connections.ts";
import { recordAudit } from "./audit.ts";
import { flagOf, storedFlag, storedInstant } from "./columns.ts";
import { forgetPresence } from "./presences.ts";
import type { Database } from "./schema.ts";
import type { Vault } from "./vault.ts";
import { adoptKey, lockConnections, walletOfKey } from "./wallet-accounts.ts";
import type { NewDelivery } from "../domain/delivery.ts";
import { isFinal, withdrawStates } from "../domain/withdraw-op.ts";
import { dropExternalWithdrawals } from "./wallet-observations.ts";
import { eraseOffersTo } from "./key-offers.ts";
import { redirectAlertsToOwners } from "./outbox-redirect.ts";
import { enqueueDelivery } from "./outbox-enqueue.ts";
import { dropDeliveriesOf, giveAlertsTo } from "./outbox-cancel.ts";
import { erasePixKeysOf } from "./pix-key-book.ts";
import { eraseProofsOf } from "./proofs.ts";
import { forgetEndedOf } from "./withdraw-journal.ts";

/** What is known of an account before it is kept. */
export type SavedAccount = Omit<
  Account,
  "id" | "keyLast4" | "keyFingerprint" | "accountFp" | "watchId" | "alerts" | "locale" | "pausedAt"
> & {
  /** When it was the owner who connected it. */
  readonly locale?: Locale | undefined;
};

const SHOWN_CHARACTERS = 4;

type Chosen = Pick<AccountRow, "alerts" | "locale">;
type Place = Pick<AccountRow, "id" | "account_fp" | "watch_id">;

/**
 * Where alerts go holds for the same account of the service; of a key that may be another's the owner has not said that
 * its alerts may stand in a channel, or that nobody need tell of them. An owner who switched the alerts of the wallet
 * account off everywhere has them off in one more guild too.
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
  key_last4: apiKey.reveal().slice(-SHOWN_CHARACTERS),
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
  if (before !== undefined) await dropConnection(db, before);
  await db.insertInto("account").values(row).execute();
  await db
    .insertInto("dispute_poll")
    .values({ account_id: row.watch_id, next_poll_at: row.connected_at })
    .onConflict((conflict) => conflict.column("account_id").doNothing())
    .execute();
  // A day that one key of the owner reported is not reported again with another.
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

/** The wallet account that the key is of, with all that was kept under the key brought under it. */
const adopted = async (
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
  // Of a verified owner the service's user id is the owner's own, though nobody asked for it since it counts.
  if (before !== undefined && flagOf(before.owner_verified)) {
    await adoptKey(trx, before.key_fingerprint, vault.hashWalletUser(before.owner_id), at);
  }
  return await adoptKey(trx, fingerprint, vault.hashWalletUser(walletUserId), at);
};

/** The watch of this owner and wallet account, by another connection of theirs. */
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
 * Keeps an account by guild and owner, in the caller's transaction, which holds `lockConnections`. A key of the same
 * wallet account keeps the row: its progress, its posts, where its alerts go and what was told of its disputes stay its
 * own, and what is under way goes on with the new key. A key of another account gets a new row and takes over only which
 * days were reported, and where alerts go when both keys are known to be the owner's.
 */
const keepAccount = async (
  trx: Database,
  vault: Vault,
  account: SavedAccount,
  apiKey: Secret,
  walletUserId: string | undefined,
): Promise<Account> => {
  const accountFp = await adopted(trx, vault, account, apiKey, walletUserId);
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
  // A connection is made in the guild, most often by its owner: what was heard before of the owner is out of date.
  await forgetPresence(trx, account.guildId, account.ownerId);
  const { connectedAt: at, connectedBy: actor } = account;
  await recordAudit(trx, { at, actor, action: "account_connected", subject: row.id });
  return accountOf(row);
};

/**
 * `AccountsStore.save`. `walletUserId` is the service's for the key; undefined: nobody asked, and what is known of the
 * key holds.
 */
export const saveAccount = (
  db: Database,
  vault: Vault,
  account: SavedAccount,
  apiKey: Secret,
  walletUserId?: string,
): Promise<Account> =>
  db.transaction().execute(async (trx) => {
    await lockConnections(trx);
    return await keepAccount(trx, vault, account, apiKey, walletUserId);
  });

/** `AccountsStore.saveFirst`. */
export const saveFirstAccount = (
  db: Database,
  vault: Vault,
  account: SavedAccount,
  apiKey: Secret,
  walletUserId?: string,
): Promise<Account | undefined> =>
  db.transaction().execute(async (trx) => {
    await lockConnections(trx);
    return (await rowBefore(trx, account)) === undefined
      ? await keepAccount(trx, vault, account, apiKey, walletUserId)
      : undefined;
  });

/** `AccountsStore.learn`. */
export const learnWallet = (
  db: Database,
  vault: Vault,
  { keyFingerprint }: Pick<Account, "keyFingerprint">,
  walletUserId: string,
  at: Temporal.Instant,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockConnections(trx);
    await adoptKey(trx, keyFingerprint, vault.hashWalletUser(walletUserId), at);
  });

/**
 * Connections that an older version kept, of owners whom the service named by their own id: their wallet account is
 * known without asking anybody, even if their keys are revoked since. Nobody else uses the database's rows meanwhile.
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
  for (const row of rows) await learnWallet(db, vault, row, row.ownerId, at);
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

/** What is under way goes on by another connection of the same owner and wallet account. */
const carryOver = async (
  trx: Database,
  from: Pick<AccountRow, "id">,
  to: AccountRow,
): Promise<void> => {
  // Another guild's channel may be where alerts go now: each is told where when its turn comes.
  await redirectAlertsToOwners(trx, { accountId: from.id });
  await giveAlertsTo(trx, from.id, to);
  await trx
    .updateTable("withdraw_op")
    .set({ account_id: to.id })
    .where("account_id", "=", from.id)
    .where("state", "in", unfinishedStates)
    .execute();
};

const forgetWatch = async (trx: Database, watchId: string): Promise<void> => {
  await trx.deleteFrom("dispute_watch").where("account_id", "=", watchId).execute();
  await trx.deleteFrom("dispute_poll").where("account_id", "=", watchId).execute();
  await trx.deleteFrom("dispute_unlisted").where("account_id", "=", watchId).execute();
};

/**
 * Takes one connection away, in the caller's transaction, which holds `lockConnections`: what hangs on it goes over to
 * the owner's other connections of the wallet account, or with the last one of them.
 */
const dropConnection = async (
  trx: Database,
  row: Pick<AccountRow, "id" | "watch_id" | "account_fp">,
): Promise<void> => {
  const rows = await rowsOfWatch(trx, row.watch_id);
  const other = rows.find(({ id }) => id !== row.id);
  if (other !== undefined) await carryOver(trx, row, other);
  await trx.deleteFrom("account").where("id", "=", row.id).execute();
  await dropDeliveriesOf(trx, row.id);
  if (other === undefined) await forgetWatch(trx, row.watch_id);
  // What is withdrawn while nobody has the wallet account connected is news to nobody later.
  if (!(await isConnected(trx, "account_fp", row.account_fp)))
    await dropExternalWithdrawals(trx, row.account_fp);
};

/** `AccountsStore.remove`. */
export const removeAccount = (
  db: Database,
  guildId: string,
  ownerId: string,
  actor: string,
  at: Temporal.Instant,
  notice?: NewDelivery,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    // Of two that go at once one must see that it is the last.
    await lockConnections(trx);
    const row = await trx
      .selectFrom("account")
      .select(["id", "watch_id", "account_fp"])
      .where("guild_id", "=", guildId)
      .where("owner_id", "=", ownerId)
      .executeTakeFirst();
    if (row === undefined) return false;
    await dropConnection(trx, row);
    await eraseOffersTo(trx, guildId, ownerId);
    await forgetPresence(trx, guildId, ownerId);
    if (!(await isConnected(trx, "owner_id", ownerId))) {
      await erasePixKeysOf(trx, ownerId);
      await eraseProofsOf(trx, ownerId);
      await forgetEndedOf(trx, ownerId);
    }
    if (notice !== undefined) await enqueueDelivery(trx, notice, at);
    await recordAudit(trx, { at, actor, action: "account_removed", subject: row.id });
    return true;
  });
