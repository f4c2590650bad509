import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Charges that sellers asked for; no column holds a payer. */
export const chargeTables: Migration = {
  up: async (db) => {
    await db.schema
      .createTable("charge")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("version", "bigint", (column) => column.notNull())
      .addColumn("owner_id", "text", (column) => column.notNull())
      .addColumn("account_id", "text", (column) => column.notNull())
      .addColumn("guild_id", "text", (column) => column.notNull())
      .addColumn("channel_id", "text", (column) => column.notNull())
      .addColumn("interaction_id", "text", (column) => column.notNull().unique())
      .addColumn("locale", "text", (column) => column.notNull())
      .addColumn("amount_cents", "bigint", (column) => column.notNull())
      .addColumn("description", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("txid", "text")
      .addColumn("code", "text")
      .addColumn("problem", "text")
      .addColumn("fee_cents", "bigint")
      .addColumn("net_cents", "bigint")
      .addColumn("expires_at", "text")
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("ended_at", "text")
      .addColumn("checks", "bigint", (column) => column.notNull())
      .addColumn("next_check_at", "text")
      .addColumn("card_channel_id", "text")
      .addColumn("card_message_id", "text")
      .addColumn("card_state", "text")
      .execute();
    await db.schema
      .createIndex("charge_due")
      .on("charge")
      .columns(["next_check_at"])
      .where(sql.ref("next_check_at"), "is not", null)
      .execute();
    await db.schema
      .createIndex("charge_cards")
      .on("charge")
      .columns(["id"])
      .where(sql<boolean>`card_state is not null and card_state <> state`)
      .execute();
    await db.schema
      .createIndex("charge_txid")
      .unique()
      .on("charge")
      .columns(["account_id", "txid"])
      .where(sql.ref("txid"), "is not", null)
      .execute();
    await db.schema.createIndex("charge_owner").on("charge").columns(["owner_id"]).execute();
  },
};
