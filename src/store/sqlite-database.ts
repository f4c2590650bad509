import Sqlite from "better-sqlite3";
import { chmodSync, closeSync, mkdirSync, openSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Dialect } from "kysely";
import { StoreError } from "./errors.ts";
import { lockDatabaseFile } from "./process-lock.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { markPathOf } from "./storage-mark.ts";

const PREFIX = "sqlite:";
const MEMORY = ":memory:";
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/**
 * What the safety of the data rests on, as SQLite reads it back. A WAL database opens with `synchronous=NORMAL` (1),
 * which may lose the last commits when the power fails: the build of better-sqlite3 sets it so.
 */
const PRAGMAS: readonly (readonly [name: string, set: string, readBack: number | string])[] = [
  ["journal_mode", "WAL", "wal"],
  ["synchronous", "FULL", 2],
  ["busy_timeout", "5000", 5_000],
  // In KiB below zero: 2 MB of pages, not the 16 MB of the library's default. The system caches the file as well.
  ["cache_size", "-2000", -2_000],
  ["foreign_keys", "ON", 1],
  ["wal_autocheckpoint", "1000", 1_000],
  ["trusted_schema", "OFF", 0],
];

/** A file must never be opened beside SQLite: closing it would drop the locks that this process holds on it. */
const createFile = (path: string): void => {
  try {
    closeSync(openSync(path, "wx", OWNER_ONLY));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  if ((statSync(path).mode & OTHERS) !== 0) chmodSync(path, OWNER_ONLY);
};

const settle = (database: Sqlite.Database, inMemory: boolean): void => {
  for (const [name, value, expected] of PRAGMAS) {
    database.pragma(`${name}=${value}`);
    const readBack = database.pragma(name, { simple: true });
    // A database in memory has no journal to write ahead.
    if (inMemory && name === "journal_mode") continue;
    if (readBack !== expected) {
      throw new StoreError(
        "unsafe_database",
        `SQLite keeps ${name} at ${String(readBack)} instead of ${value}; is the database on a network file system?`,
      );
    }
  }
};

export interface OpenSqlite {
  readonly dialect: Dialect;
  /** Where the mark of the file is; undefined in memory. */
  readonly markPath: string | undefined;
  /** Call after the dialect's connection is closed. */
  readonly unlock: () => void;
}

const openConfigured = (path: string, inMemory: boolean): Sqlite.Database => {
  const database = new Sqlite(path);
  try {
    settle(database, inMemory);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/**
 * Opens `sqlite:PATH` or `sqlite::memory:`, creating the file and its folder, readable by this user alone.
 * @throws StoreError database_in_use, unsafe_database
 */
export const openSqlite = (url: string): OpenSqlite => {
  const path = url.slice(PREFIX.length);
  if (path === MEMORY) {
    const dialect = sqliteDialect(openConfigured(MEMORY, true));
    return { dialect, markPath: undefined, unlock: () => {} };
  }
  const given = resolve(path);
  mkdirSync(dirname(given), { recursive: true, mode: 0o700 });
  createFile(given);
  // One lock per file, whichever of its names it is opened by.
  const real = realpathSync(given);
  const unlock = lockDatabaseFile(real, createFile);
  try {
    const dialect = sqliteDialect(openConfigured(real, false));
    return { dialect, markPath: markPathOf(real), unlock };
  } catch (error) {
    unlock();
    throw error;
  }
};
