import type { Migration } from "kysely/migration";

/** Each lock of a PIN lasts longer than the one before it, until the right PIN was given. */
export const pinLocks: Migration = {
  up: async (db) => {
    await db.schema
      .alterTable("money_guard")
      .addColumn("pin_locks", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
