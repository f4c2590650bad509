import {
  chmodSync,
  existsSync,
  openSync,
  readSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Dialect } from "kysely";
import { SECOND } from "../shared/time.ts";
import { damaged, sqliteCode, storageProblem, StoreError } from "../shared/store-errors.ts";
import { createFile, createFolderOf, noFile, OWNER_ONLY, requirePlace } from "./files.ts";
import { BUSY_MS, type OnDamage, openSqliteFile, pragma, sqliteDialect } from "./sqlite.ts";
import { markPathOf } from "./storage-state.ts";

const PREFIX = "sqlite:";

const MEMORY = ":memory:";

const OTHERS = 0o077;

/**
 * Settings that the safety of the data depends on, with the value that SQLite reads back. Below `synchronous` `FULL`
 * (2) a WAL database may lose its last commits in a power failure. Builds of SQLite have different defaults.
 */
const PRAGMAS: readonly (readonly [name: string, set: string, readBack: number | string])[] = [
  ["journal_mode", "WAL", "wal"],
  ["synchronous", "FULL", 2],
  ["busy_timeout", String(BUSY_MS), BUSY_MS],
  // Negative means KiB: 2 MB of pages. The system caches the file as well.
  ["cache_size", "-2000", -2_000],
  ["foreign_keys", "ON", 1],
  ["wal_autocheckpoint", "1000", 1_000],
  ["trusted_schema", "OFF", 0],
  // Deleted rows are overwritten: a copy of the file holds none.
  ["secure_delete", "ON", 1],
];

/**
 * Creates the file and its folder if they are missing, and hides the file from other users. Never opens an existing file:
 * closing it would drop SQLite's locks on it.
 */
const ensureOwnerOnlyFile = (path: string): void => {
  createFolderOf(path);
  createFile(path);
  if ((statSync(path).mode & OTHERS) !== 0) chmodSync(path, OWNER_ONLY);
};

const applyPragmas = (database: DatabaseSync, inMemory: boolean): void => {
  for (const [name, value, expected] of PRAGMAS) {
    pragma(database, `${name}=${value}`);
    const readBack = pragma(database, name);
    // A database in memory has no write-ahead log.
    if (inMemory && name === "journal_mode") continue;
    if (readBack !== expected) {
      throw new StoreError(
        "unsafe_database",
        `SQLite keeps ${name} at ${String(readBack)} instead of ${value}; is the database on a network file system?`,
      );
    }
  }
};

/** Offset of the read version in a SQLite file; 1 means: no write-ahead log. Source: sqlite.org/fileformat2.html. */
const READ_VERSION = 19;
const WITHOUT_LOG = 1;

/**
 * Whether the log beside a file, by its real name, is of another database: a file that the bot has opened says that it
 * has a log before it gets one.
 */
export const hasForeignLog = (path: string): boolean => {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return false;
  const header = Buffer.alloc(READ_VERSION + 1);
  // Left open: closing it would drop SQLite's locks, if this process had the file open.
  readSync(openSync(path, "r"), header, 0, header.length, 0);
  return header[READ_VERSION] === WITHOUT_LOG;
};

/**
 * Refuses a backup that was put over the file by hand while the log of a crash lay beside it: SQLite would write the
 * pages of that log over it.
 * @throws StoreError corrupt_database
 */
export const requireOwnLog = (path: string): void => {
  if (!hasForeignLog(path)) return;
  throw new StoreError(
    "corrupt_database",
    `${path} is a backup beside the -wal file of the database before it, which SQLite would write over it: put it back with npm run restore -- FILE (nothing was changed)`,
  );
};

/** How long a start waits for another program that is reading the file, in milliseconds. */
const READERS_MS = 3 * SECOND;

/**
 * Proves that no other process has the file open, even under another name or after its lock file was deleted: SQLite's
 * exclusive lock belongs to the file itself. `inspect` runs while the lock is held.
 * @throws StoreError database_in_use, corrupt_database
 */
const requireSoleUse = (
  path: string,
  inspect: (probe: DatabaseSync) => void,
  readersMs = READERS_MS,
): void => {
  requireOwnLog(path);
  const probe = openSqliteFile(path, { timeout: readersMs });
  try {
    pragma(probe, "locking_mode=EXCLUSIVE");
    probe.exec("begin immediate; commit");
    inspect(probe);
  } catch (error) {
    if (sqliteCode(error) === "SQLITE_BUSY") throw fileInUse(path, error);
    throw error;
  } finally {
    probe.close();
  }
};

/** Reads the whole file, to find damage before the bot relies on it. @throws StoreError corrupt_database */
export const requireIntact = (database: DatabaseSync, path: string): void => {
  if (pragma(database, "quick_check(1)") !== "ok") throw damaged(path, undefined);
};

/** Locks a file that is about to be replaced, even a damaged one. @throws StoreError database_in_use */
export const lockForReplacement = (path: string): Unlock => {
  const unlock = lockDatabaseFile(path);
  try {
    requireSoleUse(path, () => {});
    return unlock;
  } catch (error) {
    if (storageProblem(error)?.kind === "corrupt_database") return unlock;
    unlock();
    throw error;
  }
};

/**
 * Refuses a hard-linked file: SQLite keeps its companion files beside one name, and a crash recovery by the other name
 * would miss them.
 */
