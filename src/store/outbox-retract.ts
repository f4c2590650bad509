import { storedInstant } from "./columns.ts";
import type { Database } from "./schema.ts";

/**
 * Takes back one delivery whose reader learnt it otherwise. One that may have been posted, or is being posted now,
 * goes its way. It stays on record, so that nobody enqueues it again.
 * @returns whether it is sure that its reader never got it, and never will
 */
export const retractDelivery = async (
  db: Database,
  dedupeKey: string,
  at: Temporal.Instant,
): Promise<boolean> => {
  await db
    .updateTable("outbox")
    .set({ state: "obsolete", last_error: "retracted", settled_at: storedInstant(at) })
    .where("dedupe_key", "=", dedupeKey)
    .where("state", "in", ["due", "blocked"])
    .where("first_attempt_at", "is", null)
    .where("settled_at", "is", null)
    .execute();
  const row = await db
    .selectFrom("outbox")
    .select(["state", "first_attempt_at"])
    .where("dedupe_key", "=", dedupeKey)
    .executeTakeFirst();
  return row === undefined || (row.state === "obsolete" && row.first_attempt_at === null);
};
