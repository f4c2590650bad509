import { DAY } from "../shared/duration.ts";
import { storedInstant } from "./columns.ts";
import type { Database } from "./schema.ts";

export interface IdentifyBudget {
  readonly recordStart: (shard: number, at: Temporal.Instant) => Promise<void>;
  /** Starts of these shards at that instant or later. Those older than two days are forgotten. */
  readonly startsSince: (at: Temporal.Instant, shards: readonly number[]) => Promise<number>;
}

const KEPT_MS = 2 * DAY;

/** Gateway sessions begun, over all restarts: Discord resets the bot's token when there are too many in a day. */
export const identifyBudget = (db: Database): IdentifyBudget => ({
  recordStart: async (shard, at) => {
    const forgotten = storedInstant(at.subtract({ milliseconds: KEPT_MS }));
    await db.deleteFrom("identify_start").where("at", "<", forgotten).execute();
    await db
      .insertInto("identify_start")
      .values({ shard, at: storedInstant(at) })
      .execute();
  },
  startsSince: async (at, shards) => {
    const { starts } = await db
      .selectFrom("identify_start")
      .select(({ fn }) => fn.countAll<number>().as("starts"))
      .where("at", ">=", storedInstant(at))
      .where("shard", "in", shards)
      .executeTakeFirstOrThrow();
    return starts;
  },
});
