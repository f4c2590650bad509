import { StoreError } from "./errors.ts";
import { openSqliteFile, pragma, sqliteCode } from "./sqlite.ts";

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
