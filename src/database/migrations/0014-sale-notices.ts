import type { Migration } from "kysely/migration";

/** Notices of sales: where they go, who agreed to them, and what of each wallet account was told. */
export const saleNoticeTables: Migration = {
  up: async (db) => {
    await db.schema
      .createTable("sale_route")
      .addColumn("guild_id", "text", (column) => column.primaryKey())
      .addColumn("channel_id", "text", (column) => column.notNull())
      .addColumn("minimum_cents", "bigint", (column) => column.notNull())
      .addColumn("active", "integer", (column) => column.notNull())
      .addColumn("locale", "text", (column) => column.notNull())
      .addColumn("suspended_at", "text")
      .addColumn("updated_by", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("sale_choice")
      .addColumn("account_id", "text", (column) =>
        column.primaryKey().references("account.id").onDelete("cascade"),
      )
      .addColumn("choice", "text", (column) => column.notNull())
      .addColumn("since", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("sale_watch")
      .addColumn("account_fp", "text", (column) => column.primaryKey())
      .addColumn("next_look_at", "text", (column) => column.notNull())
      .addColumn("called_at", "text")
      .addColumn("held_until", "text")
      .addColumn("state", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("sale_watch_due")
      .on("sale_watch")
      .columns(["next_look_at", "account_fp"])
      .execute();
    await db.schema
      .createTable("sale_seen")
      .addColumn("account_fp", "text", (column) =>
        column.notNull().references("sale_watch.account_fp").onDelete("cascade"),
      )
      .addColumn("sale_key", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("sale_seen_pkey", ["account_fp", "sale_key"])
      .execute();
    await db.schema
      .createIndex("sale_seen_at")
      .on("sale_seen")
      .columns(["account_fp", "at"])
      .execute();
  },
};
