import { type AlertStep, readAlertKey } from "../domain/dispute-alert.ts";
import { isDecision, withoutStep } from "../domain/dispute-steps.ts";
import { storedInstant } from "./columns.ts";
import { withdrawPostsOf } from "./outbox-withdraw.ts";
import { rowLock } from "./row-lock.ts";
import type { Database } from "./schema.ts";

const untell = async (
  db: Database,
  watchId: string,
  infractionId: string,
  steps: readonly AlertStep[],
): Promise<void> => {
  const dispute = await db
    .selectFrom("dispute_watch")
    .select(["done_steps", "version"])
    .where("account_id", "=", watchId)
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
    .where("account_id", "=", watchId)
    .where("infraction_id", "=", infractionId)
    .execute();
};

/** Keys of the watch's alerts that wait to be posted, wherever they are to go. */
const waitingKeys = async (db: Database, watchId: string): Promise<readonly string[]> => {
  const waiting = await db
    .selectFrom("outbox")
    .select("dedupe_key")
    .where("dedupe_key", "like", `med|${watchId}|%`)
    .where("kind", "=", "dispute_alert")
    .where("settled_at", "is", null)
    .execute();
  // In a pattern an underscore, which ids have, stands for any character.
  return waiting
    .map(({ dedupe_key: key }) => key)
    .filter((key) => readAlertKey(key)?.accountId === watchId);
};

/**
 * Takes back the alerts of a watch that wait to be posted: its disputes go back to owing them. The first poll after that
 * reads those disputes, whatever the counts say.
 */
export const withdrawWaiting = async (
  db: Database,
  watchId: string,
  at: Temporal.Instant,
  reason: string,
): Promise<void> => {
  const keys = await waitingKeys(db, watchId);
  const subjects = keys.flatMap((key) => readAlertKey(key) ?? []);
  if (subjects.length > 0) {
    await db
      .updateTable("dispute_poll")
      // Of another time than a poll that is under way claimed, so that it cannot put its counts there.
      .set({ counts: null, next_poll_at: storedInstant(at) })
      .where("account_id", "=", watchId)
      .execute();
  }
  const byDispute = Map.groupBy(subjects, ({ infractionId }) => infractionId);
  // In one order, so that two who do so do not wait for each other.
  for (const infractionId of [...byDispute.keys()].toSorted()) {
    const steps = byDispute.get(infractionId)?.map(({ step }) => step) ?? [];
    await untell(db, watchId, infractionId, steps);
  }
  await withdrawPostsOf(db, keys, at, reason);
};
