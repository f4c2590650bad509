import type { Migration } from "kysely/migration";

export const people: Migration = {
  up: async (db) => {
    await db.schema
      .createTable("presence")
      .addColumn("guild_id", "text", (column) => column.notNull())
      .addColumn("owner_id", "text", (column) => column.notNull())
      .addColumn("asked_on", "text", (column) => column.notNull())
      .addColumn("left_at", "text")
      .addPrimaryKeyConstraint("presence_pkey", ["guild_id", "owner_id"])
      .execute();
    await db.schema
      .createTable("pending_key")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("guild_id", "text", (column) => column.notNull())
      .addColumn("owner_id", "text", (column) => column.notNull())
      .addColumn("asked_by", "text", (column) => column.notNull())
      .addColumn("api_key", "text", (column) => column.notNull())
      .addColumn("api_key_kid", "text", (column) => column.notNull())
      .addColumn("key_last4", "text", (column) => column.notNull())
      .addColumn("locale", "text", (column) => column.notNull())
      .addColumn("asked_at", "text", (column) => column.notNull())
      .addUniqueConstraint("pending_key_of_owner", ["guild_id", "owner_id"])
      .execute();
    await db.schema
      .createIndex("pending_key_by_kid")
      .on("pending_key")
      .columns(["api_key_kid", "id"])
      .execute();
    await db.schema
      .createIndex("pending_key_by_age")
      .on("pending_key")
      .columns(["asked_at"])
      .execute();
    await db.schema
      .createIndex("account_by_owner")
      .on("account")
      .columns(["owner_id", "connected_at", "id"])
      .execute();
  },
};
