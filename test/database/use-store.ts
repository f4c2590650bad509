import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Clock } from "#src/shared/time.ts";
import { Secret } from "#src/shared/secret.ts";
import type { SavedAccount, Saving } from "#src/accounts/accounts-write.store.ts";
import type { OfferEndNotice } from "#src/accounts/wallet-key.ts";
import { accountsStore, openStores, type Stores } from "#src/stores.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import { reportLedger } from "#src/reports/report-ledger.store.ts";
import { reportRoutesStore } from "#src/reports/report-routes.store.ts";
import { disputeWatch } from "#src/disputes/dispute-watch.store.ts";
import type { OpenDatabase } from "#src/database/database.ts";
import type { Database } from "#src/schema.ts";
import { parseKeyRing } from "#src/database/encryption.ts";
import { openVault, type Vault } from "#src/database/vault.ts";
import {
  type DatabaseKind,
  openTestDatabase,
  quietLog,
  standingClock,
  type TestDatabase,
  testRandom,
} from "../support/databases.ts";
import { NOON, TABLES } from "./builders.ts";

export const WALLET = "https://wallet.example";

/** A line of a key ring, the same in every run. */
export const ringLine = (kid: string): string =>
  `${kid}:${Buffer.from(Array.from({ length: 32 }, (_, index) => (index * 7 + kid.charCodeAt(0) * 13) % 256)).toString("base64")}`;

/** The stores of an open database, whose vault has `testRing`. */
export const openTestStores = (open: OpenDatabase): Promise<Stores> =>
  openStores(open, new Secret(ringLine("first")), WALLET, testRandom);

export const testRing = parseKeyRing(ringLine("first"));

/** Parts of a restore of a database whose vault has `testRing`. */
export const restoring = {
  ring: testRing,
  walletBaseUrl: WALLET,
  random: testRandom,
  log: quietLog,
  environment: {},
  now: NOON,
};

export interface StoreUnderTest {
  readonly db: Database;
  readonly vault: Vault;
  readonly open: OpenDatabase;
  readonly url: string;
}

/** One database for the tests of a `describe`, emptied and given a new vault before each test. */
export const useStore = (
  kind: DatabaseKind,
  clock: Clock = standingClock(NOON.toString()),
): (() => StoreUnderTest) => {
  let test: TestDatabase;
  let open: OpenDatabase;
  let vault: Vault;
  const deleteRows = TABLES.map((table) => `delete from ${table}`);
  // PostgreSQL takes them in one round trip, SQLite one by one.
  const deletes = kind.name === "PostgreSQL" ? [deleteRows.join("; ")] : deleteRows;
  beforeAll(async () => {
    test = await kind.create();
    open = await openTestDatabase(test.url, clock);
  });
  beforeEach(async () => {
    for (const each of deletes) await sql.raw(each).execute(open.db);
    vault = await openVault(open.db, testRing, WALLET, testRandom);
  });
  afterAll(async () => {
    await open.close();
    await test.drop();
  });
  return () => ({ db: open.db, vault, open, url: test.url });
};

/** Accounts whose keys are each of a wallet account of its own, unless the service's user id is given. */
export const testAccounts = (db: Database, vault: Vault) => {
  const accounts = accountsStore(db, vault);
  return {
    ...accounts,
    save: (
      account: SavedAccount,
      apiKey: Secret,
      walletUserId = apiKey.reveal(),
      ...[requireFinished, sharedNotice, offerNotice]: [Saving[3]?, Saving[4]?, OfferEndNotice?]
    ) => accounts.save(account, apiKey, walletUserId, requireFinished, sharedNotice, offerNotice),
  };
};

/** `useStore`, and the stores of that database that most tests need. */
export const useStores = (...parts: Parameters<typeof useStore>) => {
  const store = useStore(...parts);
  return {
    store,
    accounts: () => testAccounts(store().db, store().vault),
    outbox: () => outboxStore(store().db, store().open.leaseNow),
    routes: () => reportRoutesStore(store().db),
    ledger: () => reportLedger(store().db),
    watch: () => disputeWatch(store().db),
  };
};
