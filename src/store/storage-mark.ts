import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** What a file beside the database remembers of it, so that an older copy of the database is told from the newest. */
export interface StorageMark {
  readonly id: string;
  readonly generation: number;
  readonly moneySequence: number;
}

const OWNER_ONLY = 0o600;

export const markPathOf = (databasePath: string): string => `${databasePath}.mark`;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

const isMark = (value: unknown): value is StorageMark => {
  if (typeof value !== "object" || value === null) return false;
  const { id, generation, moneySequence } = value as Partial<Record<keyof StorageMark, unknown>>;
  return (
    typeof id === "string" &&
    Number.isSafeInteger(generation) &&
    Number.isSafeInteger(moneySequence)
  );
};

/** Undefined: there is none. `unreadable`: something else than a mark stands there. */
export const readMark = (path: string): StorageMark | "unreadable" | undefined => {
  try {
    const mark: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isMark(mark) ? mark : "unreadable";
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (error instanceof SyntaxError) return "unreadable";
    throw error;
  }
};

const synced = (path: string, flags: string, write: (file: number) => void): void => {
  const file = openSync(path, flags, OWNER_ONLY);
  try {
    write(file);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** Whole or not at all, and on the disk when it returns. @throws what the file system throws. */
export const writeMark = (path: string, mark: StorageMark): void => {
  const next = `${path}.next`;
  synced(next, "w", (file) => void writeSync(file, `${JSON.stringify(mark)}\n`));
  renameSync(next, path);
  // Windows opens no folders.
  if (process.platform !== "win32") synced(dirname(path), "r", () => {});
};
