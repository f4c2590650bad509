import { join } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import { onTestFinished } from "vitest";
import { type CompiledQuery, Kysely } from "kysely";
import type { Database, Schema } from "#src/schema.ts";
import type { OpenDatabase } from "#src/database/database.ts";
import { openSqliteFile, sqliteDialect } from "#src/database/sqlite.ts";
import type { Clock } from "#src/shared/time.ts";
import { openTestDatabase, temporaryFolder } from "../support/databases.ts";

export interface QueryPlan {
  readonly sql: string;
  readonly steps: readonly string[];
}

/**
 * A SQLite database for one test that tells how it would find the rows of what `db` was asked: it answers on the bot's
 * only thread. `plans`: of the statements about `tables` since the last call, but inserts.
 */
export const useQueryPlans = async (
  clock: Clock,
): Promise<{
  readonly db: Database;
  readonly open: OpenDatabase;
  readonly plans: (tables: RegExp) => readonly QueryPlan[];
}> => {
  const folder = temporaryFolder();
  const path = join(folder.path, "test.db");
  const open = await openTestDatabase(`sqlite:${path}`, clock);
  const file = openSqliteFile(path);
  const asked: CompiledQuery[] = [];
  const db = new Kysely<Schema>({
    dialect: sqliteDialect(file),
    log: ({ query }) => void asked.push(query),
  });
  onTestFinished(async () => {
    await db.destroy();
    await open.close();
    folder.remove();
  });
  const plans = (tables: RegExp): readonly QueryPlan[] =>
    asked
      .splice(0)
      .filter(({ sql }) => tables.test(sql) && !sql.startsWith("insert"))
      .map(({ sql, parameters }) => {
        const steps = file
          .prepare(`explain query plan ${sql}`)
          .all(...(parameters as SQLInputValue[]));
        return { sql, steps: steps.map((step) => (step as { detail: string }).detail) };
      });
  return { db, open, plans };
};
