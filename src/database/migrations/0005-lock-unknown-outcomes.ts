import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** States with an unknown outcome: the service has accepted every operation with a txid. */
const IS_LOCKING = sql<boolean>`(state in ('confirmed', 'sending', 'unknown')
  or (state = 'manual' and txid is null))`;
const IS_WITHDRAWAL = sql<boolean>`kind <> 'cancel'`;

/**
 * Accepted operations stop locking their wallet account. The old index was stricter, so that every row fits the new
 * one.
 */
export const lockUnknownOutcomes: Migration = {
  up: async (db) => {
    await db.schema
      .createIndex("one_lock_per_account")
      .on("withdraw_op")
      .unique()
      .columns(["account_fp"])
      .where(IS_WITHDRAWAL)
      .where(IS_LOCKING)
      .execute();
    await db.schema.dropIndex("one_open_per_account").execute();
  },
};
