import { storedInstant } from "./columns.ts";
import type { Database } from "./schema.ts";

export interface InteractionsStore {
  /** True for the first process that asks, whichever; false for a repeat. */
  readonly claimInteraction: (id: string, at: Temporal.Instant) => Promise<boolean>;
  readonly forgetInteractions: (before: Temporal.Instant) => Promise<void>;
}

/** Interactions that were acted on: Discord delivers some twice, after a resume or to two processes. */
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
  forgetInteractions: async (before) => {
    await db.deleteFrom("interaction_seen").where("at", "<", storedInstant(before)).execute();
  },
});
