import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { backup, type DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import { codeOf, damaged, storageProblem, StoreError } from "../shared/store-errors.ts";
import { createFile, createFolderOf, OWNER_ONLY, syncFile, syncFolder } from "./files.ts";
import { openSqliteFile, pragma, sqliteDialect } from "./sqlite.ts";
import {
  existingFileOf,
  fileOf,
  hasForeignLog,
  requireIntact,
  requireOwnLog,
  RESTORING,
  lockForReplacement,
} from "./sqlite-database.ts";
import type { Logger } from "../shared/log.ts";
import type { Random } from "../shared/random.ts";
import { storedInstant } from "./columns.ts";
import type { KeyRing } from "./encryption.ts";
import { openPostgres } from "./postgres-database.ts";
import { askServer, type Environment, rowsInDump, runPostgresTool } from "./postgres-tools.ts";
import type { Database, Schema } from "../schema.ts";
import { RESTORED_FACT } from "./storage-state.ts";
import { fingerprintKeyIn, readVaultMeta, type VaultMeta } from "./vault.ts";

const ALL_PAGES = 0x7f_ff_ff_ff;

/**
 * Writes a consistent copy of the database to a new file, readable by this user alone, while a bot may be using it.
 * @returns its size in bytes
 * @throws StoreError missing_database, backup_refused, corrupt_database, disk_unwritable; no file is left then
 */
export const backupDatabase = async (
  url: string,
  file: string,
  environment: Environment,
): Promise<number> => {
  const folder = dirname(file);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new StoreError("backup_refused", `There is no folder ${folder}: create it first`);
  const isThere = existsSync(file);
  try {
    if (url.startsWith("sqlite:")) await backupSqlite(existingFileOf(url), file);
    else await backupPostgres(url, file, environment);
    return statSync(file).size;
  } catch (error) {
    if (!isThere) rmSync(file, { force: true });
    throw storageProblem(error, file) ?? error;
  }
};

/** @throws StoreError backup_refused when the file exists */
const createBackupFile = (file: string): void => {
  if (!createFile(file))
    throw new StoreError("backup_refused", `${file} is there already: name a new file`);
};

/** Leaves WAL mode, so that the copy is one file without the companions that WAL keeps beside it. */
const leaveWalMode = (file: string): void => {
  const copy = openSqliteFile(file);
  try {
    pragma(copy, "journal_mode=DELETE");
    requireIntact(copy, file);
  } finally {
    copy.close();
  }
  syncFile(file);
};

const unreadable = (path: string, cause: unknown): StoreError =>
  new StoreError(
    "backup_refused",
    `${path} cannot be read (${codeOf(cause)}): run this as the user whom the file and its folder belong to`,
    cause,
  );

/** @throws StoreError backup_refused when this user may not read the file */
const requireReadable = (path: string): void => {
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw unreadable(path, error);
  }
};

/** @throws StoreError corrupt_database, or backup_refused when this user may not read the file */
const openSource = (path: string): DatabaseSync => {
  let source: DatabaseSync | undefined;
  try {
    source = openSqliteFile(path, { readOnly: true });
    // The first statement opens the companion files too.
    pragma(source, "schema_version");
    return source;
  } catch (error) {
    source?.close();
    throw storageProblem(error)?.kind === "disk_unwritable" ? unreadable(path, error) : error;
  }
};

/** Copies all pages in one step under one read lock: the bot's writes neither wait nor restart the copy. */
const copySqlite = async (path: string, file: string): Promise<void> => {
  const source = openSource(path);
  try {
    createBackupFile(file);
    await backup(source, file, { rate: ALL_PAGES });
    leaveWalMode(file);
  } finally {
    source.close();
  }
};

const backupSqlite = async (path: string, file: string): Promise<void> => {
  requireReadable(path);
  requireOwnLog(realpathSync(path));
  try {
    await copySqlite(path, file);
  } catch (error) {
    // The damage of a fresh copy is the database's own.
    throw storageProblem(error)?.kind === "corrupt_database" ? damaged(path, error) : error;
  }
};

/**
 * Query for the options by which pg_dump reads the schema of our tables, without others' tables there that this role may not
 * read. One of ours that it may not read fails the copy.
 */
