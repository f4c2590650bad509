import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Weekly and monthly closes: choice of each server, and the last period that was settled. */
export const closesTable: Migration = {
  up: async (db) => {
    await db.schema
      .createTable("close_progress")
      .addColumn("guild_id", "text", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("active", "integer", (column) => column.notNull())
      .addColumn("active_since", "text")
      .addColumn("last_day", "text")
      .addPrimaryKeyConstraint("close_progress_pkey", ["guild_id", "kind"])
      .execute();
    await db.schema
      .createIndex("withdraw_op_completed")
      .on("withdraw_op")
      .columns(["account_fp"])
      .where(sql<boolean>`state = 'completed'`)
      .execute();
  },
};
