import { Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { migrations } from "#src/store/migrations/index.ts";
import { outboxStore } from "#src/store/outbox.ts";
import { openPostgres } from "#src/store/postgres-database.ts";
import type { Database, Schema } from "#src/store/schema.ts";
import { openSqlite } from "#src/store/sqlite-database.ts";
import { openVault, type Vault } from "#src/store/vault.ts";
import { quietLog, testRandom } from "../support/databases.ts";
import { ANA, anaKey, delivery, GUILD, NOON } from "./builders.ts";
import { testRing, WALLET } from "./use-store.ts";

export const OLD_ACCOUNT = "account-of-an-old-version";
export const oldReport = delivery("report|old", { accountId: OLD_ACCOUNT });

/** Raw SQL of version 1: current code would use columns of later versions. */
const insertAccount = async (db: Database, vault: Vault): Promise<void> => {
  const sealed = vault.seal({ rowId: OLD_ACCOUNT, ownerId: ANA }, anaKey);
  await sql`
    insert into account (id, guild_id, owner_id, connected_by, api_key, api_key_kid, key_last4, key_fingerprint,
      owner_verified, report_consent, report_consent_at, paused_at, connected_at)
    values (${OLD_ACCOUNT}, ${GUILD}, ${ANA}, ${ANA}, ${sealed}, ${vault.currentKid}, '7e1b',
      ${vault.fingerprint(anaKey)}, 1, 1, ${NOON.toString()}, null, '2026-11-19T12:00:00.000Z')
  `.execute(db);
};

/** A database as version 1 left it, with an account and an owed report. */
export const writeOldDatabase = async (
  url: string,
  version: number,
  fill: (db: Database, vault: Vault) => Promise<void> = async () => {},
): Promise<void> => {
  const sqlite = url.startsWith("sqlite:") ? openSqlite(url) : undefined;
  const parts = { log: quietLog, random: testRandom };
  const { dialect } = sqlite ?? (await openPostgres(url, parts));
  const db = new Kysely<Schema>({ dialect });
  const upTo = Object.fromEntries(Object.entries(migrations).slice(0, version));
  const migrator = new Migrator({ db, provider: { getMigrations: async () => upTo } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw new Error("The old tables cannot be made", { cause: error });
  const vault = await openVault(db, testRing, WALLET, testRandom);
  await insertAccount(db, vault);
  await outboxStore(db, async () => NOON).enqueue(oldReport, NOON);
  await fill(db, vault);
  await db.destroy();
  sqlite?.unlock();
};
