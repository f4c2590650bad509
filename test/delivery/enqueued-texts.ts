import { sql } from "kysely";
import type { Database } from "#src/schema.ts";

/** Keeps what SQLite's outbox enqueues from now on, whose texts are emptied as they are settled. */
export const keepEnqueued = async (
  db: Database,
): Promise<() => Promise<readonly { readonly target: string; readonly payload: string }[]>> => {
  await sql`create temp table if not exists enqueued (place integer primary key, target text, payload text)`.execute(
    db,
  );
  await sql`
    create temp trigger if not exists keep_enqueued after insert on outbox
    begin insert into enqueued (target, payload) values (new.target_id, new.payload); end
  `.execute(db);
  await sql`delete from enqueued`.execute(db);
  return async () => {
    const { rows } = await sql<{ target: string; payload: string }>`
      select target, payload from enqueued order by place`.execute(db);
    return rows;
  };
};
