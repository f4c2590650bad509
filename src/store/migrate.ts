import { Migrator } from "kysely/migration";
import { DatabaseAwayError } from "../shared/errors.ts";
import { StoreError } from "./errors.ts";
import { migrations } from "./migrations/index.ts";
import { codeOf, isPassingFailure, storageProblem } from "./passing-failure.ts";
import type { Database } from "./schema.ts";

/** What the connection itself was refused for, in words; the migration only met it first. */
const refusalOf = (error: unknown): StoreError | undefined =>
  storageProblem(error instanceof DatabaseAwayError ? error.cause : error);

/** Brings the tables up to date. @throws StoreError database_unavailable, migration_failed, or why it was refused */
export const migrate = async (db: Database): Promise<void> => {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const refusal = refusalOf(error);
  if (refusal !== undefined) throw refusal;
  if (isPassingFailure(error)) {
    throw new StoreError(
      "database_unavailable",
      `The database (DATABASE_URL) does not answer now (${codeOf(error) || "no answer in time"}): try again later`,
      error,
    );
  }
  const reason = error instanceof Error ? error.message : "unknown reason";
  throw new StoreError(
    "migration_failed",
    `The tables cannot be brought up to date (was the database written by a newer version?): ${reason}`,
    error,
  );
};
