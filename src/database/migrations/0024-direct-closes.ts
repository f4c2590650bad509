import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { nowIn } from "./0018-closes.ts";

/** A seller with direct reports owes no close of a period that was over before closes came by direct message. */
export const directCloses: Migration = {
  up: async (db) => {
    await sql`
      insert into close_progress (guild_id, kind, active, active_since)
      select account.id, kinds.kind, 1, ${nowIn(db)} from account
      cross join (select 'week' as kind union all select 'month') as kinds
      where account.report_direct = 1
    `.execute(db);
  },
};
