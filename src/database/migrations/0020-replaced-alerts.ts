import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Alerts that a newer one replaces: their messages are edited to say so. Older alerts stay as they are. */
export const replacedAlerts: Migration = {
  up: async (db) => {
    await db.schema.alterTable("outbox").addColumn("replaced_by", "text").execute();
    await db.schema.alterTable("outbox").addColumn("replace_at", "text").execute();
    await db.schema
      .alterTable("outbox")
      .addColumn("replace_tries", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createIndex("outbox_alerts")
      .on("outbox")
      .columns(["watch_id", "infraction_id"])
      .where(sql.ref("watch_id"), "is not", null)
      .execute();
    await db.schema
      .createIndex("outbox_replace")
      .on("outbox")
      .columns(["replace_at"])
      .where(sql.ref("replace_at"), "is not", null)
      .execute();
  },
};
