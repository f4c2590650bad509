import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Connections of before get no values: migration 34 refuses their database, and leaves it as it was. */
const createWalletAccounts = async (db: Kysely<unknown>): Promise<void> => {
  for (const name of ["account_fp", "watch_id"]) {
    await db.schema
      .alterTable("account")
      .addColumn(name, "text", (column) => column.notNull().defaultTo(""))
      .execute();
  }
  const index = (name: string) => db.schema.createIndex(name).on("account");
  await index("account_by_wallet").columns(["account_fp", "id"]).execute();
  await index("account_by_watch").columns(["watch_id", "id"]).execute();
  await db.schema
    .createTable("wallet_key")
    .addColumn("key_fingerprint", "text", (column) => column.primaryKey())
    .addColumn("account_fp", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("wallet_key_of_account")
    .on("wallet_key")
    .columns(["account_fp", "key_fingerprint"])
    .execute();
};

/** Rebuilds the empty tables with the watch as their key: a watch outlives the connection that began it. */
const moveWatches = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("dispute_poll_of_watch")
    .addColumn("account_id", "text", (column) => column.primaryKey())
    .addColumn("next_poll_at", "text", (column) => column.notNull())
    .addColumn("counts", "text")
    .addColumn("list_read_at", "text")
    .addColumn("baseline_at", "text")
    .execute();
  await db.schema
    .createTable("dispute_watch_of_watch")
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("infraction_id", "text", (column) => column.notNull())
    .addColumn("txid", "text", (column) => column.notNull())
    .addColumn("amount_cents", "bigint", (column) => column.notNull())
    .addColumn("frozen_cents", "bigint", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("analysis_status", "text", (column) => column.notNull())
    .addColumn("due_at", "text", (column) => column.notNull())
    .addColumn("version", "bigint", (column) => column.notNull())
    .addColumn("first_seen_at", "text", (column) => column.notNull())
    .addColumn("done_steps", "text", (column) => column.notNull())
    .addColumn("answered_by_owner_at", "text")
    .addColumn("snoozed_until", "text")
    .addColumn("read_at", "text", (column) => column.notNull())
    .addColumn("closed_at", "text")
    .addPrimaryKeyConstraint("dispute_watch_key", ["account_id", "infraction_id"])
    .execute();
  for (const table of ["dispute_watch", "dispute_poll"]) {
    await db.schema.dropTable(table).execute();
    await db.schema.alterTable(`${table}_of_watch`).renameTo(table).execute();
  }
  await db.schema
    .createIndex("dispute_watch_awaiting")
    .on("dispute_watch")
    .columns(["due_at"])
    .where(sql<boolean>`closed_at is null and status = 'pending' and analysis_status = 'pending'`)
    .execute();
  await db.schema
    .createIndex("dispute_poll_due")
    .on("dispute_poll")
    .columns(["next_poll_at", "account_id"])
    .execute();
};

export const walletAccounts: Migration = {
  up: async (db) => {
    await createWalletAccounts(db);
    await moveWatches(db);
  },
};
