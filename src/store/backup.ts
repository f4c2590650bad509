import { closeSync, existsSync, fsyncSync, openSync, rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { backup } from "node:sqlite";
import { StoreError } from "./errors.ts";
import { storageProblem } from "./passing-failure.ts";
import { type Environment, runPostgresTool } from "./postgres-tools.ts";
import { openSqliteFile, pragma } from "./sqlite.ts";
import { requireWhole } from "./sqlite-database.ts";

const OWNER_ONLY = 0o600;
const ALL_PAGES = 0x7f_ff_ff_ff;

/** @throws StoreError backup_refused when there is a file of that name */
const reserve = (file: string): void => {
  try {
    closeSync(openSync(file, "wx", OWNER_ONLY));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST"))
      throw storageProblem(error, file) ?? error;
    throw new StoreError("backup_refused", `${file} is there already: name a new file`, error);
  }
};

/** One file that holds all: what a database in WAL mode keeps beside itself belongs to its place. */
const closeInOneFile = (file: string): void => {
  const copy = openSqliteFile(file);
  try {
    pragma(copy, "journal_mode=DELETE");
    requireWhole(copy, file);
  } finally {
    copy.close();
  }
  const opened = openSync(file, "r+");
  fsyncSync(opened);
  closeSync(opened);
};

/**
 * All pages in one step, under one read lock, so that what the bot writes meanwhile neither waits nor makes the copy
 * begin again.
 */
const backupSqlite = async (path: string, file: string): Promise<void> => {
  if (!existsSync(path))
    throw new StoreError("backup_refused", `There is no database at ${path} (DATABASE_URL)`);
  reserve(file);
  const source = openSqliteFile(path, { readOnly: true });
  try {
    await backup(source, file, { rate: ALL_PAGES });
    closeInOneFile(file);
  } finally {
    source.close();
  }
};

const backupPostgres = async (
  url: string,
  file: string,
  environment: Environment,
): Promise<void> => {
  reserve(file);
  const options = ["--format=custom", "--no-owner", "--no-privileges", `--file=${file}`];
  await runPostgresTool("pg_dump", url, options, environment);
};

/**
 * Writes a consistent copy of the database to a new file, readable by this user alone, while a bot may be working on it.
 * @returns its size in bytes
 * @throws StoreError backup_refused, corrupt_database, disk_unwritable; no file is left then
 */
export const backupDatabase = async (
  url: string,
  given: string,
  environment: Environment,
): Promise<number> => {
  const file = resolve(given);
  const isThere = existsSync(file);
  try {
    if (url.startsWith("sqlite:")) await backupSqlite(resolve(url.slice("sqlite:".length)), file);
    else await backupPostgres(url, file, environment);
    return statSync(file).size;
  } catch (error) {
    if (!isThere) rmSync(file, { force: true });
    throw storageProblem(error, file) ?? error;
  }
};
