import type { Migration } from "kysely/migration";

/** The txid of a dispute's sale, which may be another than the dispute's own. Null until the next reading in full. */
export const saleTxids: Migration = {
  up: async (db) => {
    await db.schema.alterTable("dispute_watch").addColumn("sale_txid", "text").execute();
  },
};
