import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openSqliteFile } from "#src/database/sqlite.ts";
import { startPostgres } from "../../support/start-postgres.ts";
import { startTcpLink, type TcpLink } from "../../support/tcp-link.ts";

type Row = Readonly<Record<string, string | number | null>>;

export interface CrashDatabase {
  readonly url: string;
  readonly query: (statement: string) => Promise<readonly Row[]>;
  /** Shifts the database's own clock, which decides leases, ahead of real time. */
  readonly setAhead: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface DatabaseServer {
  /** Maximum number of bot processes that share one database. */
  readonly processes: number;
  readonly create: () => Promise<CrashDatabase>;
  /** SIGKILL to all server processes; undefined for SQLite. */
  readonly kill?: () => Promise<void>;
  readonly start?: () => Promise<void>;
  /** Resets every connection between the bots and the server. */
  readonly cut?: () => void;
  readonly stop: () => Promise<void>;
}

/** Rows of a query; empty for a statement that changes data. */
const onSqlite = (file: string, statement: string): readonly Row[] => {
  const database = openSqliteFile(file);
  try {
    return database.prepare(statement).all() as readonly Row[];
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
      // Leases on SQLite follow the bot's clock.
      setAhead: async () => {},
      close: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
  stop: async () => {},
};

/**
 * The bot calls the clock function without a schema, so this one is found first. Commits are acknowledged before they
 * reach the disk unless the bot demands otherwise.
 */
const prepare = (name: string): readonly string[] => [
  "create table public.crash_clock (ahead interval not null)",
  "insert into public.crash_clock values ('0')",
  `create function public.clock_timestamp() returns timestamptz language sql volatile as
    'select pg_catalog.clock_timestamp() + ahead from public.crash_clock'`,
  `alter database ${name} set search_path = public, pg_catalog`,
  `alter database ${name} set synchronous_commit = off`,
];

/** A dedicated server that ends with this process, reached by a link that can be cut. */
export const startPostgresServer = async (processes: number): Promise<DatabaseServer> => {
  const server = await startPostgres();
  const links: TcpLink[] = [];
  let created = 0;
  return {
    processes,
    create: async () => {
      const name = `crash_${++created}`;
      const direct = await server.create(name);
      const link = await startTcpLink(direct);
      links.push(link);
      const pool = new pg.Pool({ connectionString: direct, max: 2 });
      // The pool replaces connections that the server broke.
      pool.on("error", () => {});
      pool.on("connect", (client) => client.on("error", () => {}));
      for (const statement of prepare(name)) await pool.query(statement);
      return {
        url: link.url,
        query: async (statement) => (await pool.query<Row>(statement)).rows,
        setAhead: async (ms) => {
          await pool.query(
            `update public.crash_clock set ahead = make_interval(secs => ${ms} / 1000.0)`,
          );
        },
        close: async () => {
          await pool.end();
          link.stop();
        },
      };
    },
    kill: server.kill,
    start: () => server.start(),
    cut: () => {
      for (const link of links) link.cut();
    },
    stop: server.stop,
  };
};
