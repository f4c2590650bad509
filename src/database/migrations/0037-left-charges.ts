import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Open charges without a txid, which the versions before stopped following: they are looked for again until they end. */
export const leftCharges: Migration = {
  up: async (db) => {
    await sql`
      update charge set next_check_at = created_at
      where state = 'open' and txid is null and next_check_at is null
    `.execute(db);
  },
};