const ASK_OWN = `
  with own as (select * from pg_class where oid = to_regclass('report_progress'))
  select format('--schema=%s', relnamespace::regnamespace) from own
  union all
  select format('--exclude-table=%s.%I', relnamespace::regnamespace, other.relname)
    from own join pg_class as other using (relnamespace)
    where other.relowner <> own.relowner and other.relkind not in ('c', 'i', 'I', 't')
      and not has_table_privilege(other.oid, 'select')`;

const backupPostgres = async (
  url: string,
  file: string,
  environment: Environment,
): Promise<void> => {
  createBackupFile(file);
  const own = await askServer(url, ASK_OWN, environment);
  if (own.length === 0)
    throw new StoreError(
      "backup_refused",
      "DATABASE_URL names no tables of this bot: use the address and the role of the bot",
    );
  const options = ["--format=custom", "--no-owner", "--no-privileges", `--file=${file}`];
  await runPostgresTool("pg_dump", url, [...own, ...options], environment);
};

interface RestoreNeeds {
  readonly ring: KeyRing;
  readonly walletBaseUrl: string;
  readonly random: Random;
  readonly log: Logger;
  readonly environment: Environment;
  readonly now: Temporal.Instant;
}

/** Path of the replaced database; undefined when the place was empty. */
interface Restored {
  readonly replaced: string | undefined;
}

/** Ends of the names of a database and of what SQLite keeps beside it. */
const BESIDE = ["", "-wal", "-shm", "-journal"];

const removeAll = (path: string): void => {
  for (const end of BESIDE) rmSync(`${path}${end}`, { force: true });
};

/** @throws StoreError backup_refused, wrong_key_ring, other_wallet when the copy does not fit this key ring */
const requireOwn = (meta: VaultMeta, { ring, walletBaseUrl }: RestoreNeeds): void => {
  if (!meta.has("canary"))
    throw new StoreError("backup_refused", "The file is no backup of this bot's database");
  fingerprintKeyIn(meta, ring, walletBaseUrl);
};

