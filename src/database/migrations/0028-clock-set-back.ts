import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Times tell no order after the clock was set back: an account's withdrawals get numbers in the order in which they were
 * sent, and a confirmation notes the last one when it is shown. One that was shown before is shown once more. The
 * indexes find checks that such a clock has put off.
 */
export const clockSetBack: Migration = {
  up: async (db) => {
    await db.schema.alterTable("withdraw_op").addColumn("turn", "bigint").execute();
    await db.schema.alterTable("withdraw_op").addColumn("shown_turn", "bigint").execute();
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
