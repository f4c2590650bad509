import type { Migration } from "kysely/migration";

/** The rows of closes by direct message hold the id of an account, not of a guild. */
export const progressId: Migration = {
  up: async (db) => {
    await db.schema.alterTable("close_progress").renameColumn("guild_id", "progress_id").execute();
  },
};
