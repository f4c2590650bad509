import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The database's clock, as a stored instant. */
export const nowIn = (db: Kysely<unknown>) =>
  db.getExecutor().adapter.supportsMultipleConnections
    ? sql`to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

/** A server with reports owes no close of a period that was over before its bot made closes. */
const startClosesNow = (db: Kysely<unknown>) =>
  sql`
    insert into close_progress (guild_id, kind, active, active_since)
    select guild_id, kinds.kind, 1, ${nowIn(db)} from report_route
    cross join (select 'week' as kind union all select 'month') as kinds
  `.execute(db);

/** Weekly and monthly closes: choice of each server, and the last period that was settled. */
export const closesTable: Migration = {
  up: async (db) => {
    await db.schema
      .createTable("close_progress")
      .addColumn("guild_id", "text", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("active", "integer", (column) => column.notNull())
      .addColumn("active_since", "text")
      .addColumn("last_day", "text")
      .addPrimaryKeyConstraint("close_progress_pkey", ["guild_id", "kind"])
      .execute();
    await startClosesNow(db);
  },
};
