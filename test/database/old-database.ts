import { Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { onTestFinished } from "vitest";
import { nonceOf } from "#src/delivery/delivery.ts";
import { type DeliveryKind } from "#src/delivery/delivery-policies.ts";
import { migrations } from "#src/database/migrations/index.ts";
import { openPostgres } from "#src/database/postgres-database.ts";
import type { Database, Schema } from "#src/schema.ts";
import { openSqlite } from "#src/database/sqlite-database.ts";
import { openVault, type Vault } from "#src/database/vault.ts";
import {
  type DatabaseKind,
  openTestDatabase,
  quietLog,
  standingClock,
  testRandom,
} from "../support/databases.ts";
import { ANA, anaKey, CHANNEL, delivery, GUILD, NOON } from "./builders.ts";
import { type StoreUnderTest, testRing, WALLET } from "./use-store.ts";

export const OLD_ACCOUNT = "account-of-an-old-version";
export const oldReport = delivery("report|old", { accountId: OLD_ACCOUNT });

/** In the SQL of version 1: today's code uses columns that version 1 lacked. */
const insertAccount = async (db: Database, vault: Vault): Promise<void> => {
  const sealed = vault.seal({ rowId: OLD_ACCOUNT, ownerId: ANA }, anaKey);
  await sql`
    insert into account (id, guild_id, owner_id, connected_by, api_key, api_key_kid, key_last4, key_fingerprint,
      owner_verified, report_consent, report_consent_at, paused_at, connected_at)
    values (${OLD_ACCOUNT}, ${GUILD}, ${ANA}, ${ANA}, ${sealed}, ${vault.currentKid}, '7e1b',
      ${vault.fingerprint(anaKey)}, 1, 1, ${NOON.toString()}, null, '2026-11-19T12:00:00.000Z')
  `.execute(db);
};

/** In the SQL of versions 1 to 9. Each delivery has a line of its own. */
export const insertDelivery = (
  db: Database,
  key: string,
  kind: DeliveryKind,
  accountId: string | null = null,
  state: "due" | "obsolete" = "due",
) => {
  const at = NOON.toString({ smallestUnit: "millisecond" });
  return sql`
    insert into outbox (dedupe_key, kind, target_kind, target_id, line, guild_id, account_id, payload, nonce, state,
      attempts, token, was_blocked, not_before, line_at, created_at, settled_at)
    values (${key}, ${kind}, 'channel', ${CHANNEL}, ${key}, ${GUILD}, ${accountId}, '{}', ${nonceOf(key)}, ${state},
      0, 0, 0, ${at}, ${at}, ${at}, ${state === "due" ? null : at})
  `.execute(db);
};

/** Works on a database with the tables of that version, which are made where it has none or older ones. */
export const withTablesOf = async (
  version: number,
  url: string,
  work: (db: Database, vault: Vault) => Promise<unknown>,
): Promise<void> => {
  const sqlite = url.startsWith("sqlite:") ? openSqlite(url) : undefined;
  const parts = { log: quietLog, random: testRandom };
  const { dialect } = sqlite ?? (await openPostgres(url, parts));
  const db = new Kysely<Schema>({ dialect });
  const upTo = Object.fromEntries(Object.entries(migrations).slice(0, version));
  const migrator = new Migrator({ db, provider: { getMigrations: async () => upTo } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw new Error("The old tables cannot be made", { cause: error });
  await work(db, await openVault(db, testRing, WALLET, testRandom));
  await db.destroy();
  sqlite?.unlock();
};

/** Tables of commit 410d0987, the last version that asked for the wallet accounts of stored keys. */
export const LAST_ASKING = 33;

/** What that version did with Ana's key. Other accounts in the journal are taken for known ones. */
export const nameWallets = async (db: Database, vault: Vault): Promise<void> => {
  const [key, wallet] = [vault.fingerprint(anaKey), vault.hashWalletUser(ANA)];
  await sql`update account set account_fp = ${wallet} where key_fingerprint = ${key}`.execute(db);
  await sql`update withdraw_op set account_fp = ${wallet} where account_fp = ${key}`.execute(db);
  await sql`insert into wallet_key (key_fingerprint, account_fp) values (${key}, ${wallet})`.execute(
    db,
  );
  await sql`
    insert into wallet_key (key_fingerprint, account_fp)
    select distinct 'key of ' || account_fp, account_fp from withdraw_op where account_fp <> ${wallet}
  `.execute(db);
};

/** A database as that version left it, with an account that is known only by its key and an unsent report. */
export const writeUnnamed = (
  url: string,
  version: number,
  fill: (db: Database, vault: Vault) => Promise<unknown> = async () => {},
): Promise<void> =>
  withTablesOf(version, url, async (db, vault) => {
    await insertAccount(db, vault);
    await insertDelivery(db, oldReport.dedupeKey, "sales_report", OLD_ACCOUNT);
    await fill(db, vault);
  });

/** Such a database after the last version that asked for wallet accounts. */
export const writeOldDatabase = async (
  ...given: Parameters<typeof writeUnnamed>
): Promise<void> => {
  await writeUnnamed(...given);
  await withTablesOf(LAST_ASKING, given[0], nameWallets);
};

type Fill = NonNullable<Parameters<typeof writeUnnamed>[2]>;

/** Such a database with today's tables, filled by versions that it went through, the oldest first. */
export const upgradeThrough = async (
  { createEmpty }: DatabaseKind,
  [[version, fill], ...later]: readonly [
    readonly [number, Fill?],
    ...(readonly (readonly [number, Fill])[]),
  ],
): Promise<{ readonly store: StoreUnderTest; readonly close: () => Promise<void> }> => {
  const { url, drop } = await createEmpty();
  await writeUnnamed(url, version, fill);
  for (const step of later) await withTablesOf(step[0], url, step[1]);
  await withTablesOf(LAST_ASKING, url, nameWallets);
  const open = await openTestDatabase(url, standingClock(NOON.toString()));
  const vault = await openVault(open.db, testRing, WALLET, testRandom);
  const close = async (): Promise<void> => {
    await open.close();
    await drop();
  };
  return { store: { db: open.db, vault, open, url }, close };
};

/** Such a database of one version, until the test ends. */
export const openUpgraded = async (
  kind: DatabaseKind,
  version: number,
): Promise<StoreUnderTest> => {
  const { store, close } = await upgradeThrough(kind, [[version]]);
  onTestFinished(close);
  return store;
};
