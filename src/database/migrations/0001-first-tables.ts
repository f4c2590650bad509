import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const createAccounts = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("account")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("guild_id", "text", (column) => column.notNull())
    .addColumn("owner_id", "text", (column) => column.notNull())
    .addColumn("connected_by", "text", (column) => column.notNull())
    .addColumn("api_key", "text", (column) => column.notNull())
    .addColumn("api_key_kid", "text", (column) => column.notNull())
    .addColumn("key_last4", "text", (column) => column.notNull())
    .addColumn("key_fingerprint", "text", (column) => column.notNull())
    .addColumn("owner_verified", "integer", (column) => column.notNull())
    .addColumn("report_consent", "integer", (column) => column.notNull())
    .addColumn("report_consent_at", "text")
    .addColumn("paused_at", "text")
    .addColumn("connected_at", "text", (column) => column.notNull())
    .addUniqueConstraint("account_of_owner", ["guild_id", "owner_id"])
    .execute();
  await db.schema
    .createIndex("account_by_kid")
    .on("account")
    .columns(["api_key_kid", "id"])
    .execute();
};

const createReports = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("report_route")
    .addColumn("guild_id", "text", (column) => column.primaryKey())
    .addColumn("channel_id", "text", (column) => column.notNull())
    .addColumn("time", "text", (column) => column.notNull())
    .addColumn("time_zone", "text", (column) => column.notNull())
    .addColumn("active", "integer", (column) => column.notNull())
    .addColumn("empty_choice", "text", (column) => column.notNull())
    .addColumn("locale", "text", (column) => column.notNull())
    .addColumn("active_since", "text", (column) => column.notNull())
    .addColumn("suspended_at", "text")
    .addColumn("updated_by", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("report_progress")
    .addColumn("account_id", "text", (column) =>
      column.primaryKey().references("account.id").onDelete("cascade"),
    )
    .addColumn("last_day", "text", (column) => column.notNull())
    .execute();
};

const createOutbox = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("outbox")
    .addColumn("dedupe_key", "text", (column) => column.primaryKey())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("target_kind", "text", (column) => column.notNull())
    .addColumn("target_id", "text", (column) => column.notNull())
    .addColumn("line", "text", (column) => column.notNull())
    .addColumn("guild_id", "text")
    .addColumn("account_id", "text")
    .addColumn("payload", "text", (column) => column.notNull())
    .addColumn("nonce", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("line_at", "text", (column) => column.notNull())
    .addColumn("not_before", "text", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("attempts", "bigint", (column) => column.notNull())
    .addColumn("first_attempt_at", "text")
    .addColumn("first_attempt_token", "bigint")
    .addColumn("owner", "text")
    .addColumn("token", "bigint", (column) => column.notNull())
    .addColumn("lease_until", "text")
    .addColumn("was_blocked", "integer", (column) => column.notNull())
    .addColumn("message_id", "text")
    .addColumn("last_error", "text")
    .addColumn("settled_at", "text")
    .execute();
  await db.schema
    .createIndex("outbox_lines")
    .on("outbox")
    .columns(["line", "line_at", "created_at", "dedupe_key"])
    .where(sql.ref("settled_at"), "is", null)
    .execute();
  await db.schema
    .createIndex("outbox_open")
    .on("outbox")
    .columns(["line_at"])
    .where(sql.ref("settled_at"), "is", null)
    .execute();
  await db.schema
    .createIndex("outbox_settled")
    .on("outbox")
    .columns(["settled_at"])
    .where(sql.ref("settled_at"), "is not", null)
    .execute();
  await db.schema.createIndex("outbox_of_account").on("outbox").columns(["account_id"]).execute();
};

const createRecords = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("meta")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("interaction_seen")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("at", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("identify_start")
    .addColumn("shard", "integer", (column) => column.notNull())
    .addColumn("at", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("audit_event")
    .addColumn("at", "text", (column) => column.notNull())
    .addColumn("actor", "text", (column) => column.notNull())
    .addColumn("action", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .execute();
  for (const table of ["interaction_seen", "identify_start", "audit_event"]) {
    await db.schema.createIndex(`${table}_at`).on(table).columns(["at"]).execute();
  }
};

export const firstTables: Migration = {
  up: async (db) => {
    await createAccounts(db);
    await createReports(db);
    await createOutbox(db);
    await createRecords(db);
  },
};
