import pg from "pg";
import { openSqliteFile } from "#src/database/sqlite.ts";

export type Row = Readonly<Record<string, unknown>>;

export const rowsOf = async (url: string, table: string): Promise<readonly Row[]> => {
  const statement = `select * from ${table}`;
  if (url.startsWith("sqlite:")) {
    const database = openSqliteFile(url.slice("sqlite:".length), { readOnly: true });
    const rows = database.prepare(statement).all();
    database.close();
    return rows;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Row>(statement);
  await client.end();
  return rows;
};
