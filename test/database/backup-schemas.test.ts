import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { restoreDatabase } from "#src/database/backup.ts";
import { databases, quietLog, temporaryFolder, testRandom } from "../support/databases.ts";
import { NOON } from "./builders.ts";
import { testRing, WALLET } from "./use-store.ts";

const needs = {
  ring: testRing,
  walletBaseUrl: WALLET,
  random: testRandom,
  log: quietLog,
  now: NOON,
};

const execute = async (url: string, statements: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statements);
  await client.end();
};

describe("a schema of PostgreSQL that has a name of its own", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.path, "balcao.dump");
  });
  afterEach(() => folder.remove());

  it("is found empty by a restore, also with capitals", async () => {
    const empty = await databases[1]!.createEmpty();
    writeFileSync(file, "dump");
    await execute(empty.url, 'create schema "Balcao"');
    const url = `${empty.url}?options=${encodeURIComponent('-c search_path="Balcao"')}`;
    await expect(
      restoreDatabase(url, file, { ...needs, environment: { PATH: folder.path } }),
    ).rejects.toThrow("pg_restore cannot be run");
    await empty.drop();
  });
});
