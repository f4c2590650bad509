import type { Account } from "../domain/account.ts";
import type { AlertChoice } from "../domain/dispute-alert.ts";
import type { Secret } from "../shared/secret.ts";
import { dropUnwatched } from "./account-remove.ts";
import { accountOf, type AccountRow } from "./account-row.ts";
import { recordAudit } from "./audit.ts";
import { flagOf, storedFlag, storedInstant } from "./columns.ts";
import { dropDeliveriesOf } from "./outbox-withdraw.ts";
import { forgetPresence } from "./presences.ts";
import { lockName, rowLock } from "./row-lock.ts";
import type { Database } from "./schema.ts";
import type { Vault } from "./vault.ts";

/** What is known of an account before it is kept. */
export type SavedAccount = Omit<
  Account,
  "id" | "keyLast4" | "keyFingerprint" | "alerts" | "locale" | "pausedAt"
> & {
  /** When it was the owner who connected it. */
  readonly locale?: Account["locale"];
};

const SHOWN_CHARACTERS = 4;

/**
 * Where alerts go holds for the same account of the service; of a key that may be another's the owner has not said that
 * its alerts may stand in a channel, or that nobody need tell of them.
 */
const alertsOf = (
  before: Pick<AccountRow, "alerts" | "owner_verified"> | undefined,
  sameKey: boolean,
  { ownerVerified }: SavedAccount,
): AlertChoice =>
  before !== undefined && (sameKey || (flagOf(before.owner_verified) && ownerVerified))
    ? before.alerts
    : "direct";

const rowFor = (
  id: string,
  account: SavedAccount,
  apiKey: Secret,
  chosen: Pick<AccountRow, "alerts" | "locale">,
  vault: Vault,
): AccountRow => ({
  id,
  guild_id: account.guildId,
  owner_id: account.ownerId,
  connected_by: account.connectedBy,
  api_key: vault.seal({ rowId: id, ownerId: account.ownerId }, apiKey),
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
  oldId: string | undefined,
  row: AccountRow,
): Promise<void> => {
  const progress = await db
    .selectFrom("report_progress")
    .select("last_day")
    .where("account_id", "=", oldId ?? "")
    .executeTakeFirst();
  if (oldId !== undefined) {
    await db.deleteFrom("account").where("id", "=", oldId).execute();
    await dropDeliveriesOf(db, oldId);
  }
  await db.insertInto("account").values(row).execute();
  await db
    .insertInto("dispute_poll")
    .values({ account_id: row.id, next_poll_at: row.connected_at })
    .execute();
  // A day that one key of the owner reported is not reported again with another.
  if (progress) {
    await db
      .insertInto("report_progress")
      .values({ ...progress, account_id: row.id })
      .execute();
  }
};

/** The owner has a key in the guild already, which is not to be replaced. */
class KeyPresentError extends Error {
  override readonly name = "KeyPresentError";
}

/**
 * Keeps an account by guild and owner. The same key keeps its row, so that its progress and its posts stay its own;
 * another key gets a new row and takes over only which days were reported, and where alerts go when both keys are
 * known to be the owner's. Its disputes are told anew: the buttons of older alerts are of the row that went.
 * @throws KeyPresentError, with nothing kept, where the owner has a key and `replaces` is false.
 */
export const saveAccount = (
  db: Database,
  vault: Vault,
  account: SavedAccount,
  apiKey: Secret,
  replaces = true,
): Promise<Account> =>
  db.transaction().execute(async (trx) => {
    await lockName(trx, `account|${account.guildId}|${account.ownerId}`);
    const before = await trx
      .selectFrom("account")
      .select(["id", "key_fingerprint", "alerts", "locale", "owner_verified"])
      .where("guild_id", "=", account.guildId)
      .where("owner_id", "=", account.ownerId)
      .modifyEnd(rowLock(trx, "for update"))
      .executeTakeFirst();
    if (before !== undefined && !replaces) throw new KeyPresentError();
    const kept = before?.key_fingerprint === vault.fingerprint(apiKey) ? before.id : undefined;
    const alerts = alertsOf(before, kept !== undefined, account);
    const chosen = { alerts, locale: account.locale ?? before?.locale ?? null };
    const row = rowFor(kept ?? vault.newRowId(), account, apiKey, chosen, vault);
    if (kept !== undefined)
      await trx.updateTable("account").set(row).where("id", "=", kept).execute();
    else await replaceAccount(trx, before?.id, row);
    if (before && kept === undefined) await dropUnwatched(trx, before.key_fingerprint);
    // A connection is made in the guild, most often by its owner: what was heard before of the owner is out of date.
    await forgetPresence(trx, account.guildId, account.ownerId);
    const { connectedAt: at, connectedBy: actor } = account;
    await recordAudit(trx, { at, actor, action: "account_connected", subject: row.id });
    return accountOf(row);
  });

/** `AccountsStore.saveFirst`. */
export const saveFirstAccount = async (
  db: Database,
  vault: Vault,
  account: SavedAccount,
  apiKey: Secret,
): Promise<Account | undefined> => {
  try {
    return await saveAccount(db, vault, account, apiKey, false);
  } catch (error) {
    if (error instanceof KeyPresentError) return undefined;
    throw error;
  }
};
