import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Texts of settled deliveries that no newer one replaces are no longer kept. Statements about the deliveries of a server
 * or a connection now concern unsettled ones, or those that did not arrive.
 */
export const settledTexts: Migration = {
  up: async (db) => {
    await sql`
      update outbox set payload = '{}'
      where settled_at is not null and payload <> '{}'
        and (state <> 'sent' or (infraction_id is null and op_id is null))
    `.execute(db);
    for (const unused of ["outbox_of_account", "outbox_of_closes", "outbox_of_store_reports"]) {
      await db.schema.dropIndex(unused).execute();
    }
    await db.schema
      .createIndex("outbox_of_account")
      .on("outbox")
      .columns(["account_id"])
      .where(sql.ref("settled_at"), "is", null)
      .execute();
    await db.schema
      .createIndex("outbox_undelivered")
      .on("outbox")
      .columns(["account_id", "kind"])
      .where(sql<boolean>`state in ('dead', 'blocked')`)
      .execute();
    await db.schema
      .createIndex("dispute_watch_awaiting_of")
      .on("dispute_watch")
      .columns(["account_id"])
      .where(sql<boolean>`closed_at is null and status = 'pending' and analysis_status = 'pending'`)
      .execute();
  },
};
