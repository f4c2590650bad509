import { randomBytes } from "node:crypto";
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import type { Clock } from "#src/shared/clock.ts";
import type { Logger } from "#src/shared/log.ts";
import { type DatabaseOptions, type OpenDatabase, openDatabase } from "#src/store/database.ts";
import { POSTGRES_TEMPLATE } from "./start-postgres.ts";

/** A new database for one test or one file. */
export interface TestDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

export interface DatabaseKind {
  readonly name: "SQLite" | "PostgreSQL";
  /** With its tables, and nothing in them. */
  readonly create: () => Promise<TestDatabase>;
  /** Without a table, as its first start finds it. */
  readonly createEmpty: () => Promise<TestDatabase>;
}

/** A folder of its own, with a function that removes it. */
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

/** See `database-global-setup.ts`. */
const givenBySetup = async (what: "sqlite" | "postgres"): Promise<string> => {
  const answer = await fetch(`${inject("databases")}/${what}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
};

const onServer = async (server: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query(statement);
  await client.end();
};

const createPostgres = async (template: string): Promise<TestDatabase> => {
  const server = await givenBySetup("postgres");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await onServer(server, `create database ${name} template ${template}`);
  return {
    url: `${server}/${name}`,
    drop: () => onServer(server, `drop database ${name} with (force)`),
  };
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
    create: () => createPostgres(POSTGRES_TEMPLATE),
    createEmpty: () => createPostgres("template0"),
  },
];

/** For what the store only keeps: its statements are tested on both in `test/store`, the ways through them in some of `test/e2e`. */
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

/** A clock that stands still until it is told otherwise. */
export const standingClock = (start: string): Clock & { moveBy: (ms: number) => void } => {
  let now = Temporal.Instant.from(start);
  return {
    now: () => now,
    moveBy: (milliseconds) => {
      now = now.add({ milliseconds });
    },
  };
};

/** Opens with a quiet log and real chance; `clock` is also the clock of leases unless told otherwise. */
export const openTestDatabase = (
  url: string,
  clock: Clock,
  options: Partial<DatabaseOptions> = {},
): Promise<OpenDatabase> =>
  openDatabase(url, { clock, leaseClock: clock, random: testRandom, log: quietLog, ...options });
