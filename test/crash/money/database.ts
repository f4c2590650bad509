import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import pg from "pg";
import { startPostgres } from "../../support/start-postgres.ts";

type Row = Readonly<Record<string, string | number | null>>;

/** A database that bots are killed on, and a way to look into it beside them. */
export interface CrashDatabase {
  readonly url: string;
  readonly query: (statement: string) => Promise<readonly Row[]>;
  readonly close: () => Promise<void>;
}

export interface DatabaseServer {
  /** How many processes of the bot may share one of its databases. */
  readonly processes: number;
  readonly create: () => Promise<CrashDatabase>;
  readonly stop: () => Promise<void>;
}

/** The statement's rows; one that changes something has none. */
const onSqlite = (file: string, statement: string): readonly Row[] => {
  const database = new BetterSqlite3(file, { timeout: 5_000 });
  try {
    const prepared = database.prepare<[], Row>(statement);
    if (prepared.reader) return prepared.all();
    prepared.run();
    return [];
  } finally {
    database.close();
  }
};

export const sqliteServer: DatabaseServer = {
  processes: 1,
  create: async () => {
    const folder = mkdtempSync(join(tmpdir(), "balcao-crash-"));
    const file = join(folder, "balcao.db");
    return {
      url: `sqlite:${file}`,
      query: async (statement) => onSqlite(file, statement),
      close: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
  stop: async () => {},
};

/** A server of its own, which ends with this process. */
export const startPostgresServer = async (processes: number): Promise<DatabaseServer> => {
  const server = await startPostgres();
  let created = 0;
  return {
    processes,
    create: async () => {
      const url = await server.create(`crash_${++created}`);
      const pool = new pg.Pool({ connectionString: url, max: 2 });
      // A connection that the server ends while it is put away is nobody's loss.
      pool.on("error", () => {});
      return {
        url,
        query: async (statement) => (await pool.query<Row>(statement)).rows,
        close: () => pool.end(),
      };
    },
    stop: server.stop,
  };
};
