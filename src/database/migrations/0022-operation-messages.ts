import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The operation that a message is about: a newer message of it replaces the older ones. Older messages stay. */
export const operationMessages: Migration = {
  up: async (db) => {
    await db.schema.alterTable("outbox").addColumn("op_id", "text").execute();
    await db.schema
      .createIndex("outbox_operations")
      .on("outbox")
      .columns(["op_id"])
      .where(sql.ref("op_id"), "is not", null)
      .execute();
  },
};
