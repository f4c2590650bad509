import { Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import type { Clock } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import type { Random } from "../shared/random.ts";
import { instantOf, storedInstant } from "./columns.ts";
import {
  forMigrations,
  openPostgres,
  POSTGRES_LIMITS,
  type PostgresLimits,
} from "./postgres-database.ts";
import { isPostgres } from "./queries.ts";
import type { Database, Schema } from "../schema.ts";
import { openSqlite, type SqliteOpening } from "./sqlite-database.ts";
import { openStorage } from "./storage-state.ts";
import { DatabaseAwayError } from "../shared/errors.ts";
import { codeOf, isPassingFailure, storageProblem, StoreError } from "../shared/store-errors.ts";
import { migrations } from "./migrations/index.ts";

export type OpenDatabase = Awaited<ReturnType<typeof openDatabase>>;

export interface DatabaseOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Replaces PostgreSQL's clock where time is virtual. */
  readonly leaseClock?: Clock | undefined;
  readonly sqlite?: SqliteOpening | undefined;
  readonly postgres?: PostgresLimits | undefined;
}

/**
 * Opens `sqlite:PATH`, `sqlite::memory:` or `postgres://…` and migrates its tables. A SQLite file belongs to this
 * process until it is closed or the process dies.
 * @throws StoreError database_in_use, database_unavailable, database_refused, unsafe_database, migration_failed
 */
export const openDatabase = async (url: string, options: DatabaseOptions) => {
  const sqlite = url.startsWith("sqlite:") ? openSqlite(url, options.sqlite) : undefined;
  const opening = sqlite ?? (await openPostgres(url, options, options.postgres));
  const db = new Kysely<Schema>({ dialect: opening.dialect });
  const { clock, leaseClock = sqlite && clock } = options;
  const close = async (): Promise<void> => {
    await db.destroy();
    sqlite?.unlock();
  };
  try {
    const isApart = sqlite === undefined && (await isBehind(db));
    if (isApart) await migrateApart(url, options);
    else if (options.sqlite?.image === undefined) await migrate(db);
    const storage = await openStorage(db, { ...options, markPath: sqlite?.markPath });
    if ("checkEach" in opening) opening.checkEach(storage.check);
    return {
      db,
      /** Detects an older copy of the database. */
      storage,
      close,
      /** The clock of leases: one for all processes of a database, independent of their own clocks. */
      leaseNow: async () => leaseClock?.now() ?? (await databaseNow(db)),
      /** Writes and commits one row, for the health check. */
      probeWrite: async (): Promise<void> => {
        const value = storedInstant(clock.now());
        await db
          .insertInto("meta")
          .values({ name: PROBE, value })
          .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
          .execute();
      },
      /** Empties SQLite's page cache: the system keeps the file in its own. Without effect on PostgreSQL. */
      releaseMemory: async (): Promise<void> => {
        if (sqlite !== undefined) await sql`pragma shrink_memory`.execute(db);
      },
      /** Calls back each time a lost database answers again; never on SQLite. */
      onReturn: (listener: () => void): void => {
        if ("connectionWatch" in opening) opening.connectionWatch.onReturn(listener);
      },
    } as const;
  } catch (error) {
    await close();
    throw error;
  }
};

const PROBE = "health_probe";

/**
 * PostgreSQL's schema with our tables, or in which new ones are made. Named, since Kysely takes its tables of another
 * schema for ours.
 */
const schemaOf = async (db: Database): Promise<string | undefined> => {
  if (!isPostgres(db)) return undefined;
  const { rows } = await sql<{ name: string | null }>`
    select coalesce(
      (select nspname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where pg_class.oid = to_regclass('report_progress')),
      current_schema()) as name
  `.execute(db);
  return rows[0]?.name ?? undefined;
};

/** @throws as `migrate` does */
const migratorOf = async (db: Database): Promise<Migrator> => {
  const schema = await schemaOf(db).catch((error: unknown) => {
    throw migrationFailure(error);
  });
  return new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    ...(schema !== undefined && { migrationTableSchema: schema }),
  });
};

/** Whether a migration is still to be run. @throws as `migrate` does */
const isBehind = async (db: Database): Promise<boolean> => {
  try {
    const migrator = await migratorOf(db);
    const every = await migrator.getMigrations();
    return every.some(({ executedAt }) => executedAt === undefined);
  } catch (error) {
    throw migrationFailure(error);
  }
};

/** Migrates PostgreSQL's tables by a connection of its own, on which a statement may take long. */
const migrateApart = async (url: string, options: DatabaseOptions): Promise<void> => {
  const limits = forMigrations(options.postgres ?? POSTGRES_LIMITS);
  const db = new Kysely<Schema>({ dialect: (await openPostgres(url, options, limits)).dialect });
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
};

/** Migrates the tables. @throws StoreError database_unavailable, migration_failed, or the storage error behind it */
export const migrate = async (db: Database): Promise<void> => {
  const migrator = await migratorOf(db);
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw migrationFailure(error);
};

/** Kysely's words about a migration that this version lacks. They call a whole database corrupted. */
const LACKS = /^corrupted migrations: previously executed migration (\S+) is missing$/;
const GO_BACK =
  'this version has no $1: start the version that wrote it, or put back the copy from before the update, as "Updates and moves" in docs/operating.md says (nothing was changed)';

/** A role without rights on the schema or the tables, or without a schema. Source: PostgreSQL's error codes. */
const LACKS_RIGHTS = /^(42501|3F000)$/;

const migrationFailure = (error: unknown): StoreError => {
  const cause = error instanceof DatabaseAwayError ? error.cause : error;
  // The storage error behind it: the migration is only the first query to meet it.
  const refusal = storageProblem(cause);
  if (refusal !== undefined) return refusal;
  const code = codeOf(cause);
  const reason = cause instanceof Error ? cause.message : "unknown reason";
  if (isPassingFailure(error)) {
    const words = [code, reason].filter((word) => word !== "").join(": ");
    return new StoreError(
      "database_unavailable",
      `The database (DATABASE_URL) does not answer now (${code === "" ? "the connection was lost or silent" : words}): try again later`,
      error,
    );
  }
  if (LACKS_RIGHTS.test(code)) {
    return new StoreError(
      "database_refused",
      `DATABASE_URL is refused: ${reason} (let its role own the database, or a schema in its search path, and the bot's tables there)`,
      error,
    );
  }
  return new StoreError(
    "migration_failed",
    `The tables cannot be brought up to date (was the database written by a newer version?): ${reason.replace(LACKS, GO_BACK)}`,
    error,
  );
};

const databaseNow = async (db: Database): Promise<Temporal.Instant> => {
  const { rows } = await sql<{ now: string }>`
    select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("PostgreSQL did not say what time it is");
  return instantOf(row.now);
};
