import Sqlite from "better-sqlite3";
import { StoreError } from "./errors.ts";

/** Lets go of the lock. */
export type Unlock = () => void;

/** What is told of a file that another process has. */
export const fileInUse = (databasePath: string, cause: unknown): StoreError =>
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
export const lockDatabaseFile = (
  databasePath: string,
  createFile: (path: string) => void,
): Unlock => {
  const lockPath = `${databasePath}.lock`;
  createFile(lockPath);
  const lock = new Sqlite(lockPath, { timeout: 0 });
  try {
    // Nothing is ever written to it, so that no journal has to lie beside it.
    lock.pragma("journal_mode=memory");
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    if (!(error instanceof Sqlite.SqliteError) || !error.code.startsWith("SQLITE_BUSY"))
      throw error;
    throw fileInUse(databasePath, error);
  }
  return () => void lock.close();
};
