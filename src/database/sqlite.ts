import { DatabaseSync } from "node:sqlite";
import { SECOND } from "../shared/time.ts";

/** How long a statement waits for another connection's lock. Meanwhile the whole process stands still. */
export const BUSY_MS = 5 * SECOND;

interface SqliteOptions {
  readonly readOnly?: boolean;
  /** 0 fails at once on another connection's lock. */
  readonly timeout?: number;
}

/** Opens a database file with Node's SQLite. `sqliteCode` (`src/shared/store-errors.ts`) reads its errors. */
export const openSqliteFile = (path: string, options: SqliteOptions = {}): DatabaseSync =>
  new DatabaseSync(path, { timeout: BUSY_MS, ...options });

/** Sets or reads a pragma. @returns the first value of its answer, if any */
export const pragma = (database: DatabaseSync, statement: string): unknown =>
  Object.values(database.prepare(`pragma ${statement}`).get() ?? {})[0];
