import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { Kysely, sql } from "kysely";
import type { Logger } from "../shared/log.ts";
import type { Random } from "../shared/random.ts";
import { storedInstant } from "./columns.ts";
import { StoreError } from "./errors.ts";
import type { KeyRing } from "./key-ring.ts";
import { damaged, storageProblem } from "./passing-failure.ts";
import { openPostgres } from "./postgres-database.ts";
import { type Environment, rowsInDump, runPostgresTool } from "./postgres-tools.ts";
import type { Database, Schema } from "./schema.ts";
import { openSqliteFile, pragma } from "./sqlite.ts";
import { requireWhole, takeFile } from "./sqlite-database.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { RESTORED_FACT } from "./storage-state.ts";
import { fingerprintKeyIn, readVaultMeta, type VaultMeta } from "./vault-meta.ts";

export interface RestoreNeeds {
  readonly ring: KeyRing;
  readonly walletBaseUrl: string;
  readonly random: Random;
  readonly log: Logger;
  readonly environment: Environment;
  readonly now: Temporal.Instant;
}

/** What stands where: undefined when nothing was replaced. */
export interface Restored {
  readonly replaced: string | undefined;
}

const OWNER_ONLY = 0o600;
const BESIDE = ["", "-wal", "-shm"];

/** @throws StoreError backup_refused, wrong_key_ring, other_wallet when the copy is not one for this key ring */
const requireOwn = (meta: VaultMeta, { ring, walletBaseUrl }: RestoreNeeds): void => {
  if (!meta.has("canary"))
    throw new StoreError("backup_refused", "The file is no backup of this bot's database");
  fingerprintKeyIn(meta, ring, walletBaseUrl);
};

/** Notes in the copy that it was put back. */
const noteRestored = async (db: Database, needs: RestoreNeeds): Promise<void> => {
  const value = storedInstant(needs.now);
  await db
    .insertInto("meta")
    .values({ name: RESTORED_FACT, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
};

const syncFolder = (path: string): void => {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  fsyncSync(folder);
  closeSync(folder);
};

/** A copy of the backup beside the database, checked and ready: the backup itself stays as it is. */
const copyBeside = async (file: string, copy: string, needs: RestoreNeeds): Promise<void> => {
  rmSync(copy, { force: true });
  copyFileSync(file, copy, constants.COPYFILE_EXCL);
  chmodSync(copy, OWNER_ONLY);
  const opened = openSqliteFile(copy);
  // Kysely closes it.
  const db = new Kysely<Schema>({ dialect: sqliteDialect(opened) });
  try {
    pragma(opened, "journal_mode=DELETE");
    pragma(opened, "synchronous=FULL");
    requireWhole(opened, file);
    requireOwn(await readVaultMeta(db), needs);
    await noteRestored(db, needs);
  } catch (error) {
    const isForeign = error instanceof Error && /no such table/.test(error.message);
    throw isForeign ? damaged(file, error) : error;
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
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const isThere = existsSync(path);
  const real = isThere ? realpathSync(path) : path;
  const unlock = isThere ? takeFile(real) : () => {};
  const copy = `${real}.restoring`;
  try {
    await copyBeside(file, copy, needs);
    const replaced = `${real}.replaced-${dateOf(needs.now)}`;
    // The database first: what lies beside it is nothing without it.
    for (const end of BESIDE)
      if (existsSync(`${real}${end}`)) renameSync(`${real}${end}`, `${replaced}${end}`);
    renameSync(copy, real);
    syncFolder(dirname(real));
    return { replaced: isThere ? replaced : undefined };
  } finally {
    rmSync(copy, { force: true });
    unlock();
  }
};

const requireEmpty = async (db: Database): Promise<void> => {
  const { rows } = await sql<{ tables: number; bots: number }>`
    select
      (select count(*) from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace) as tables,
      (select count(*) from pg_stat_activity where datname = current_database()
        and application_name = 'balcao' and pid <> pg_backend_pid()) as bots
  `.execute(db);
  const { tables = 0, bots = 0 } = rows[0] ?? {};
  if (bots > 0)
    throw new StoreError("database_in_use", "A bot is using the database: stop it first");
  if (tables === 0) return;
  throw new StoreError(
    "backup_refused",
    "The database has tables, which nothing here overwrites: create an empty database, point DATABASE_URL at it and run this again; the one before stays as it is",
  );
};

/** Rows of `meta` in the dump. Those that are wanted hold nothing that COPY would write otherwise. */
const dumpedMeta = async (file: string, { environment }: RestoreNeeds): Promise<VaultMeta> => {
  const rows = await rowsInDump(file, "meta", environment);
  const cells = rows.matchAll(/^(\w+)\t(.*)$/gm);
  return new Map([...cells].map(([, name = "", value = ""]) => [name, value]));
};

const restorePostgres = async (
  url: string,
  file: string,
  needs: RestoreNeeds,
): Promise<Restored> => {
  const db = new Kysely<Schema>({ dialect: (await openPostgres(url, needs)).dialect });
  try {
    await requireEmpty(db);
    // The ring is judged before anything is loaded: nothing here takes it out again.
    requireOwn(await dumpedMeta(file, needs), needs);
    const options = ["--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error"];
    await runPostgresTool("pg_restore", url, [...options, file], needs.environment);
    await noteRestored(db, needs);
    return { replaced: undefined };
  } finally {
    await db.destroy();
  }
};

/**
 * Puts a backup in the place of the database, which is kept beside it (SQLite), or into an empty one (PostgreSQL). The
 * next start of the bot knows that it was restored.
 * @throws StoreError database_in_use, backup_refused, corrupt_database, wrong_key_ring, other_wallet, disk_unwritable
 */
export const restoreDatabase = async (
  url: string,
  given: string,
  needs: RestoreNeeds,
): Promise<Restored> => {
  const file = resolve(given);
  if (!existsSync(file)) throw new StoreError("backup_refused", `There is no file ${file}`);
  if (!url.startsWith("sqlite:")) return await restorePostgres(url, file, needs);
  try {
    return await restoreSqlite(resolve(url.slice("sqlite:".length)), file, needs);
  } catch (error) {
    throw storageProblem(error, file) ?? error;
  }
};
