import { type Kysely, sql } from "kysely";

/** Makes the database refuse updates of a table's rows. Rows may still be deleted with their parent. */
export const makeAppendOnly = async (db: Kysely<unknown>, table: string): Promise<void> => {
  const name = sql.id(`${table}_append_only`);
  if (!db.getExecutor().adapter.supportsMultipleConnections) {
    await sql`
      create trigger ${name} before update on ${sql.table(table)}
      begin select raise(abort, 'rows of this table are never changed'); end
    `.execute(db);
    return;
  }
  await sql`
    create function ${name}() returns trigger language plpgsql as
    $$ begin raise exception 'rows of this table are never changed'; end $$
  `.execute(db);
  await sql`
    create trigger ${name} before update on ${sql.table(table)}
    for each row execute function ${name}()
  `.execute(db);
};
