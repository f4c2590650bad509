import type { Migration } from "kysely/migration";

/** Counts a PIN's consecutive locks: each lasts longer than the last, until the correct PIN is given. */
export const pinLocks: Migration = {
  up: async (db) => {
    await db.schema
      .alterTable("money_guard")
      .addColumn("pin_locks", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
