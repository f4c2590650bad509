import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

const createStorageState = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("storage_state")
    .addColumn("only_row", "integer", (column) => column.primaryKey())
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("generation", "bigint", (column) => column.notNull())
    .addColumn("money_sequence", "bigint", (column) => column.notNull())
    .addColumn("alive_at", "text", (column) => column.notNull())
    .addColumn("place", "text")
    .execute();
};

const createRestores = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("database_restore")
    .addColumn("number", "bigint", (column) => column.primaryKey())
    .addColumn("cause", "text", (column) => column.notNull())
    .addColumn("noticed_at", "text", (column) => column.notNull())
    .addColumn("last_event_at", "text")
    .addColumn("alive_at", "text")
    .execute();
  await db.schema
    .createTable("restore_check")
    .addColumn("account_fp", "text", (column) => column.primaryKey())
    .addColumn("cleared", "bigint", (column) => column.notNull())
    .addColumn("why", "text")
    .addColumn("shown", "text")
    .addColumn("answer_id", "text")
    .addColumn("at", "text", (column) => column.notNull())
    .execute();
};

export const restores: Migration = {
  up: async (db) => {
    await createStorageState(db);
    await createRestores(db);
  },
};
