import type { NewDelivery } from "../domain/delivery.ts";
import { isFinal, withdrawStates } from "../domain/withdraw-op.ts";
import { rowsOfWatch } from "./account-connections.ts";
import type { AccountRow } from "./account-row.ts";
import { recordAudit } from "./audit.ts";
import { dropGhosts } from "./ghost-watch.ts";
import { eraseOffersTo } from "./key-offers.ts";
import { redirectAlertsToOwners } from "./outbox-alerts.ts";
import { enqueueDelivery } from "./outbox-enqueue.ts";
import { dropDeliveriesOf, giveAlertsTo } from "./outbox-withdraw.ts";
import { erasePixKeysOf } from "./pix-key-book.ts";
import { forgetPresence } from "./presences.ts";
import { eraseProofsOf } from "./proofs.ts";
import type { Database } from "./schema.ts";
import { lockConnections } from "./wallet-accounts.ts";
import { forgetEndedOf } from "./withdraw-sweep.ts";

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
export const dropConnection = async (
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
    await dropGhosts(trx, row.account_fp);
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
