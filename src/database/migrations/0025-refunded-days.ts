import type { Migration } from "kysely/migration";

/** When a refund of a day's sale was seen: figures that were read before it are read again. */
export const refundedDays: Migration = {
  up: async (db) => {
    await db.schema.alterTable("sales_day").addColumn("refunded_at", "text").execute();
  },
};
