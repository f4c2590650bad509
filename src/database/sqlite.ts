import { DatabaseSync } from "node:sqlite";
import { SECOND } from "../shared/time.ts";

/** How long a statement waits for another connection's lock, in milliseconds. */
const BUSY_MS = 5 * SECOND;

interface SqliteOptions {
  readonly readOnly?: boolean;
  /** 0 fails at once on another connection's lock. */
  readonly timeout?: number;
}

/** Opens a database file with Node's SQLite. `sqliteCode` reads its errors. */
export const openSqliteFile = (path: string, options: SqliteOptions = {}): DatabaseSync =>
  new DatabaseSync(path, { timeout: BUSY_MS, ...options });

/** Sets or reads a pragma. @returns the first value of its answer, if any */
export const pragma = (database: DatabaseSync, statement: string): unknown =>
  Object.values(database.prepare(`pragma ${statement}`).get() ?? {})[0];

/** The primary result codes that the bot distinguishes. Source: sqlite.org/rescode.html. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [5, "SQLITE_BUSY"],
  [6, "SQLITE_LOCKED"],
  [8, "SQLITE_READONLY"],
  [10, "SQLITE_IOERR"],
  [11, "SQLITE_CORRUPT"],
  [13, "SQLITE_FULL"],
  [14, "SQLITE_CANTOPEN"],
  [15, "SQLITE_PROTOCOL"],
  [19, "SQLITE_CONSTRAINT"],
  [26, "SQLITE_NOTADB"],
]);
const PRIMARY = 0xff;

/** Name of the primary result code of a SQLite error; undefined for any other error. */
export const sqliteCode = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  const code: unknown = Reflect.get(error, "errcode");
  return typeof code === "number" ? (NAMES.get(code & PRIMARY) ?? "SQLITE_ERROR") : undefined;
};
