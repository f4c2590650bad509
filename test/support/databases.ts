import { randomBytes } from "node:crypto";
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely, sql } from "kysely";
import type pg from "pg";
import { inject } from "vitest";
import type { Clock } from "#src/shared/time.ts";
import type { Logger } from "#src/shared/log.ts";
import {
  type DatabaseOptions,
  migrate,
  type OpenDatabase,
  openDatabase,
} from "#src/database/database.ts";
import type { Database, Schema } from "#src/schema.ts";
import { openSqliteFile, sqliteDialect } from "#src/database/sqlite.ts";
import { connected, POSTGRES_TEMPLATE } from "./start-postgres.ts";

export interface TestDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

export interface DatabaseKind {
  readonly name: "SQLite" | "PostgreSQL";
  /** With empty tables. */
  readonly create: () => Promise<TestDatabase>;
  /** Without tables, as on a first start. */
  readonly createEmpty: () => Promise<TestDatabase>;
}

export const temporaryFolder = (): { readonly path: string; readonly remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), "balcao-test-"));
  chmodSync(path, 0o700);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

const createSqlite = async (template?: string): Promise<TestDatabase> => {
  const folder = temporaryFolder();
  const path = join(folder.path, "test.db");
  if (template !== undefined) copyFileSync(template, path);
  return { url: `sqlite:${path}`, drop: async () => folder.remove() };
};

/** Asks `database-global-setup.ts`, once per worker. */
const askSetup = async (what: "sqlite" | "postgres"): Promise<string> => {
  const answer = await fetch(`${inject("databases")}/${what}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
};
const given = new Map<string, Promise<string>>();
const givenBySetup = (what: "sqlite" | "postgres"): Promise<string> => {
  const asked = given.get(what) ?? askSetup(what);
  given.set(what, asked);
  return asked;
};

const createPostgres = async (template: string): Promise<TestDatabase> => {
  const server = await givenBySetup("postgres");
  const name = `test_${randomBytes(8).toString("hex")}`;
  const execute = (statement: string) =>
    connected(`${server}/postgres`, (client) => client.query(statement));
  await execute(`create database ${name} template ${template}`);
  return {
    url: `${server}/${name}`,
    drop: async () => void (await execute(`drop database ${name} with (force)`)),
  };
};

/** Changes with every change of a table's structure and of the database's settings. */
const FORM = `select concat_ws(' ',
  (select concat(count(*), ' ', sum(xmin::text::bigint)) from pg_attribute where attrelid >= 16384),
  (select concat(count(*), ' ', sum(xmin::text::bigint)) from pg_constraint where oid >= 16384),
  (select concat(count(*), ' ', sum(xmin::text::bigint)) from pg_trigger where oid >= 16384),
  (select string_agg(setconfig::text, ' ') from pg_db_role_setting
    where setdatabase = (select oid from pg_database where datname = current_database())),
  (select string_agg(name, ' ') from kysely_migration)) as form`;
const ROWS = `select string_agg(format('delete from %I.%I', schemaname, tablename), ';') as statements
  from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`;

const formOf = async (client: pg.Client): Promise<unknown> => (await client.query(FORM)).rows[0];

/** Disconnects all clients and deletes every row. False when more than rows has changed. */
const empty = async (client: pg.Client, form: unknown): Promise<boolean> => {
  await client.query(
    "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  if (JSON.stringify(await formOf(client)) !== JSON.stringify(form)) return false;
  const { rows } = await client.query<{ statements: string }>(ROWS);
  // Disables foreign keys, so that the order of tables is irrelevant.
  await client.query(`set session_replication_role = replica; ${rows[0]!.statements}`);
  return true;
};

interface UsedDatabase extends TestDatabase {
  readonly form: unknown;
}
const emptied: UsedDatabase[] = [];

/** A database with tables. Emptied on drop and reused by the next test, because a copy costs far more. */
const borrowPostgres = async (): Promise<TestDatabase> => {
  const lend = (used: UsedDatabase): TestDatabase => ({
    url: used.url,
    drop: async () => {
      const isEmpty = await connected(used.url, (client) => empty(client, used.form));
      if (isEmpty) emptied.push(used);
      else await used.drop();
    },
  });
  const used = emptied.pop();
  if (used !== undefined) return lend(used);
  const created = await createPostgres(POSTGRES_TEMPLATE);
  return lend({ ...created, form: await connected(created.url, formOf) });
};

/** Every behaviour of the store is tested on both: `describe.each(databases)("… on $name", (kind) => …)`. */
export const databases: readonly DatabaseKind[] = [
  {
    name: "SQLite",
    create: async () => await createSqlite(await givenBySetup("sqlite")),
    createEmpty: () => createSqlite(),
  },
  {
    name: "PostgreSQL",
    create: borrowPostgres,
    createEmpty: () => createPostgres("template0"),
  },
];

/** For tests beyond the stores: `*.store.test.ts` tests the statements on both databases, some of `test/e2e` the flows. */
export const oneDatabase = databases.slice(0, 1);

export const quietLog: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};

export const testRandom = {
  bytes: (size: number): Uint8Array => randomBytes(size),
  fraction: (): number => 0.5,
};

export const standingClock = (start: string): Clock & { moveBy: (ms: number) => void } => {
  let now = Temporal.Instant.from(start);
  return {
    now: () => now,
    moveBy: (milliseconds) => {
      now = now.add({ milliseconds });
    },
  };
};

/** An in-memory database with tables, created once per worker. */
const makeImage = async (): Promise<Uint8Array> => {
  const sqlite = openSqliteFile(":memory:");
  const db = new Kysely<Schema>({ dialect: sqliteDialect(sqlite) });
  await migrate(db);
  const image = sqlite.serialize();
  await db.destroy();
  return image;
};
let image: Promise<Uint8Array> | undefined;

/** Opens with a quiet log and real chance; `clock` also decides leases by default. */
export const openTestDatabase = async (
  url: string,
  clock: Clock,
  options: Partial<DatabaseOptions> = {},
): Promise<OpenDatabase> => {
  const sqlite = url === "sqlite::memory:" ? { image: await (image ??= makeImage()) } : undefined;
  const given = { clock, leaseClock: clock, random: testRandom, log: quietLog, sqlite };
  return await openDatabase(url, { ...given, ...options });
};

/** Number of statements that wait for another connection's lock, on PostgreSQL. */
export const waitingStatements = async (db: Database): Promise<number> => {
  const { rows } = await sql`
    select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
  `.execute(db);
  return rows.length;
};
