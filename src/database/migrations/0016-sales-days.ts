import type { Migration } from "kysely/migration";

/** Figures of days by wallet account, their changes, and the accounts with a history that the background reads. */
export const salesDaysTable: Migration = {
  up: async (db) => {
    await db.schema
      .createTable("sales_day")
      .addColumn("account_fp", "text", (column) => column.notNull())
      .addColumn("day", "text", (column) => column.notNull())
      .addColumn("sales_cents", "bigint", (column) => column.notNull())
      .addColumn("fees_cents", "bigint", (column) => column.notNull())
      .addColumn("net_cents", "bigint", (column) => column.notNull())
      .addColumn("api_count", "bigint", (column) => column.notNull())
      .addColumn("api_cents", "bigint", (column) => column.notNull())
      .addColumn("esales_count", "bigint", (column) => column.notNull())
      .addColumn("esales_cents", "bigint", (column) => column.notNull())
      .addColumn("read_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("sales_day_pkey", ["account_fp", "day"])
      .execute();
    await db.schema.createIndex("sales_day_by_day").on("sales_day").columns(["day"]).execute();
    await db.schema
      .createTable("sales_correction")
      .addColumn("account_fp", "text", (column) => column.notNull())
      .addColumn("day", "text", (column) => column.notNull())
      .addColumn("noticed_at", "text", (column) => column.notNull())
      .addColumn("old_sales_cents", "bigint", (column) => column.notNull())
      .addColumn("new_sales_cents", "bigint", (column) => column.notNull())
      .addColumn("old_net_cents", "bigint", (column) => column.notNull())
      .addColumn("new_net_cents", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("sales_correction_pkey", ["account_fp", "noticed_at", "day"])
      .execute();
    await db.schema
      .createTable("sales_history")
      .addColumn("account_fp", "text", (column) => column.primaryKey())
      .addColumn("asked_at", "text")
      .addColumn("next_at", "text", (column) => column.notNull())
      .execute();
    await db.schema.alterTable("report_progress").addColumn("corrections_told", "text").execute();
    await db.schema
      .createIndex("sales_history_due")
      .on("sales_history")
      .columns(["next_at"])
      .execute();
  },
};
