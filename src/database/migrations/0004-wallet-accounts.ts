import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The fingerprint of the key stands for the wallet account until the service's user id is known. */
const createWalletAccounts = async (db: Kysely<unknown>): Promise<void> => {
  for (const name of ["account_fp", "watch_id"]) {
    await db.schema
      .alterTable("account")
      .addColumn(name, "text", (column) => column.notNull().defaultTo(""))
      .execute();
  }
  await sql`
    update account set account_fp = key_fingerprint, watch_id = (
      select min(same.id) from account same
      where same.owner_id = account.owner_id and same.key_fingerprint = account.key_fingerprint
    )
  `.execute(db);
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

interface OldWatch {
  readonly account_id: string;
  readonly watch_id: string;
  readonly infraction_id: string;
  readonly done_steps: string;
  readonly answered_by_owner_at: string | null;
  readonly snoozed_until: string | null;
  readonly closed_at: string | null;
}

const later = (one: string | null, other: string | null): string | null =>
  (one ?? "") > (other ?? "") ? one : other;

/** Cancels unsent alerts of a merged watch and unmarks their steps, so that they are owed again. */
const takeBackWaiting = async (db: Kysely<unknown>): Promise<void> => {
  const { rows: waiting } = await sql<{ dedupe_key: string }>`
    select dedupe_key from outbox where kind = 'dispute_alert' and settled_at is null
      and account_id in (select id from account where watch_id <> id)
  `.execute(db);
  for (const { dedupe_key: key } of waiting) {
    const [, accountId, infractionId, step] = key.split("|");
    const { rows } = await sql<{ done_steps: string }>`
      select done_steps from dispute_watch where account_id = ${accountId} and infraction_id = ${infractionId}
    `.execute(db);
    for (const { done_steps: told } of rows) {
      const left = (JSON.parse(told) as string[]).filter((each) => each !== step);
      await sql`
        update dispute_watch set done_steps = ${JSON.stringify(left)}, closed_at = null
        where account_id = ${accountId} and infraction_id = ${infractionId}
      `.execute(db);
    }
  }
  await sql`
    update outbox set state = 'obsolete', last_error = 'watched_once', lease_until = null, settled_at = created_at
    where kind = 'dispute_alert' and settled_at is null
      and account_id in (select id from account where watch_id <> id)
  `.execute(db);
};

/** Merges what two connections of one owner and key recorded about a dispute. */
const mergeInto = async (db: Kysely<unknown>, kept: OldWatch, other: OldWatch): Promise<void> => {
  const stepsOf = ({ done_steps: told }: OldWatch) => JSON.parse(told) as string[];
  const steps = new Set([...stepsOf(kept), ...stepsOf(other)]);
  const closed = kept.closed_at === null ? null : (other.closed_at ?? kept.closed_at);
  await sql`
    update dispute_watch set version = version + 1,
      done_steps = ${JSON.stringify([...steps])},
      answered_by_owner_at = ${later(kept.answered_by_owner_at, other.answered_by_owner_at)},
      snoozed_until = ${later(kept.snoozed_until, other.snoozed_until)},
      closed_at = ${closed}
    where account_id = ${kept.account_id} and infraction_id = ${kept.infraction_id}
  `.execute(db);
};

const mergeWatches = async (db: Kysely<unknown>): Promise<void> => {
  const { rows } = await sql<OldWatch>`
    select w.account_id, a.watch_id, w.infraction_id, w.done_steps, w.answered_by_owner_at,
      w.snoozed_until, w.closed_at
    from dispute_watch w join account a on a.id = w.account_id
    where a.watch_id in (select watch_id from account group by watch_id having count(*) > 1)
    order by a.watch_id, w.infraction_id, w.account_id
  `.execute(db);
  const groups = Map.groupBy(rows, (row) => `${row.watch_id} ${row.infraction_id}`);
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    for (const other of group.slice(1)) {
      const now = await sql<OldWatch>`
        select * from dispute_watch
        where account_id = ${first.account_id} and infraction_id = ${first.infraction_id}
      `.execute(db);
      const kept = now.rows[0];
      if (kept !== undefined) await mergeInto(db, kept, other);
      await sql`
        delete from dispute_watch
        where account_id = ${other.account_id} and infraction_id = ${other.infraction_id}
      `.execute(db);
    }
  }
};

/** Rebuilds the tables with the watch as their key: a watch outlives the connection that began it. */
const moveWatches = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("dispute_poll_of_watch")
    .addColumn("account_id", "text", (column) => column.primaryKey())
    .addColumn("next_poll_at", "text", (column) => column.notNull())
    .addColumn("counts", "text")
    .addColumn("list_read_at", "text")
    .addColumn("baseline_at", "text")
    .execute();
  // Merged watches lose their counts, so that the next poll reads the disputes of cancelled alerts again.
  await sql`
    insert into dispute_poll_of_watch (account_id, next_poll_at, counts, list_read_at, baseline_at)
    select a.watch_id, min(p.next_poll_at), case when count(*) = 1 then min(p.counts) end,
      max(p.list_read_at), min(p.baseline_at)
    from dispute_poll p join account a on a.id = p.account_id group by a.watch_id
  `.execute(db);
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
  await sql`
    insert into dispute_watch_of_watch (account_id, infraction_id, txid, amount_cents, frozen_cents, status,
      analysis_status, due_at, version, first_seen_at, done_steps, answered_by_owner_at, snoozed_until, read_at,
      closed_at)
    select a.watch_id, w.infraction_id, w.txid, w.amount_cents, w.frozen_cents, w.status, w.analysis_status,
      w.due_at, w.version, w.first_seen_at, w.done_steps, w.answered_by_owner_at, w.snoozed_until, w.read_at,
      w.closed_at
    from dispute_watch w join account a on a.id = w.account_id
  `.execute(db);
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
    await takeBackWaiting(db);
    await mergeWatches(db);
    await moveWatches(db);
  },
};
