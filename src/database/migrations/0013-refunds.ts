import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const IS_LOCKING = sql<boolean>`(state in ('confirmed', 'sending', 'unknown')
  or (state = 'manual' and txid is null))`;
const IS_WITHDRAWAL = sql<boolean>`kind <> 'cancel' and kind <> 'refund'`;
const IS_OPEN_OR_MADE_REFUND = sql<boolean>`kind = 'refund' and (state in
  ('confirmed', 'sending', 'accepted', 'scheduled', 'processing', 'unknown', 'manual', 'completed')
  or (state = 'resolved_manual' and resolution = 'happened'))`;
const IS_ASKED_REFUND = sql<boolean>`kind = 'refund' and state <> 'draft'`;

/**
 * A refund of unknown outcome locks its payment and no account, and a refund that was made locks it for good. The rule
 * has no account: two keys may be of one wallet account before the bot learns so, and a txid names one payment of the
 * service.
 */
export const refunds: Migration = {
  up: async (db) => {
    await db.schema.dropIndex("one_lock_per_account").execute();
    await db.schema
      .createIndex("one_lock_per_account")
      .on("withdraw_op")
      .unique()
      .columns(["account_fp"])
      .where(IS_WITHDRAWAL)
      .where(IS_LOCKING)
      .execute();
    await db.schema
      .createIndex("one_refund_per_payment")
      .on("withdraw_op")
      .unique()
      .columns(["target_txid"])
      .where(IS_OPEN_OR_MADE_REFUND)
      .execute();
    await db.schema
      .createIndex("withdraw_op_refunds")
      .on("withdraw_op")
      .columns(["target_txid", "created_at"])
      .where(IS_ASKED_REFUND)
      .execute();
  },
};
