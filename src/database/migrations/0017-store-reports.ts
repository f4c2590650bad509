import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The newest day whose report a server has, found by the days of its sellers. */
const fillPostedDays = (db: Kysely<unknown>) =>
  sql`
    update report_route set posted_day = (
      select max(report_progress.last_day) from report_progress
      inner join account on account.id = report_progress.account_id
      where account.guild_id = report_route.guild_id and account.report_consent = 1
    )
  `.execute(db);

/** One report for a server and day, in place of one for each of its sellers. */
export const storeReports: Migration = {
  up: async (db) => {
    await db.schema.alterTable("report_route").addColumn("posted_day", "text").execute();
    await fillPostedDays(db);
    await db.schema
      .createIndex("outbox_of_store_reports")
      .on("outbox")
      .columns(["guild_id"])
      .where(sql.ref("kind"), "=", sql.lit("sales_report"))
      .execute();
  },
};
