import { type AlertStep, readAlertKey } from "../domain/dispute-alert.ts";
import { isDecision, withoutStep } from "../domain/dispute-steps.ts";
import { storedInstant } from "./columns.ts";
import { rowLock } from "./row-lock.ts";
import type { Database } from "./schema.ts";

const untell = async (
  db: Database,
  accountId: string,
  infractionId: string,
  steps: readonly AlertStep[],
): Promise<void> => {
  const dispute = await db
    .selectFrom("dispute_watch")
    .select(["done_steps", "version"])
    .where("account_id", "=", accountId)
    .where("infraction_id", "=", infractionId)
    .modifyEnd(rowLock(db, "for update"))
    .executeTakeFirst();
  if (dispute === undefined) return;
  const before = JSON.parse(dispute.done_steps) as AlertStep[];
  await db
    .updateTable("dispute_watch")
    .set({
      done_steps: JSON.stringify(steps.reduce(withoutStep, before)),
      version: dispute.version + 1,
      // One that is closed owes nothing.
      ...(steps.some(isDecision) && { closed_at: null }),
    })
    .where("account_id", "=", accountId)
    .where("infraction_id", "=", infractionId)
    .execute();
};

/**
 * The account's disputes go back to owing what waits to be posted of them: it is about to be taken back. The first poll
 * after that reads those disputes, whatever the counts say.
 */
export const untellWaiting = async (
  db: Database,
  accountId: string,
  at: Temporal.Instant,
): Promise<void> => {
  const waiting = await db
    .selectFrom("outbox")
    .select("dedupe_key")
    .where("account_id", "=", accountId)
    .where("kind", "=", "dispute_alert")
    .where("settled_at", "is", null)
    .execute();
  const subjects = waiting.flatMap(({ dedupe_key: key }) => readAlertKey(key) ?? []);
  if (subjects.length > 0) {
    await db
      .updateTable("dispute_poll")
      // Of another time than a poll that is under way claimed, so that it cannot put its counts there.
      .set({ counts: null, next_poll_at: storedInstant(at) })
      .where("account_id", "=", accountId)
      .execute();
  }
  const byDispute = Map.groupBy(subjects, ({ infractionId }) => infractionId);
  // In one order, so that two who do so do not wait for each other.
  for (const infractionId of [...byDispute.keys()].toSorted()) {
    const steps = byDispute.get(infractionId)?.map(({ step }) => step) ?? [];
    await untell(db, accountId, infractionId, steps);
  }
};
