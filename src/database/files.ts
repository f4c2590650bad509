import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, StoreError } from "../shared/store-errors.ts";

export const OWNER_ONLY = 0o600;

/** Creates an empty file, readable by this user alone. @returns false, without a change, when the file exists. */
export const createFile = (path: string): boolean => {
  try {
    closeSync(openSync(path, "wx", OWNER_ONLY));
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
};

/** Flushes the file to the disk. */
export const syncFile = (path: string): void => sync(path, "r+");

/** Flushes the folder's list of files to the disk. */
export const syncFolder = (path: string): void => {
  // Windows cannot open folders.
  if (process.platform !== "win32") sync(path, "r");
};

const sync = (path: string, flags: string): void => {
  const opened = openSync(path, flags);
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
};

/** @returns StoreError missing_database */
export const noFile = (path: string): StoreError =>
  new StoreError(
    "missing_database",
    `${path} is no file: name a file in a folder, such as sqlite:./data/balcao.db (DATABASE_URL)`,
  );

/**
 * Refuses a path at which no file can be. A folder that is taken for the file would lose its `x` bit, and be closed to its
 * own user; a file put in the place of a link would hide the database on the disk behind it.
 * @throws StoreError missing_database, disk_unwritable
 */
export const requirePlace = (path: string, given = path): void => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    requirePlace(dirname(path), given);
    // Another process may have created the file meanwhile.
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
    throw new StoreError("disk_unwritable", `The link ${path} leads nowhere: mount its disk first`);
  }
  if (path === given ? found.isFile() : found.isDirectory()) return;
  throw noFile(given);
};

/** Creates the folder of a database file, readable by this user alone. @throws StoreError when no file can be there */
export const createFolderOf = (path: string): void => {
  requirePlace(path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
};
