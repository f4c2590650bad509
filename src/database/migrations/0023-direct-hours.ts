import type { Migration } from "kysely/migration";

/** The hour that a seller chose for the report by direct message. Without one it comes at the server's hour, as before. */
export const directHours: Migration = {
  up: async (db) => {
    await db.schema.alterTable("account").addColumn("report_time", "text").execute();
  },
};
