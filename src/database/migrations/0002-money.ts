import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { makeAppendOnly } from "./append-only.ts";

/** The states that lock a wallet account. */
const IS_OPEN = sql<boolean>`state in
  ('confirmed', 'sending', 'accepted', 'scheduled', 'processing', 'unknown', 'manual')`;
const IS_CHECKED = sql<boolean>`state in
  ('accepted', 'scheduled', 'processing', 'unknown', 'manual')`;
const IS_CANCEL = sql<boolean>`kind = 'cancel'`;
const IS_WITHDRAWAL = sql<boolean>`kind <> 'cancel'`;

const createJournal = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("withdraw_op")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("account_fp", "text", (column) => column.notNull())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("guild_id", "text", (column) => column.notNull())
    .addColumn("channel_id", "text", (column) => column.notNull())
    .addColumn("owner_id", "text", (column) => column.notNull())
    .addColumn("interaction_id", "text", (column) => column.notNull())
    .addColumn("locale", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("amount_cents", "bigint")
    .addColumn("fee_cents", "bigint")
    .addColumn("net_cents", "bigint")
    .addColumn("pix_key_enc", "text")
    .addColumn("pix_key_kid", "text")
    .addColumn("pix_key_masked", "text", (column) => column.notNull())
    .addColumn("pix_key_hash", "text", (column) => column.notNull())
    .addColumn("recipient_id", "text")
    .addColumn("target_txid", "text")
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("version", "bigint", (column) => column.notNull())
    .addColumn("confirmations_left", "integer", (column) => column.notNull())
    .addColumn("confirm_token_hash", "text")
    .addColumn("confirm_expires_at", "text")
    .addColumn("confirmed_at", "text")
    .addColumn("sent_at", "text")
    .addColumn("lease_owner", "text")
    .addColumn("lease_until", "text")
    .addColumn("pre_txids", "text")
    .addColumn("pre_balance_cents", "bigint")
    .addColumn("skew_ms", "bigint")
    .addColumn("http_status", "integer")
    .addColumn("error_code", "text")
    .addColumn("request_id", "text")
    .addColumn("txid", "text")
    .addColumn("scheduled_for", "text")
    .addColumn("absences", "bigint", (column) => column.notNull())
    .addColumn("first_absent_at", "text")
    .addColumn("checks", "bigint", (column) => column.notNull())
    .addColumn("next_check_at", "text")
    .addColumn("resolved_by", "text")
    .addColumn("resolution", "text")
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("updated_at", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("withdraw_event")
    .addColumn("op_id", "text", (column) =>
      column.notNull().references("withdraw_op.id").onDelete("cascade"),
    )
    .addColumn("seq", "bigint", (column) => column.notNull())
    .addColumn("at", "text", (column) => column.notNull())
    .addColumn("from_state", "text")
    .addColumn("to_state", "text", (column) => column.notNull())
    .addColumn("reason", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("withdraw_event_pkey", ["op_id", "seq"])
    .execute();
};

/** Unique rules. PostgreSQL reports the name of the rule that a statement breaks. */
const createJournalRules = async (db: Kysely<unknown>): Promise<void> => {
  const unique = (name: string) => db.schema.createIndex(name).on("withdraw_op").unique();
  await unique("one_open_per_account")
    .columns(["account_fp"])
    .where(IS_WITHDRAWAL)
    .where(IS_OPEN)
    .execute();
  await unique("one_open_cancel")
    .columns(["account_fp", "target_txid"])
    .where(IS_CANCEL)
    .where(IS_OPEN)
    .execute();
  await unique("txid_once")
    .columns(["account_fp", "txid"])
    .where(sql.ref("txid"), "is not", null)
    .where(IS_WITHDRAWAL)
    .execute();
  await unique("one_op_per_token")
    .columns(["confirm_token_hash"])
    .where(sql.ref("confirm_token_hash"), "is not", null)
    .execute();
};

const createJournalIndexes = async (db: Kysely<unknown>): Promise<void> => {
  const index = (name: string) => db.schema.createIndex(name).on("withdraw_op");
  await index("withdraw_op_due").columns(["next_check_at", "id"]).where(IS_CHECKED).execute();
  await index("withdraw_op_held")
    .columns(["lease_until"])
    .where(sql<boolean>`state in ('confirmed', 'sending')`)
    .execute();
  await index("withdraw_op_drafts")
    .columns(["confirm_expires_at"])
    .where(sql<boolean>`state = 'draft'`)
    .execute();
  await index("withdraw_op_abandoned")
    .columns(["updated_at"])
    .where(sql<boolean>`state = 'abandoned'`)
    .execute();
  await index("withdraw_op_of_owner").columns(["owner_id", "created_at", "id"]).execute();
  await index("withdraw_op_of_account").columns(["account_fp", "sent_at"]).execute();
  await index("withdraw_op_with_key")
    .columns(["pix_key_kid", "id"])
    .where(sql.ref("pix_key_kid"), "is not", null)
    .execute();
};

const createPixKeys = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("pix_key")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("owner_id", "text", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("masked", "text", (column) => column.notNull())
    .addColumn("key_enc", "text")
    .addColumn("key_kid", "text")
    .addColumn("first_seen_at", "text", (column) => column.notNull())
    .addColumn("last_used_at", "text")
    .addUniqueConstraint("pix_key_of_owner", ["owner_id", "hash"])
    .execute();
  await db.schema
    .createIndex("pix_key_saved")
    .on("pix_key")
    .columns(["key_kid", "id"])
    .where(sql.ref("key_kid"), "is not", null)
    .execute();
};

const createGuards = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("money_guard")
    .addColumn("owner_id", "text", (column) => column.primaryKey())
    .addColumn("locked_at", "text")
    .addColumn("unlock_at", "text")
    .addColumn("pin_hash", "text")
    .addColumn("pin_salt", "text")
    .addColumn("pin_wrong_tries", "integer", (column) => column.notNull())
    .addColumn("pin_locked_until", "text")
    .addColumn("pin_ends_at", "text")
    .addColumn("daily_cap_cents", "bigint")
    .addColumn("pending_cap_cents", "bigint")
    .addColumn("pending_cap_from", "text")
    .addColumn("new_key_wait", "integer", (column) => column.notNull())
    .addColumn("new_key_wait_ends_at", "text")
    .execute();
};

const createReadings = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("split_balance")
    .addColumn("account_fp", "text", (column) => column.notNull())
    .addColumn("recipient_id", "text", (column) => column.notNull())
    .addColumn("balance_cents", "bigint", (column) => column.notNull())
    .addColumn("at", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("split_balance_pkey", ["account_fp", "recipient_id"])
    .execute();
  await db.schema
    .createTable("ghost_baseline")
    .addColumn("account_fp", "text", (column) => column.primaryKey())
    .addColumn("at", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("ghost_seen")
    .addColumn("account_fp", "text", (column) =>
      column.notNull().references("ghost_baseline.account_fp").onDelete("cascade"),
    )
    .addColumn("txid", "text", (column) => column.notNull())
    .addColumn("at", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("ghost_seen_pkey", ["account_fp", "txid"])
    .execute();
};

export const money: Migration = {
  up: async (db) => {
    await createJournal(db);
    await makeAppendOnly(db, "withdraw_event");
    await createJournalRules(db);
    await createJournalIndexes(db);
    await createPixKeys(db);
    await createGuards(db);
    await createReadings(db);
    await db.schema
      .createIndex("account_by_fingerprint")
      .on("account")
      .columns(["key_fingerprint", "id"])
      .execute();
  },
};
