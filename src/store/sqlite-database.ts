import { chmodSync, closeSync, mkdirSync, openSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Dialect } from "kysely";
import { SECOND } from "../shared/duration.ts";
import { StoreError } from "./errors.ts";
import { damaged, storageProblem } from "./passing-failure.ts";
import { fileInUse, lockDatabaseFile, type Unlock } from "./process-lock.ts";
import { openSqliteFile, pragma, sqliteCode } from "./sqlite.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { markPathOf } from "./storage-mark.ts";

const PREFIX = "sqlite:";
const MEMORY = ":memory:";
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/**
 * What the safety of the data rests on, as SQLite reads it back: with `synchronous` below `FULL` (2) a WAL database may
 * lose the last commits when the power fails, and builds of SQLite differ in what they begin with.
 */
const PRAGMAS: readonly (readonly [name: string, set: string, readBack: number | string])[] = [
  ["journal_mode", "WAL", "wal"],
  ["synchronous", "FULL", 2],
  ["busy_timeout", "5000", 5_000],
  // In KiB below zero: 2 MB of pages. The system caches the file as well.
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

const settle = (database: DatabaseSync, inMemory: boolean): void => {
  for (const [name, value, expected] of PRAGMAS) {
    pragma(database, `${name}=${value}`);
    const readBack = pragma(database, name);
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

/** For how long a tool that reads the file at the moment of the start is waited for, in milliseconds. */
const READERS_MS = 3 * SECOND;

/**
 * Makes sure that no other process has the file, whatever name it was opened by and whatever became of the lock beside
 * it: SQLite's own exclusive lock is the operating system's and belongs to the file itself. `look` sees the file then.
 * @throws StoreError database_in_use
 */
const alone = (path: string, look: (probe: DatabaseSync) => void, readersMs = READERS_MS): void => {
  const probe = openSqliteFile(path, { timeout: readersMs });
  try {
    pragma(probe, "locking_mode=EXCLUSIVE");
    probe.exec("begin immediate; commit");
    look(probe);
  } catch (error) {
    if (sqliteCode(error) === "SQLITE_BUSY") throw fileInUse(path, error);
    throw error;
  } finally {
    probe.close();
  }
};

/** Reads the whole file once: damage is found before anything rests on it. @throws StoreError corrupt_database */
export const requireWhole = (database: DatabaseSync, path: string): void => {
  if (pragma(database, "quick_check(1)") !== "ok") throw damaged(path, undefined);
};

/**
 * Takes a file that is about to be replaced, whatever state it is in.
 * @throws StoreError database_in_use
 */
export const takeFile = (path: string): Unlock => {
  const unlock = lockDatabaseFile(path, createFile);
  try {
    alone(path, () => {});
    return unlock;
  } catch (error) {
    if (storageProblem(error)?.kind === "corrupt_database") return unlock;
    unlock();
    throw error;
  }
};

/** A file with a second name has no one place for what SQLite keeps beside it: after a crash a part would be missing. */
const requireOneName = (path: string): void => {
  if (statSync(path).nlink <= 1) return;
  throw new StoreError(
    "unsafe_database",
    `${path} has a second name (a hard link): remove it, or copy the database with npm run backup`,
  );
};

/** @throws StoreError in place of what SQLite and the file system throw about the disk and the file */
const explained = <Result>(path: string, work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    throw storageProblem(error, path) ?? error;
  }
};

export interface SqliteOpening {
  /** For how long a tool that reads the file at the start is waited for, in milliseconds: 3 s unless told otherwise. */
  readonly readersMs?: number;
  /** What a database in memory begins with, as `serialize` gives it. */
  readonly image?: Uint8Array;
}

export interface OpenSqlite {
  readonly dialect: Dialect;
  /** Where the mark of the file is; undefined in memory. */
  readonly markPath: string | undefined;
  /** Call after the dialect's connection is closed. */
  readonly unlock: () => void;
}

const openConfigured = (path: string, inMemory: boolean, image?: Uint8Array): DatabaseSync => {
  const database = openSqliteFile(path);
  try {
    if (image !== undefined) database.deserialize(image);
    settle(database, inMemory);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/**
 * Opens `sqlite:PATH` or `sqlite::memory:`, creating the file and its folder, readable by this user alone.
 * @throws StoreError database_in_use, unsafe_database, corrupt_database, disk_unwritable
 */
export const openSqlite = (url: string, { readersMs, image }: SqliteOpening = {}): OpenSqlite => {
  const path = url.slice(PREFIX.length);
  if (path === MEMORY) {
    const dialect = sqliteDialect(openConfigured(MEMORY, true, image));
    return { dialect, markPath: undefined, unlock: () => {} };
  }
  const given = resolve(path);
  return explained(given, () => openFile(given, readersMs));
};

const openFile = (given: string, readersMs?: number): OpenSqlite => {
  mkdirSync(dirname(given), { recursive: true, mode: 0o700 });
  createFile(given);
  // One lock per file, whichever of its names it is opened by.
  const real = realpathSync(given);
  const unlock = lockDatabaseFile(real, createFile);
  try {
    alone(real, (probe) => requireWhole(probe, real), readersMs);
    requireOneName(real);
    const dialect = sqliteDialect(openConfigured(real, false));
    return { dialect, markPath: markPathOf(real), unlock };
  } catch (error) {
    unlock();
    throw error;
  }
};
