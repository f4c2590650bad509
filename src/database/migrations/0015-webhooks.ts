import type { Migration } from "kysely/migration";

/** Addresses whose calls mean "look now", and whether their calls announce the news of a wallet account. */
export const webhooks: Migration = {
  up: async (db) => {
    await db.schema
      .createTable("webhook")
      .addColumn("secret_hash", "text", (column) => column.primaryKey())
      .addColumn("account_fp", "text", (column) => column.notNull())
      .addColumn("owner_id", "text", (column) => column.notNull())
      .addColumn("made_at", "text", (column) => column.notNull())
      .addColumn("restores", "bigint", (column) => column.notNull())
      .addColumn("last_call_at", "text")
      .execute();
    await db.schema
      .createIndex("webhook_by_account")
      .on("webhook")
      .columns(["account_fp", "owner_id"])
      .execute();
    await db.schema
      .createTable("webhook_trust")
      .addColumn("account_fp", "text", (column) => column.notNull())
      .addColumn("subject", "text", (column) => column.notNull())
      .addColumn("announced", "bigint", (column) => column.notNull())
      .addColumn("trusted_until", "text")
      .addColumn("unexplained_at", "text")
      .addPrimaryKeyConstraint("webhook_trust_key", ["account_fp", "subject"])
      .execute();
  },
};
