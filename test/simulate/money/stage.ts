import { sql } from "kysely";
import type { Clock } from "#src/shared/time.ts";
import { Secret } from "#src/shared/secret.ts";
import { openDatabase } from "#src/store/database.ts";
import type { Database } from "#src/store/schema.ts";
import { openStores, type Stores } from "#src/store/stores.ts";
import { createDice, type Dice } from "../dice.ts";

export const GUILD = "g1";
interface Person {
  readonly userId: string;
  /** The first key of the person's wallet account; it also identifies the account. */
  readonly apiKey: string;
}

/** Ana and Bruno hold keys of one wallet account, sometimes the same key. Carla has an account of her own. */
export const PEOPLE: readonly [Person, Person, Person] = [
  { userId: "111111111111111111", apiKey: "sk_sandbox_shared_key" },
  { userId: "222222222222222222", apiKey: "sk_sandbox_shared_key" },
  { userId: "333333333333333333", apiKey: "sk_sandbox_other_key" },
];

/** All keys of a wallet account; each of its people may use any. */
export const keysOf = (account: string): readonly [string, ...string[]] => [
  account,
  `${account}#2`,
  `${account}#3`,
];

export const walletOf = (apiKey: string): string => apiKey.split("#")[0] ?? "";

/** One migrated database for many runs; each run finds it empty. */
export interface MoneyStage {
  readonly stores: Stores;
  readonly db: Database;
  /** Empties the database and sets the clock and dice of the next run. */
  readonly begin: (clock: Clock, dice: Dice) => Promise<void>;
  readonly close: () => Promise<void>;
}

const WIPED = [
  "withdraw_event",
  "withdraw_op",
  "pix_key",
  "money_guard",
  "split_balance",
  "ghost_seen",
  "ghost_baseline",
  "outbox",
  "audit_event",
  "account",
  "wallet_key",
  "dispute_watch",
  "dispute_poll",
] as const;
const RING = `k1:${Buffer.from(createDice(1).bytes(32)).toString("base64")}`;
const CONNECTED = Temporal.Instant.from("2026-01-01T00:00Z");
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export const openMoneyStage = async (): Promise<MoneyStage> => {
  let clock: Clock = { now: () => CONNECTED };
  let dice = createDice(0);
  const random = { bytes: (size: number) => dice.bytes(size), fraction: () => dice.fraction() };
  const shared = { now: () => clock.now() };
  const database = await openDatabase("sqlite::memory:", { clock: shared, random, log: silent });
  const stores = await openStores(database, new Secret(RING), "https://wallet.example", random);
  const { db } = database;
  for (const { userId, apiKey } of PEOPLE) {
    const account = { guildId: GUILD, ownerId: userId, connectedBy: userId, ownerVerified: true };
    const consent = { reportConsent: false, reportConsentAt: undefined, connectedAt: CONNECTED };
    await stores.accounts.save({ ...account, ...consent }, new Secret(apiKey), apiKey);
  }
  const accounts = await db.selectFrom("account").selectAll().execute();
  const keys = await db.selectFrom("wallet_key").selectAll().execute();
  return {
    stores,
    db,
    begin: async (nextClock, nextDice) => {
      clock = nextClock;
      dice = nextDice;
      await db.deleteFrom("meta").where("name", "like", "open_listed%").execute();
      for (const table of WIPED) await sql`delete from ${sql.table(table)}`.execute(db);
      await db.insertInto("account").values(accounts).execute();
      await db.insertInto("wallet_key").values(keys).execute();
    },
    close: database.close,
  };
};