const requireOneName = (path: string): void => {
  if (statSync(path).nlink <= 1) return;
  throw new StoreError(
    "unsafe_database",
    `${path} has a second name (a hard link): remove it, or copy the database with npm run backup`,
  );
};

/** @throws StoreError in place of errors of SQLite and the file system about the disk and the file */
const explainingStorageErrors = <Result>(path: string, work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    throw storageProblem(error, path) ?? error;
  }
};

export interface SqliteOpening {
  /** How long the start waits for a program that is reading the file, in milliseconds. Default: 3 s. */
  readonly readersMs?: number;
  /** Initial content of a database in memory, as `serialize` returns it, with its tables up to date. */
  readonly image?: Uint8Array;
  readonly onDamage?: OnDamage;
}

interface OpenSqlite {
  readonly dialect: Dialect;
  /** Path of the storage mark; undefined in memory. */
  readonly markPath: string | undefined;
  /** Call it after closing the dialect's connection. */
  readonly unlock: () => void;
}

/**
 * Opens `sqlite:PATH` or `sqlite::memory:`, creating the file and its folder, readable by this user alone.
 * @throws StoreError database_in_use, unsafe_database, corrupt_database, disk_unwritable, missing_database
 */
export const openSqlite = (url: string, opening: SqliteOpening = {}): OpenSqlite => {
  const path = url.slice(PREFIX.length);
  if (path === MEMORY) {
    const dialect = sqliteDialect(openConfigured(MEMORY, true, opening.image));
    return { dialect, markPath: undefined, unlock: () => {} };
  }
  const given = fileOf(url);
  return explainingStorageErrors(given, () => openFile(given, opening));
};

/** Path of the file that `sqlite:PATH` names. @throws StoreError missing_database for a database in memory */
export const fileOf = (url: string): string => {
  const path = url.slice(PREFIX.length);
  if (path === MEMORY) throw noFile(path);
  return behindLink(resolve(path));
};

/** The place that a link names while it leads nowhere because a killed restore has moved its file. */
const behindLink = (path: string): string => {
  if (existsSync(path)) return path;
  try {
    const place = resolve(realpathSync(dirname(path)), readlinkSync(path));
    return existsSync(place + RESTORING) ? place : path;
  } catch {
    return path;
  }
};

/** The same, of a file that is there. @throws StoreError missing_database, disk_unwritable */
export const existingFileOf = (url: string): string => {
  const path = fileOf(url);
  explainingStorageErrors(path, () => requirePlace(path));
  if (existsSync(path)) return path;
  throw new StoreError("missing_database", `There is no database at ${path} (DATABASE_URL)`);
};

/** End of the name of a restore's checked copy, until it takes the database's own. */
export const RESTORING = ".restoring";

/** @throws StoreError missing_database where a restore was killed between its two renames: an empty one would begin */
const requireRestoreEnded = (path: string): void => {
  if (existsSync(path) || !existsSync(path + RESTORING)) return;
  throw new StoreError(
    "missing_database",
    `A restore ended before its copy had become ${path}: run npm run restore -- FILE again (a database before it is kept beside it as .replaced-…; to begin an empty one, remove ${path}${RESTORING})`,
  );
};

const openConfigured = (path: string, inMemory: boolean, image?: Uint8Array): DatabaseSync => {
  const database = openSqliteFile(path);
  try {
    if (image !== undefined) database.deserialize(image);
    applyPragmas(database, inMemory);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

const openFile = (given: string, { readersMs, onDamage }: SqliteOpening): OpenSqlite => {
  requireRestoreEnded(given);
  ensureOwnerOnlyFile(given);
  // One lock per file, under each of its names.
  const real = realpathSync(given);
  const unlock = lockDatabaseFile(real);
  try {
    requireSoleUse(real, (probe) => requireIntact(probe, real), readersMs);
    requireOneName(real);
    const dialect = sqliteDialect(openConfigured(real, false), onDamage);
    return { dialect, markPath: markPathOf(real), unlock };
  } catch (error) {
    unlock();
    throw error;
  }
};

type Unlock = () => void;

/** Locks of this process, kept here because Node closes a database without a reference, which would end its lock. */
const heldLocks = new Set<DatabaseSync>();

const fileInUse = (databasePath: string, cause: unknown): StoreError =>
  new StoreError(
    "database_in_use",
    `Another process is using ${databasePath}: stop it first (a database tool that has it open counts too). A SQLite database serves one process; several need PostgreSQL`,
    cause,
  );

/**
 * Locks a database file for this process, with an endless transaction on a second file. The operating system ends the
 * lock with the process, however it dies, and tools can still read the database.
 * @throws StoreError database_in_use
 */
const lockDatabaseFile = (databasePath: string): Unlock => {
  const lockPath = `${databasePath}.lock`;
  ensureOwnerOnlyFile(lockPath);
  const lock = openSqliteFile(lockPath, { timeout: 0 });
  try {
    // The lock file is never written: a journal in memory avoids a second file beside it.
    pragma(lock, "journal_mode=memory");
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    throw sqliteCode(error) === "SQLITE_BUSY" ? fileInUse(databasePath, error) : error;
  }
  heldLocks.add(lock);
  return () => {
    heldLocks.delete(lock);
    lock.close();
  };
};
