import { chmodSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
} from "kysely";
import { SECOND } from "../shared/time.ts";
import { damaged, storageProblem, StoreError } from "./errors.ts";
import { createFile, OWNER_ONLY } from "./files.ts";
import { openSqliteFile, pragma, sqliteCode } from "./sqlite.ts";
import { markPathOf } from "./storage-state.ts";

const PREFIX = "sqlite:";
const MEMORY = ":memory:";
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
const ensureOwnerOnlyFile = (path: string): void => {
  createFile(path);
  if ((statSync(path).mode & OTHERS) !== 0) chmodSync(path, OWNER_ONLY);
};

const applyPragmas = (database: DatabaseSync, inMemory: boolean): void => {
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
const requireSoleUse = (
  path: string,
  look: (probe: DatabaseSync) => void,
  readersMs = READERS_MS,
): void => {
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

/** A file with a second name has no one place for what SQLite keeps beside it: after a crash a part would be missing. */
const requireOneName = (path: string): void => {
  if (statSync(path).nlink <= 1) return;
  throw new StoreError(
    "unsafe_database",
    `${path} has a second name (a hard link): remove it, or copy the database with npm run backup`,
  );
};

/** @throws StoreError in place of what SQLite and the file system throw about the disk and the file */
const explainingStorageErrors = <Result>(path: string, work: () => Result): Result => {
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

interface OpenSqlite {
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
    applyPragmas(database, inMemory);
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
  return explainingStorageErrors(given, () => openFile(given, readersMs));
};

const openFile = (given: string, readersMs?: number): OpenSqlite => {
  mkdirSync(dirname(given), { recursive: true, mode: 0o700 });
  ensureOwnerOnlyFile(given);
  // One lock per file, whichever of its names it is opened by.
  const real = realpathSync(given);
  const unlock = lockDatabaseFile(real);
  try {
    requireSoleUse(real, (probe) => requireWhole(probe, real), readersMs);
    requireOneName(real);
    const dialect = sqliteDialect(openConfigured(real, false));
    return { dialect, markPath: markPathOf(real), unlock };
  } catch (error) {
    unlock();
    throw error;
  }
};

/** Lets go of the lock. */
type Unlock = () => void;

/** What is told of a file that another process has. */
const fileInUse = (databasePath: string, cause: unknown): StoreError =>
  new StoreError(
    "database_in_use",
    `Another process is using ${databasePath}: stop it first (a database tool that has it open counts too). A SQLite database serves one process; several need PostgreSQL`,
    cause,
  );

/**
 * Takes a database file for this process alone. The lock is the operating system's, held by a transaction on a file
 * beside it that never ends: it goes with the process, however that dies, and tools may still read the database.
 * @throws StoreError database_in_use
 */
const lockDatabaseFile = (databasePath: string): Unlock => {
  const lockPath = `${databasePath}.lock`;
  ensureOwnerOnlyFile(lockPath);
  const lock = openSqliteFile(lockPath, { timeout: 0 });
  try {
    // Nothing is ever written to it, so that no journal has to lie beside it.
    pragma(lock, "journal_mode=memory");
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    throw sqliteCode(error) === "SQLITE_BUSY" ? fileInUse(databasePath, error) : error;
  }
  return () => lock.close();
};

/** More distinct statements than the code has: the cache never turns over. */
const STATEMENTS_KEPT = 300;

const isBindable = (value: unknown): value is SQLInputValue =>
  value === null || typeof value === "string" || Number.isSafeInteger(value);

/** SQLite would keep a fraction in an integer column, NaN as NULL and a large integer rounded. */
const bindable = (parameters: readonly unknown[]): SQLInputValue[] => {
  if (parameters.every(isBindable)) return [...parameters];
  throw new RangeError("Only safe integers, texts and null can be stored");
};

interface Prepared {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
}

const connectionTo = (database: DatabaseSync): DatabaseConnection => {
  const statements = new Map<string, Prepared>();

  const prepare = (sql: string): Prepared => {
    const kept = statements.get(sql);
    if (kept !== undefined) return kept;
    const statement = database.prepare(sql);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    if (statements.size >= STATEMENTS_KEPT) statements.clear();
    statements.set(sql, prepared);
    return prepared;
  };

  return {
    // oxlint-disable-next-line typescript/require-await -- SQLite answers at once; failures must still reject
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
      const values = bindable(parameters);
      const { statement, hasRows } = prepare(sql);
      if (hasRows) return { rows: statement.all(...values) as Row[] };
      return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
    },
    streamQuery: () => {
      throw new Error("Streaming is not used with SQLite");
    },
  };
};

const driverOf = (database: DatabaseSync): Driver => {
  const connection = connectionTo(database);
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    // A deferred transaction that reads before it writes fails at once when another process wrote in between.
    beginTransaction: async () => database.exec("begin immediate"),
    commitTransaction: async () => database.exec("commit"),
    rollbackTransaction: async () => {
      // SQLite itself rolls back on errors such as a full disk.
      if (database.isTransaction) database.exec("rollback");
    },
    releaseConnection: async () => {},
    destroy: async () => database.close(),
  };
};

/** A limit is part of the text: a statement whose limit is bound is planned anew each time that it runs. */
class QueryCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const value = ValueNode.is(node.limit) ? node.limit.value : undefined;
    if (!Number.isSafeInteger(value)) return super.visitLimit(node);
    this.append(`limit ${String(value)}`);
  }
}

/** Kysely on one open SQLite database, which `destroy` closes. Transactions take the write lock when they begin. */
export const sqliteDialect = (database: DatabaseSync): Dialect => ({
  createAdapter: (): DialectAdapter =>
    // So that a migration is there as a whole or not at all.
    Object.create(new SqliteAdapter(), { supportsTransactionalDdl: { value: true } }),
  createDriver: () => driverOf(database),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new QueryCompiler(),
});