const noteRestored = async (db: Database, needs: RestoreNeeds): Promise<void> => {
  const value = storedInstant(needs.now);
  await db
    .insertInto("meta")
    .values({ name: RESTORED_FACT, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
};

/** Copies a database with its log, which holds the newest rows. */
const copyWithLog = (file: string, copy: string): void => {
  const source = realpathSync(file);
  const hasLog = existsSync(`${source}-wal`) && !hasForeignLog(source);
  for (const end of hasLog ? ["", "-wal"] : [""]) {
    requireReadable(`${source}${end}`);
    copyFileSync(`${source}${end}`, `${copy}${end}`, constants.COPYFILE_EXCL);
    chmodSync(`${copy}${end}`, OWNER_ONLY);
  }
};

/** Makes a checked copy of the backup beside the database. The backup itself is not changed. */
const copyBeside = async (file: string, copy: string, needs: RestoreNeeds): Promise<void> => {
  removeAll(copy);
  copyWithLog(file, copy);
  const opened = openSqliteFile(copy);
  const db = new Kysely<Schema>({ dialect: sqliteDialect(opened) });
  try {
    pragma(opened, "journal_mode=DELETE");
    pragma(opened, "synchronous=FULL");
    requireIntact(opened, file);
    requireOwn(await readVaultMeta(db), needs);
    await noteRestored(db, needs);
  } catch (error) {
    const isForeign = error instanceof Error && /no such table/.test(error.message);
    if (!isForeign && storageProblem(error)?.kind !== "corrupt_database") throw error;
    throw new StoreError(
      "corrupt_database",
      `${file} is damaged or is no database: put another backup back; the database stays as it is`,
      error,
    );
  } finally {
    await db.destroy();
  }
};

const dateOf = (now: Temporal.Instant): string =>
  now.toString({ smallestUnit: "millisecond" }).replaceAll(/[-:.]/g, "");

const restoreSqlite = async (
  path: string,
  file: string,
  needs: RestoreNeeds,
): Promise<Restored> => {
  createFolderOf(path);
  const isThere = existsSync(path);
  const real = isThere ? realpathSync(path) : path;
  const unlock = isThere ? lockForReplacement(real) : () => {};
  const copy = real + RESTORING;
  try {
    await copyBeside(file, copy, needs);
    const replaced = `${real}.replaced-${dateOf(needs.now)}`;
    // The database first: its companion files are useless without it.
    for (const end of BESIDE)
      if (existsSync(`${real}${end}`)) renameSync(`${real}${end}`, `${replaced}${end}`);
    renameSync(copy, real);
    syncFolder(dirname(real));
    return { replaced: isThere ? replaced : undefined };
  } finally {
    // Once the database was moved, its copy stays: the next start names it instead of an empty database.
    if (!isThere || existsSync(real)) removeAll(copy);
    unlock();
  }
};

/** @returns the name of the schema that the tables go into */
const requireEmpty = async (db: Database): Promise<string> => {
  const { rows } = await sql<{ schema: string | null; tables: number; bots: number }>`
    select
      current_schema() as schema,
      (select count(*) from pg_class where relkind = 'r' and relnamespace =
        (select oid from pg_namespace where nspname = current_schema())) as tables,
      (select count(*) from pg_stat_activity where datname = current_database()
        and application_name = 'balcao' and pid <> pg_backend_pid()) as bots
  `.execute(db);
  const { schema = null, tables = 0, bots = 0 } = rows[0] ?? {};
  if (bots > 0)
    throw new StoreError("database_in_use", "A bot is using the database: stop it first");
  if (schema === null)
    throw new StoreError(
      "backup_refused",
      "There is no schema of those in the role's search path: create the one that the backup was made of, and run this again",
    );
  if (tables === 0) return schema;
  throw new StoreError(
    "backup_refused",
    "The database has tables, which nothing here overwrites: create an empty database, point DATABASE_URL at it and run this again; the one before stays as it is",
  );
};

/** Rows of `meta` in the dump. The values read here need no unescaping of COPY's text format. */
const dumpedMeta = async (
  file: string,
  schema: string,
  { environment }: RestoreNeeds,
): Promise<VaultMeta> => {
  const rows = await rowsInDump(file, schema, "meta", environment);
  const cells = [...rows.matchAll(/^(\w+)\t(.*)$/gm)];
  if (cells.length === 0)
    throw new StoreError(
      "backup_refused",
      `The file is no backup of this bot's database in the schema ${schema}`,
    );
  return new Map(cells.map(([, name = "", value = ""]) => [name, value]));
};

const restorePostgres = async (
  url: string,
  file: string,
  needs: RestoreNeeds,
): Promise<Restored> => {
  const db = new Kysely<Schema>({ dialect: (await openPostgres(url, needs)).dialect });
  try {
    const schema = await requireEmpty(db);
    // Checks the key ring before loading: loaded tables cannot be removed again.
    requireOwn(await dumpedMeta(file, schema, needs), needs);
    const options = ["--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error"];
    // The schema itself, which the dump begins with, is there.
    const all = [`--schema=${schema}`, ...options, file];
    await runPostgresTool("pg_restore", url, all, needs.environment);
    await noteRestored(db, needs);
    return { replaced: undefined };
  } finally {
    await db.destroy();
  }
};

/**
 * Replaces the database with a backup and keeps the old one beside it (SQLite), or loads the backup into an empty
 * database (PostgreSQL). The next start of the bot notices the restore.
 * @throws StoreError database_in_use, database_refused, backup_refused, corrupt_database, wrong_key_ring, other_wallet,
 * disk_unwritable, missing_database
 */
export const restoreDatabase = async (
  url: string,
  file: string,
  needs: RestoreNeeds,
): Promise<Restored> => {
  if (!existsSync(file) || !statSync(file).isFile())
    throw new StoreError("backup_refused", `There is no file ${file}`);
  requireReadable(file);
  if (!url.startsWith("sqlite:")) return await restorePostgres(url, file, needs);
  const path = fileOf(url);
  try {
    return await restoreSqlite(path, file, needs);
  } catch (error) {
    throw storageProblem(error, path) ?? error;
  }
};
