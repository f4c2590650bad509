import { closeSync, fsyncSync, openSync } from "node:fs";

/** Readable and writable by this user alone. */
export const OWNER_ONLY = 0o600;

/** Creates an empty file, readable by this user alone. @returns false, with nothing done, when there is one. */
export const createFile = (path: string): boolean => {
  try {
    closeSync(openSync(path, "wx", OWNER_ONLY));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
};

/** Waits until the disk has the file. */
export const syncFile = (path: string): void => sync(path, "r+");

/** Waits until the disk has the names of the folder's files. */
export const syncFolder = (path: string): void => {
  // Windows opens no folders.
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
