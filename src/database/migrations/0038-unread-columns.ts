import type { Migration } from "kysely/migration";

/** Columns that were written and never read. */
export const unreadColumns: Migration = {
  up: async (db) => {
    for (const [table, column] of [
      ["withdraw_op", "interaction_id"],
      ["withdraw_op", "lease_owner"],
      ["dispute_watch", "read_at"],
    ] as const) {
      await db.schema.alterTable(table).dropColumn(column).execute();
    }
  },
};
