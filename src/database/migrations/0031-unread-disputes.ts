import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Settled disputes that may still have the list's undocumented txid: cancelled ones, which the bank may accept later,
 * and those whose version rose by a merge of two watches. A reading in full that changed a row moved `read_at`.
 */
export const unreadDisputes: Migration = {
  up: async (db) => {
    await sql`
      update dispute_watch set txid = ''
      where read_at = first_seen_at and analysis_status <> 'rejected'
        and (status in ('agreed', 'disagreed', 'canceled') or analysis_status = 'accepted')
    `.execute(db);
    // Without counts, the next poll reads the list.
    await sql`
      update dispute_poll set counts = null
      where account_id in (select account_id from dispute_watch where txid = '')
    `.execute(db);
  },
};
