import type { Migration } from "kysely/migration";

/**
 * The notices of an open question after a restore, which the outbox forgets after a month. Null for questions of before:
 * their next reading fills it in.
 */
export const toldQuestions: Migration = {
  up: async (db) => {
    await db.schema.alterTable("restore_check").addColumn("told", "text").execute();
  },
};
