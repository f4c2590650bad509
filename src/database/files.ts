import { closeSync, fsyncSync, openSync } from "node:fs";

export const OWNER_ONLY = 0o600;

/** Creates an empty file, readable by this user alone. @returns false, without a change, when the file exists. */
export const createFile = (path: string): boolean => {
  try {
    closeSync(openSync(path, "wx", OWNER_ONLY));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
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
