import type { Migration } from "kysely/migration";

/** Number of pending disputes of a watch that the service counts but does not list. A missing row means 0. */
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
