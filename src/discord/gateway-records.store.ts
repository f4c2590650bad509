import { sql } from "kysely";
import { storedInstant } from "../database/columns.ts";
import { deleteInSlices } from "../database/queries.ts";
import type { Database } from "../schema.ts";
import { DAY } from "../shared/time.ts";

export interface InteractionsStore {
  /** True for the first process that asks; false for every later call. */
  readonly claimInteraction: (id: string, at: Temporal.Instant) => Promise<boolean>;
  readonly purgeInteractions: (before: Temporal.Instant, stopping?: AbortSignal) => Promise<void>;
}

/** Interactions already handled: Discord delivers some twice, after a resume or to two processes. */
export const interactionsStore = (db: Database): InteractionsStore => ({
  claimInteraction: async (id, at) => {
    const claimed = await db
      .insertInto("interaction_seen")
      .values({ id, at: storedInstant(at) })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    return claimed !== undefined;
  },
  purgeInteractions: async (before, stopping) => {
    const isOld = sql<boolean>`at < ${storedInstant(before)}`;
    await deleteInSlices(db, "interaction_seen", ["id"], isOld, stopping);
  },
});

export interface IdentifyBudgetStore {
  readonly recordStart: (shard: number, at: Temporal.Instant) => Promise<void>;
  /** Starts of these shards since `at`, up to `until`. Starts older than two days are deleted. */
  readonly startsSince: (
    at: Temporal.Instant,
    until: Temporal.Instant,
    shards: readonly number[],
  ) => Promise<number>;
}

const KEPT_MS = 2 * DAY;

/** Gateway sessions begun, across restarts: Discord resets the bot's token after too many in a day. */
export const identifyBudget = (db: Database): IdentifyBudgetStore => ({
  recordStart: async (shard, at) => {
    const forgotten = storedInstant(at.subtract({ milliseconds: KEPT_MS }));
    await db.deleteFrom("identify_start").where("at", "<", forgotten).execute();
    await db
      .insertInto("identify_start")
      .values({ shard, at: storedInstant(at) })
      .execute();
  },
  startsSince: async (at, until, shards) => {
    const { starts } = await db
      .selectFrom("identify_start")
      .select(({ fn }) => fn.countAll<number>().as("starts"))
      .where("at", ">=", storedInstant(at))
      .where("at", "<=", storedInstant(until))
      .where("shard", "in", shards)
      .executeTakeFirstOrThrow();
    return starts;
  },
});
