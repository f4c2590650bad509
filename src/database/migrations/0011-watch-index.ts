import type { Migration } from "kysely/migration";

/** The index holds all columns that decide which watches are polled: each minute reads thousands of its entries. */
export const watchIndex: Migration = {
  up: async (db) => {
    await db.schema.dropIndex("account_by_watch").execute();
    await db.schema
      .createIndex("account_by_watch")
      .on("account")
      .columns(["watch_id", "alerts", "paused_at", "id"])
      .execute();
  },
};
