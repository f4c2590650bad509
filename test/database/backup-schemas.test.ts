import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { backupDatabase, restoreDatabase } from "#src/database/backup.ts";
import { openVault } from "#src/database/vault.ts";
import {
  databases,
  openTestDatabase,
  standingClock,
  temporaryFolder,
  testRandom,
} from "../support/databases.ts";
import { installedPostgres, startInstalledPostgres } from "../support/installed-postgres.ts";
import { connected } from "../support/start-postgres.ts";
import { NOON } from "./builders.ts";
import { restoring, testRing, WALLET } from "./use-store.ts";

const clock = standingClock(NOON.toString());

const execute = (url: string, statements: string) =>
  connected(url, (client) => client.query(statements));

const at = (url: string, schema: string): string => {
  const search = `options=${encodeURIComponent(`-c search_path=${schema}`)}`;
  return `${url}${url.includes("?") ? "&" : "?"}${search}`;
};

describe("a schema of PostgreSQL that has a name of its own", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.path, "balcao.dump");
  });
  afterEach(() => folder.remove());

  it.each([
    ["found empty by a restore, also with capitals", '"Balcao"', "pg_restore cannot be run"],
    ["asked for by a restore where it is not there", "nowhere", "There is no schema"],
  ])("is %s", async (_, schema, why) => {
    const empty = await databases[1]!.createEmpty();
    writeFileSync(file, "dump");
    await execute(empty.url, 'create schema "Balcao"');
    const environment = { PATH: folder.path };
    await expect(
      restoreDatabase(at(empty.url, schema), file, { ...restoring, environment }),
    ).rejects.toThrow(why);
    await empty.drop();
  });

  it.skipIf(installedPostgres === undefined)(
    "is copied without what others keep beside it, and put back into one of its name alone",
    async () => {
      const server = startInstalledPostgres(installedPostgres!);
      onTestFinished(server.stop);
      const environment = {
        PATH: [installedPostgres!.programs, "/usr/bin", "/bin"].join(delimiter),
      };
      const [from, into] = [server.create("one"), server.create("two")];
      const asBot = (url: string) => url.replace("user=postgres", "user=bot");
      await execute(from, 'create role bot login; create schema "Balcao" authorization bot');
      await execute(into, 'create schema "Balcao" authorization bot');
      const source = await openTestDatabase(at(asBot(from), '"Balcao"'), clock);
      await openVault(source.db, testRing, WALLET, testRandom);
      await source.close();
      await execute(
        from,
        `create schema other; create table other.orders (id int); create table "Balcao"."Orders" (id serial)`,
      );
      await expect(backupDatabase(from, file, environment)).rejects.toThrow(
        "DATABASE_URL names no tables of this bot",
      );
      await backupDatabase(at(asBot(from), '"Balcao"'), file, environment);

      await expect(restoreDatabase(into, file, { ...restoring, environment })).rejects.toThrow(
        "no backup of this bot's database in the schema public",
      );
      await restoreDatabase(at(asBot(into), '"Balcao"'), file, { ...restoring, environment });
      const restored = await openTestDatabase(at(asBot(into), '"Balcao"'), clock);
      expect(restored.storage.noticed).toBe("restored");
      await restored.close();
    },
  );
});
