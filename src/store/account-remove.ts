import type { NewDelivery } from "../domain/delivery.ts";
import { recordAudit } from "./audit.ts";
import { dropGhosts } from "./ghost-watch.ts";
import { eraseOffersTo } from "./key-offers.ts";
import { enqueueDelivery } from "./outbox-enqueue.ts";
import { dropDeliveriesOf } from "./outbox-withdraw.ts";
import { erasePixKeysOf } from "./pix-key-book.ts";
import { forgetPresence } from "./presences.ts";
import { eraseProofsOf } from "./proofs.ts";
import { lockName } from "./row-lock.ts";
import type { Database } from "./schema.ts";
import { forgetEndedOf } from "./withdraw-sweep.ts";

const isConnected = async (
  db: Database,
  column: "owner_id" | "key_fingerprint",
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

/** What is withdrawn while nobody has the wallet account connected is news to nobody later. */
export const dropUnwatched = async (db: Database, fingerprint: string): Promise<void> => {
  if (!(await isConnected(db, "key_fingerprint", fingerprint))) await dropGhosts(db, fingerprint);
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
    await lockName(trx, `connections|${ownerId}`);
    const removed = await trx
      .deleteFrom("account")
      .where("guild_id", "=", guildId)
      .where("owner_id", "=", ownerId)
      .returning(["id", "key_fingerprint"])
      .executeTakeFirst();
    if (removed === undefined) return false;
    await dropDeliveriesOf(trx, removed.id);
    await eraseOffersTo(trx, guildId, ownerId);
    await forgetPresence(trx, guildId, ownerId);
    await dropUnwatched(trx, removed.key_fingerprint);
    if (!(await isConnected(trx, "owner_id", ownerId))) {
      await erasePixKeysOf(trx, ownerId);
      await eraseProofsOf(trx, ownerId);
      await forgetEndedOf(trx, ownerId);
    }
    if (notice !== undefined) await enqueueDelivery(trx, notice, at);
    await recordAudit(trx, { at, actor, action: "account_removed", subject: removed.id });
    return true;
  });
