import { sql } from "kysely";
import type { Clock } from "#src/shared/time.ts";
import { Secret } from "#src/shared/secret.ts";
import { openDatabase } from "#src/database/database.ts";
import { openStores } from "#src/stores.ts";
import { TABLES } from "../database/builders.ts";
import { createDice, type Dice } from "./dice.ts";

export type StoresStage = Awaited<ReturnType<typeof openStoresStage>>;

/** The vault, opened once, has its rows in `meta`. */
const WIPED = TABLES.filter((table) => table !== "meta");
const RING = `k1:${Buffer.from(createDice(1).bytes(32)).toString("base64")}`;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The real stores on one migrated in-memory database for many runs; each run finds it empty. */
export const openStoresStage = async () => {
  let clock: Clock = { now: () => Temporal.Instant.from("2026-01-01T00:00Z") };
  let dice = createDice(0);
  const random = { bytes: (size: number) => dice.bytes(size), fraction: () => dice.fraction() };
  const shared = { now: () => clock.now() };
  const database = await openDatabase("sqlite::memory:", { clock: shared, random, log: silent });
  const stores = await openStores(database, new Secret(RING), "https://wallet.example", random);
  const { db } = database;
  return {
    stores,
    db,
    /** Empties the database and sets the clock and dice of the next run. */
    begin: async (nextClock: Clock, nextDice: Dice): Promise<void> => {
      clock = nextClock;
      dice = nextDice;
      await db.deleteFrom("meta").where("name", "like", "open_listed%").execute();
      for (const table of WIPED) await sql`delete from ${sql.table(table)}`.execute(db);
    },
    close: database.close,
  };
};
