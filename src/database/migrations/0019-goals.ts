import type { Migration } from "kysely/migration";

/** Goals of the month, one for each connection. */
export const goalTable: Migration = {
  up: async (db) => {
    await db.schema
      .createTable("goal")
      .addColumn("account_id", "text", (column) =>
        column.primaryKey().references("account.id").onDelete("cascade"),
      )
      .addColumn("amount_cents", "bigint", (column) => column.notNull())
      .addColumn("shown", "integer", (column) => column.notNull())
      .execute();
  },
};
