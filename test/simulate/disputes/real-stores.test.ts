import { expect, it } from "vitest";
import { sql } from "kysely";
import type { Clock } from "#src/shared/time.ts";
import { Secret } from "#src/shared/secret.ts";
import { storedInstant } from "#src/store/columns.ts";
import { openDatabase } from "#src/store/database.ts";
import { openStores } from "#src/store/stores.ts";
import { simulateFortnight } from "./fortnight.ts";
import { openMemoryStage } from "./memory-stores.ts";
import { createDice } from "../dice.ts";
import type { DisputePorts, DisputeStage } from "./ports.ts";
import { diceOfRow } from "./row-id.ts";

const SEEDS = 100;
const WHOLE_SEEDS = 8;

it(`lives ${SEEDS} fortnights on the real stores as on the model of them`, async () => {
  const model = await openMemoryStage();
  const real = await openSqliteStage();
  let alerts = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const expected = await simulateFortnight(model, seed);
    expect(await simulateFortnight(real, seed)).toEqual(expected);
    alerts += expected.alerts;
  }
  await real.close();
  console.log(`${SEEDS} seeds on SQLite: the same ${alerts} alerts, and all that led to them`);
});

it(`finds nothing else in ${WHOLE_SEEDS} fortnights of which every minute is lived`, async () => {
  const stage = await openMemoryStage();
  for (let seed = 1; seed <= WHOLE_SEEDS; seed++) {
    const { violations } = await simulateFortnight(stage, seed, { everyMinute: true });
    expect(violations).toEqual([]);
  }
});

const WIPED = [
  "dispute_watch",
  "dispute_poll",
  "dispute_unlisted",
  "alert_route",
  "outbox",
  "audit_event",
  "account",
  "wallet_key",
] as const;
const RING = `k1:${Buffer.from(createDice(1).bytes(32)).toString("base64")}`;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The real stores on an in-memory database. */
const openSqliteStage = async (): Promise<DisputeStage> => {
  let clock: Clock = { now: () => Temporal.Instant.from("2026-01-01T00:00Z") };
  let dice = createDice(0);
  let saved = 0;
  const random = { bytes: (size: number) => dice.bytes(size), fraction: () => dice.fraction() };
  const shared = { now: () => clock.now() };
  const database = await openDatabase("sqlite::memory:", { clock: shared, random, log: silent });
  const stores = await openStores(database, new Secret(RING), "https://wallet.example", random);
  const { db } = database;
  const ports: DisputePorts = {
    accounts: {
      ...stores.accounts,
      save: (...given) => {
        dice = diceOfRow(++saved);
        return stores.accounts.save(...given);
      },
    },
    watch: stores.disputeWatch,
    routes: stores.alertRoutes,
    outbox: stores.outbox,
    skipPolls: async (accountId, nextPollAt) => {
      const next = storedInstant(nextPollAt);
      await db
        .updateTable("dispute_poll")
        .set({ next_poll_at: next })
        .where("account_id", "=", accountId)
        .execute();
    },
  };
  return {
    ports,
    begin: async (nextClock) => {
      clock = nextClock;
      saved = 0;
      for (const table of WIPED) await sql`delete from ${sql.table(table)}`.execute(db);
    },
    close: database.close,
  };
};
