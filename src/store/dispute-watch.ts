import type { NewDelivery } from "../domain/delivery.ts";
import type { DisputeWatch } from "../domain/dispute-stores.ts";
import { ownerWanting } from "./alerts-wanted.ts";
import { recordAudit } from "./audit.ts";
import { builtOnce } from "./built-once.ts";
import { storedInstant } from "./columns.ts";
import { awaitingAnswer, disputePolls } from "./dispute-poll.ts";
import { changedColumns, type DisputeRow, newDisputeRow, watchedDisputeOf } from "./dispute-row.ts";
import { disputeUnlisted } from "./dispute-unlisted.ts";
import { enqueueDelivery } from "./outbox-enqueue.ts";
import type { Database } from "./schema.ts";
import { undeliveredAlerts } from "./undelivered-alerts.ts";

const enqueueAll = async (
  trx: Database,
  deliveries: readonly NewDelivery[],
  at: Temporal.Instant,
): Promise<void> => {
  for (const delivery of deliveries) await enqueueDelivery(trx, delivery, at);
};

const keepDispute =
  (db: Database): DisputeWatch["keep"] =>
  (dispute, deliveries, at) =>
    db.transaction().execute(async (trx) => {
      const ownerId = await ownerWanting(trx, dispute.accountId, deliveries);
      if (ownerId === undefined) return undefined;
      const row = await trx
        .insertInto("dispute_watch")
        .values(newDisputeRow(dispute))
        .onConflict((conflict) => conflict.columns(["account_id", "infraction_id"]).doNothing())
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return undefined;
      await enqueueAll(trx, deliveries, at);
      return watchedDisputeOf(row);
    });

const stepDispute =
  (db: Database): DisputeWatch["step"] =>
  ({ accountId, infractionId, version }, change, deliveries, at) =>
    db.transaction().execute(async (trx) => {
      const ownerId = await ownerWanting(trx, accountId, deliveries);
      if (ownerId === undefined) return undefined;
      const row = await trx
        .updateTable("dispute_watch")
        .set({ ...changedColumns(change), version: version + 1 })
        .where("account_id", "=", accountId)
        .where("infraction_id", "=", infractionId)
        .where("version", "=", version)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return undefined;
      await enqueueAll(trx, deliveries, at);
      if (change.answeredByOwnerAt !== undefined) {
        const subject = `${accountId}.${infractionId}`;
        await recordAudit(trx, { at, actor: ownerId, action: "dispute_silenced", subject });
      }
      return watchedDisputeOf(row);
    });

const watched = (db: Database) => db.selectFrom("dispute_watch").selectAll();
const awaiting = (db: Database) => awaitingAnswer(db).selectAll();

const bySoonest = (one: DisputeRow, other: DisputeRow): number => {
  if (one.due_at !== other.due_at) return one.due_at < other.due_at ? -1 : 1;
  return one.infraction_id < other.infraction_id ? -1 : 1;
};

/** Sorted here, because for a few rows SQLite needs six times as long with an order as without. */
const ofAccount = (db: Database, disputes: ReturnType<typeof watched>): DisputeWatch["of"] => {
  const rowsOf = builtOnce(db, disputes.where("account_id", "=", ""));
  return async (accountId) => (await rowsOf(accountId)).sort(bySoonest).map(watchedDisputeOf);
};

/** Disputes that are watched. Who changes one second finds its version moved, and does nothing. */
export const disputeWatch = (db: Database): DisputeWatch => ({
  ...disputePolls(db),
  ...disputeUnlisted(db),
  find: async (accountId, infractionId) => {
    const row = await watched(db)
      .where("account_id", "=", accountId)
      .where("infraction_id", "=", infractionId)
      .executeTakeFirst();
    return row && watchedDisputeOf(row);
  },
  of: ofAccount(db, watched(db)),
  awaiting: ofAccount(db, awaiting(db)),
  awaitingBefore: async (dueBefore) => {
    const rows = await awaiting(db)
      .where((eb) =>
        eb.or([
          eb("due_at", "<", storedInstant(dueBefore)),
          eb("done_steps", "not like", '%"new"%'),
        ]),
      )
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("account")
            .select("id")
            .whereRef("watch_id", "=", "dispute_watch.account_id")
            .where("alerts", "!=", "off"),
        ),
      )
      .orderBy("due_at")
      .orderBy("infraction_id")
      .execute();
    return rows.map(watchedDisputeOf);
  },
  keep: keepDispute(db),
  step: stepDispute(db),
  undelivered: undeliveredAlerts(db),
});
