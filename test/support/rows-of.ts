import { openSqliteFile } from "#src/database/sqlite.ts";
import { connected } from "./start-postgres.ts";

export type Row = Readonly<Record<string, unknown>>;

export const rowsOf = async (url: string, table: string): Promise<readonly Row[]> => {
  const statement = `select * from ${table}`;
  if (url.startsWith("sqlite:")) {
    const database = openSqliteFile(url.slice("sqlite:".length), { readOnly: true });
    const rows = database.prepare(statement).all();
    database.close();
    return rows;
  }
  return (await connected(url, (client) => client.query<Row>(statement))).rows;
};
