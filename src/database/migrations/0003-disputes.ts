import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const createRoutes = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("alert_route")
    .addColumn("guild_id", "text", (column) => column.primaryKey())
    .addColumn("channel_id", "text", (column) => column.notNull())
    .addColumn("role_id", "text")
    .addColumn("ping_steps", "text", (column) => column.notNull())
    .addColumn("quiet_from", "text")
    .addColumn("quiet_to", "text")
    .addColumn("time_zone", "text", (column) => column.notNull())
    .addColumn("slow_nights", "integer", (column) => column.notNull())
    .addColumn("active", "integer", (column) => column.notNull())
    .addColumn("locale", "text", (column) => column.notNull())
    .addColumn("active_since", "text", (column) => column.notNull())
    .addColumn("suspended_at", "text")
    .addColumn("updated_by", "text", (column) => column.notNull())
    .execute();
};

const createWatch = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("dispute_watch")
    .addColumn("account_id", "text", (column) =>
      column.notNull().references("account.id").onDelete("cascade"),
    )
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
    .addPrimaryKeyConstraint("dispute_watch_pkey", ["account_id", "infraction_id"])
    .execute();
  await db.schema
    .createIndex("dispute_watch_awaiting")
    .on("dispute_watch")
    .columns(["due_at"])
    .where(sql<boolean>`closed_at is null and status = 'pending' and analysis_status = 'pending'`)
    .execute();
};

const createPolls = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("dispute_poll")
    .addColumn("account_id", "text", (column) =>
      column.primaryKey().references("account.id").onDelete("cascade"),
    )
    .addColumn("next_poll_at", "text", (column) => column.notNull())
    .addColumn("counts", "text")
    .addColumn("list_read_at", "text")
    .addColumn("baseline_at", "text")
    .execute();
  await db.schema
    .createIndex("dispute_poll_due")
    .on("dispute_poll")
    .columns(["next_poll_at", "account_id"])
    .execute();
};

const createProofs = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("proof")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("owner_id", "text", (column) => column.notNull())
    .addColumn("guild_id", "text", (column) => column.notNull())
    .addColumn("txid", "text")
    .addColumn("content", "text", (column) => column.notNull())
    .addColumn("content_kid", "text", (column) => column.notNull())
    .addColumn("kept_at", "text", (column) => column.notNull())
    .execute();
  const index = (name: string) => db.schema.createIndex(name).on("proof");
  await index("proof_of_sale").columns(["owner_id", "txid"]).execute();
  await index("proof_by_kid").columns(["content_kid", "id"]).execute();
  await index("proof_pending").columns(["kept_at"]).where(sql.ref("txid"), "is", null).execute();
};

export const disputes: Migration = {
  up: async (db) => {
    await db.schema
      .alterTable("account")
      .addColumn("alerts", "text", (column) => column.notNull().defaultTo("direct"))
      .execute();
    await db.schema.alterTable("account").addColumn("locale", "text").execute();
    await createRoutes(db);
    await createWatch(db);
    await createPolls(db);
    await createProofs(db);
  },
};
