import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Disputes without their sale's txid, which version 33 left so: without counts, the next poll reads the list, and them
 * in full. Until then a refund reads a few of them at each try and is refused.
 */
export const unreadSales: Migration = {
  up: async (db) => {
    await sql`
      update dispute_poll set counts = null
      where account_id in
        (select account_id from dispute_watch where sale_txid is null and analysis_status <> 'rejected')
    `.execute(db);
  },
};
