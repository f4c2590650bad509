import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The states of an outcome that is not known: the service accepted every operation with a txid. */
const IS_LOCKING = sql<boolean>`(state in ('confirmed', 'sending', 'unknown')
  or (state = 'manual' and txid is null))`;
const IS_WITHDRAWAL = sql<boolean>`kind <> 'cancel'`;

/** Accepted operations no longer lock their wallet account. Rows stay as they are: the old index allowed fewer. */
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
