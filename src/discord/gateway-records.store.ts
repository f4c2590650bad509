import { sql } from "kysely";
import { storedInstant } from "../database/columns.ts";
import { deleteInSlices } from "../database/queries.ts";
import type { Database } from "../schema.ts";
import { DAY } from "../shared/time.ts";

/** Interactions already handled: Discord delivers some twice, after a resume or to two processes. */
export const interactionsStore = (db: Database) => ({
  /** True for the first process that asks; false for every later call. */
  claimInteraction: async (id: string, at: Temporal.Instant): Promise<boolean> => {
    const claimed = await db
      .insertInto("interaction_seen")
      .values({ id, at: storedInstant(at) })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    return claimed !== undefined;
  },
  purgeInteractions: async (before: Temporal.Instant, stopping?: AbortSignal): Promise<void> => {
    const isOld = sql<boolean>`at < ${storedInstant(before)}`;
    await deleteInSlices(db, "interaction_seen", ["id"], isOld, stopping);
  },
});

export type IdentifyBudgetStore = ReturnType<typeof identifyBudget>;

const KEPT_MS = 2 * DAY;

/** Gateway sessions begun, across restarts: Discord resets the bot's token after too many in a day. */
export const identifyBudget = (db: Database) => ({
  recordStart: async (shard: number, at: Temporal.Instant): Promise<void> => {
    const forgotten = storedInstant(at.subtract({ milliseconds: KEPT_MS }));
    await db.deleteFrom("identify_start").where("at", "<", forgotten).execute();
    await db
      .insertInto("identify_start")
      .values({ shard, at: storedInstant(at) })
      .execute();
  },
  /** Starts of these shards since `at`, up to `until`. Starts older than two days are deleted. */
  startsSince: async (
    at: Temporal.Instant,
    until: Temporal.Instant,
    shards: readonly number[],
  ): Promise<number> => {
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
