import type { Migration } from "kysely/migration";

/** How many pending disputes of a watch the service counts and does not list; no row: none. */
export const unlistedDisputes: Migration = {
  up: async (db) => {
    await db.schema
      .createTable("dispute_unlisted")
      .addColumn("account_id", "text", (column) => column.primaryKey())
      .addColumn("pending_count", "bigint", (column) => column.notNull())
      .addColumn("told_count", "bigint", (column) => column.notNull())
      .execute();
  },
};
