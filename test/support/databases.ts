import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import type { Clock } from "#src/shared/clock.ts";
import type { Logger } from "#src/shared/log.ts";
import { type DatabaseOptions, type OpenDatabase, openDatabase } from "#src/store/database.ts";

/** A new, empty database for one test or one file. */
export interface TestDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

export interface DatabaseKind {
  readonly name: "SQLite" | "PostgreSQL";
  readonly create: () => Promise<TestDatabase>;
}

/** A folder of its own, with a function that removes it. */
export const temporaryFolder = (): { readonly path: string; readonly remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), "balcao-test-"));
  chmodSync(path, 0o700);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

const createSqlite = async (): Promise<TestDatabase> => {
  const folder = temporaryFolder();
  return { url: `sqlite:${join(folder.path, "test.db")}`, drop: async () => folder.remove() };
};

const startedPostgres = async (): Promise<string> => {
  const answer = await fetch(inject("postgresStarter"));
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

const createPostgres = async (): Promise<TestDatabase> => {
  const server = await startedPostgres();
  const name = `test_${randomBytes(8).toString("hex")}`;
  await onServer(server, `create database ${name}`);
  return {
    url: `${server}/${name}`,
    drop: () => onServer(server, `drop database ${name} with (force)`),
  };
};

/** Every behaviour of the store is tested on both: `describe.each(databases)("… on $name", ({ create }) => …)`. */
export const databases: readonly DatabaseKind[] = [
  { name: "SQLite", create: createSqlite },
  { name: "PostgreSQL", create: createPostgres },
];

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
