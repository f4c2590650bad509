import type { Account } from "../domain/account.ts";
import type { Secret } from "../shared/secret.ts";
import { accountOf, type AccountRow } from "./account-row.ts";
import { recordAudit } from "./audit.ts";
import { storedFlag, storedInstant } from "./columns.ts";
import { dropDeliveriesOf } from "./outbox-withdraw.ts";
import { rowLock } from "./row-lock.ts";
import type { Database } from "./schema.ts";
import type { Vault } from "./vault.ts";

/** What is known of an account before it is kept. */
export type SavedAccount = Omit<Account, "id" | "keyLast4" | "keyFingerprint" | "pausedAt">;

const SHOWN_CHARACTERS = 4;
const ATTEMPTS = 3;

const rowFor = (id: string, account: SavedAccount, apiKey: Secret, vault: Vault): AccountRow => ({
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
  paused_at: null,
  connected_at: storedInstant(account.connectedAt),
});

const progressOf = (db: Database, accountId: string) =>
  db
    .selectFrom("report_progress")
    .select("last_day")
    .where("account_id", "=", accountId)
    .executeTakeFirst();

/** The saved row, or undefined when another process inserted one for the same owner in the meantime. */
const saveOnce = (
  db: Database,
  vault: Vault,
  account: SavedAccount,
  apiKey: Secret,
): Promise<AccountRow | undefined> =>
  db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom("account")
      .select(["id", "key_fingerprint"])
      .where("guild_id", "=", account.guildId)
      .where("owner_id", "=", account.ownerId)
      .modifyEnd(rowLock(trx, "for update"))
      .executeTakeFirst();
    const progress = before && (await progressOf(trx, before.id));
    const kept = before?.key_fingerprint === vault.fingerprint(apiKey) ? before.id : undefined;
    if (before !== undefined && kept === undefined) {
      await trx.deleteFrom("account").where("id", "=", before.id).execute();
      await dropDeliveriesOf(trx, before.id);
    }
    const row = rowFor(kept ?? vault.newRowId(), account, apiKey, vault);
    if (kept === undefined) {
      const inserted = await trx
        .insertInto("account")
        .values(row)
        .onConflict((conflict) => conflict.columns(["guild_id", "owner_id"]).doNothing())
        .returning("id")
        .executeTakeFirst();
      if (inserted === undefined) return undefined;
      // A day that one key of the owner reported is not reported again with another.
      if (progress) {
        await trx
          .insertInto("report_progress")
          .values({ ...progress, account_id: row.id })
          .execute();
      }
    } else {
      await trx.updateTable("account").set(row).where("id", "=", kept).execute();
    }
    const { connectedAt: at, connectedBy: actor } = account;
    await recordAudit(trx, { at, actor, action: "account_connected", subject: row.id });
    return row;
  });

/** Keeps an account by guild and owner. The same key keeps its row, so that its progress and its posts stay its own. */
export const saveAccount = async (
  db: Database,
  vault: Vault,
  account: SavedAccount,
  apiKey: Secret,
): Promise<Account> => {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const row = await saveOnce(db, vault, account, apiKey);
    if (row !== undefined) return accountOf(row);
  }
  throw new Error("The account kept changing while it was being saved");
};
