import type { DisputeWatch } from "../domain/dispute-stores.ts";
import { NONE_UNLISTED } from "../domain/dispute-unlisted.ts";
import { ownerWanting } from "./alerts-wanted.ts";
import { builtOnce } from "./built-once.ts";
import { enqueueDelivery } from "./outbox-enqueue.ts";
import type { Database } from "./schema.ts";

const finder = (db: Database): DisputeWatch["unlisted"] => {
  const rowsOf = builtOnce(
    db,
    db
      .selectFrom("dispute_unlisted")
      .select(["pending_count", "told_count"])
      .where("account_id", "=", ""),
  );
  return async (watchId) => {
    const [row] = await rowsOf(watchId);
    return row === undefined ? NONE_UNLISTED : { count: row.pending_count, told: row.told_count };
  };
};

/** What is known of disputes that the service counts and does not list. */
export const disputeUnlisted = (db: Database): Pick<DisputeWatch, "unlisted" | "saveUnlisted"> => ({
  unlisted: finder(db),
  saveUnlisted: (watchId, before, after, deliveries, at) =>
    db.transaction().execute(async (trx) => {
      const ownerId = await ownerWanting(trx, watchId, deliveries);
      const now = await finder(trx)(watchId);
      if (ownerId === undefined || now.count !== before.count || now.told !== before.told)
        return false;
      const counts = { pending_count: after.count, told_count: after.told };
      await trx
        .insertInto("dispute_unlisted")
        .values({ account_id: watchId, ...counts })
        .onConflict((conflict) => conflict.column("account_id").doUpdateSet(counts))
        .execute();
      for (const delivery of deliveries) await enqueueDelivery(trx, delivery, at);
      return true;
    }),
});
