import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Sellers who want the daily report for themselves, by direct message. Present sellers stay as they are. */
export const directReports: Migration = {
  up: async (db) => {
    await db.schema
      .alterTable("account")
      .addColumn("report_direct", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable("report_progress").addColumn("first_day", "text").execute();
    await db.schema
      .createIndex("account_with_direct_report")
      .on("account")
      .columns(["id"])
      .where(sql.ref("report_direct"), "=", sql.lit(1))
      .execute();
  },
};
