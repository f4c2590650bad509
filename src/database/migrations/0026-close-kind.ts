import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The kind of a close, which was read from its key: `close|<store>|<place>|<kind>:<first day>:<last day>`. */
export const closeKind: Migration = {
  up: async (db) => {
    await db.schema.alterTable("outbox").addColumn("close_kind", "text").execute();
    await sql`
      update outbox set close_kind = case when dedupe_key like '%|week:%' then 'week' else 'month' end
      where kind = 'close'
    `.execute(db);
  },
};
