import { type Kysely, sql } from "kysely";

/** Makes the database itself refuse every change of what a table's rows say. They may still go with what they are of. */
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
