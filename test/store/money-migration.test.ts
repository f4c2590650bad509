import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { describe, expect, test } from "vitest";
import { accountsStore } from "#src/store/accounts.ts";
import { migrations } from "#src/store/migrations/index.ts";
import { outboxStore } from "#src/store/outbox.ts";
import { openPostgres } from "#src/store/postgres-database.ts";
import type { Schema } from "#src/store/schema.ts";
import { openSqlite } from "#src/store/sqlite-database.ts";
import { openVault } from "#src/store/vault.ts";
import {
  databases,
  openTestDatabase,
  quietLog,
  standingClock,
  testRandom,
} from "../support/databases.ts";
import { ANA, anaKey, GUILD, NOON, reportOf, savedAccount } from "./builders.ts";
import { testRing, WALLET } from "./use-store.ts";
import { journalOf, opIn } from "./withdraw-builders.ts";

const clock = standingClock(NOON.toString());

describe.each(databases)("a database of the first version on $name", ({ create }) => {
  /** Tables as the first version made them, with an account and a report that is owed. */
  const writeFirstVersion = async (url: string): Promise<void> => {
    const sqlite = url.startsWith("sqlite:") ? openSqlite(url) : undefined;
    const dialect = sqlite?.dialect ?? (await openPostgres(url, quietLog));
    const db = new Kysely<Schema>({ dialect });
    const first = Object.fromEntries(Object.entries(migrations).slice(0, 1));
    const migrator = new Migrator({ db, provider: { getMigrations: async () => first } });
    const { error } = await migrator.migrateToLatest();
    expect(error).toBeUndefined();
    const vault = await openVault(db, testRing, WALLET, testRandom);
    const account = await accountsStore(db, vault).save(savedAccount(), anaKey);
    await outboxStore(db, async () => NOON).enqueue(reportOf(account), NOON);
    await db.destroy();
    sqlite?.unlock();
  };

  test("keeps its accounts and what it owes, and takes withdrawals", async () => {
    const database = await create();
    await writeFirstVersion(database.url);
    const open = await openTestDatabase(database.url, clock);
    const { db, leaseNow } = open;
    const vault = await openVault(db, testRing, WALLET, testRandom);
    const found = await accountsStore(db, vault).findWithKey(GUILD, ANA);
    expect(found?.apiKey.reveal()).toBe(anaKey.reveal());
    expect(await outboxStore(db, leaseNow).state(reportOf(found!.account).dedupeKey)).toBe("due");
    const accountFp = found!.account.keyFingerprint;
    expect(await accountsStore(db, vault).connectionsOf(accountFp)).toEqual([found?.account]);
    const journal = journalOf({ db, vault, open, url: database.url });
    const op = await opIn(journal, "sending", { accountFp });
    expect(await journal.openOf(accountFp)).toEqual(op);
    await open.close();
    await database.drop();
  });
});
