import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Times tell no order after the clock was set back: an account's withdrawals get numbers in the order in which they were
 * sent, and a confirmation notes the last one when it is shown. `set_back_at`: the first reading that found the clock
 * before the request. The indexes find checks that such a clock has put off.
 */
export const clockSetBack: Migration = {
  up: async (db) => {
    await db.schema.alterTable("withdraw_op").addColumn("turn", "bigint").execute();
    await db.schema.alterTable("withdraw_op").addColumn("shown_turn", "bigint").execute();
    await db.schema.alterTable("withdraw_op").addColumn("set_back_at", "text").execute();
    // Open confirmations: no withdrawal has a turn yet.
    await sql`update withdraw_op set shown_turn = 0 where state in ('draft', 'confirmed')`.execute(
      db,
    );
    await db.schema
      .createIndex("withdraw_op_unknown")
      .on("withdraw_op")
      .columns(["next_check_at", "id"])
      .where(sql<boolean>`state = 'unknown'`)
      .execute();
    await db.schema
      .createIndex("charge_open_due")
      .on("charge")
      .columns(["next_check_at", "id"])
      .where(sql<boolean>`state in ('creating', 'unknown', 'open')`)
      .execute();
  },
};
