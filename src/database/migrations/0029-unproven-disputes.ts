import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Settled disputes that may have been stored from the list, with its undocumented txid: they are read in full. A changed
 * row was read in full since.
 */
export const unprovenDisputes: Migration = {
  up: async (db) => {
    await sql`
      update dispute_watch set txid = ''
      where version = 1 and analysis_status <> 'rejected'
        and (status in ('agreed', 'disagreed') or analysis_status = 'accepted')
    `.execute(db);
    // Without counts, the next poll reads the list.
    await sql`
      update dispute_poll set counts = null
      where account_id in (select account_id from dispute_watch where txid = '')
    `.execute(db);
  },
};
