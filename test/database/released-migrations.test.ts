import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { expect, it } from "vitest";
import { migrations } from "#src/database/migrations/index.ts";
import { openSqlite } from "#src/database/sqlite-database.ts";

/** By name, the first digits of the hash of its statements. A new migration adds its line, and no line changes. */
const released: unknown = JSON.parse(
  readFileSync(new URL("../fixtures/released-migrations.json", import.meta.url), "utf8"),
);

it("a migration runs the statements of its release, in its place", async () => {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: openSqlite("sqlite::memory:").dialect,
    log: ({ query }) => {
      statements.push(query.sql);
    },
  });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const hashes: Record<string, string> = {};
  for (const name of Object.keys(migrations)) {
    statements.length = 0;
    const { results = [] } = await migrator.migrateUp();
    expect(results.map(({ migrationName, status }) => `${migrationName} ${status}`)).toEqual([
      `${name} Success`,
    ]);
    const own = statements.filter((statement) => !/kysely_migration|sqlite_master/.test(statement));
    hashes[name] = createHash("sha256").update(own.join("\n")).digest("hex").slice(0, 12);
  }
  await db.destroy();
  expect(hashes).toEqual(released);
});
