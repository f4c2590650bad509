import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Indexes for questions that read all rows of a table. A claim finds due deliveries by `outbox_due`, the urgent ones
 * among them by `outbox_urgent`, those that were being sent or are put off by `outbox_tried`, and those that seem to be
 * enqueued later than now by `outbox_untried`. The others serve changes of a server's or a connection's rows.
 */
export const queryIndexes: Migration = {
  up: async (db) => {
    const outbox = (name: string) =>
      db.schema.createIndex(name).on("outbox").where(sql.ref("settled_at"), "is", null);
    await outbox("outbox_due").columns(["not_before", "created_at"]).execute();
    await outbox("outbox_urgent")
      .columns(["not_before"])
      .where(
        sql<boolean>`(kind in ('test', 'dispute_alert', 'charge')
          or (kind = 'notice' and account_id is null))`,
      )
      .execute();
    await outbox("outbox_tried")
      .columns(["state", "not_before"])
      .where(sql<boolean>`token > 0`)
      .execute();
    await outbox("outbox_untried")
      .columns(["created_at"])
      .where(sql<boolean>`token = 0`)
      .execute();
    await outbox("outbox_of_guild").columns(["guild_id"]).execute();
    await db.schema
      .createIndex("outbox_of_closes")
      .on("outbox")
      .columns(["guild_id"])
      .where(sql.ref("kind"), "=", sql.lit("close"))
      .execute();
    await db.schema
      .createIndex("charge_of_account")
      .on("charge")
      .columns(["account_id", "state", "ended_at"])
      .execute();
    await db.schema.createIndex("charge_age").on("charge").columns(["created_at"]).execute();
    await db.schema
      .createIndex("withdraw_op_unfinished")
      .on("withdraw_op")
      .columns(["account_id"])
      .where(
        sql<boolean>`state in ('draft', 'confirmed', 'sending', 'accepted', 'scheduled', 'processing', 'unknown',
          'manual')`,
      )
      .execute();
  },
};
