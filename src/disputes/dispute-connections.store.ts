import { type AlertStep, isDecision, withoutStep } from "./dispute-alert.ts";
import type { AccountRow } from "../accounts/account-connections.store.ts";
import { storedInstant } from "../database/columns.ts";
import { cancelDeliveriesByKey, reassignAlerts } from "../delivery/outbox-cancel.store.ts";
import { alertKinds } from "../delivery/delivery-policies.ts";
import { rowLock } from "../database/queries.ts";
import { redirectAlertsToOwners } from "../delivery/outbox-redirect.store.ts";
import type { Database } from "../schema.ts";

/** Begins the watch of a connection's disputes, unless another connection of the owner began it. */
export const startWatch = async (
  trx: Database,
  watchId: string,
  at: Temporal.Instant,
): Promise<void> => {
  await trx
    .insertInto("dispute_poll")
    .values({ account_id: watchId, next_poll_at: storedInstant(at) })
    .onConflict((conflict) => conflict.column("account_id").doNothing())
    .execute();
};

/** Hands a connection's unsent alerts to one that receives them from now on; with alerts off, they are owed again later. */
export const handOverAlerts = async (
  trx: Database,
  fromAccountId: string,
  to: AccountRow,
  at: Temporal.Instant,
): Promise<void> => {
  if (to.alerts === "off") return await cancelWaitingAlerts(trx, to.watch_id, at, "alerts_off");
  // The other connection may post to another guild's channel, or have no channel.
  await redirectAlertsToOwners(trx, { accountId: fromAccountId });
  await reassignAlerts(trx, fromAccountId, to);
};

/** Deletes the watch of a wallet account that the owner has disconnected. */
export const deleteWatch = async (trx: Database, watchId: string): Promise<void> => {
  for (const table of ["dispute_watch", "dispute_poll", "dispute_unlisted"] as const)
    await trx.deleteFrom(table).where("account_id", "=", watchId).execute();
};

const unmarkSteps = async (
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
  const doneSteps: readonly AlertStep[] = JSON.parse(dispute.done_steps) as AlertStep[];
  await db
    .updateTable("dispute_watch")
    .set({
      done_steps: JSON.stringify(steps.reduce(withoutStep, doneSteps)),
      version: dispute.version + 1,
      // A closed dispute sends no alerts: reopen it to send the decision again.
      ...(steps.some(isDecision) && { closed_at: null }),
    })
    .where("account_id", "=", watchId)
    .where("infraction_id", "=", infractionId)
    .execute();
};

/** Unsettled alerts of a watch about disputes that are counted and not listed: they are about no single dispute. */
const waitingUnlisted = async (db: Database, watchId: string): Promise<readonly string[]> => {
  const waiting = await db
    .selectFrom("outbox")
    .select("dedupe_key")
    .where("kind", "in", alertKinds)
    .where("watch_id", "is", null)
    .where("account_id", "in", (eb) =>
      eb.selectFrom("account").select("id").where("watch_id", "=", watchId),
    )
    .where("settled_at", "is", null)
    .execute();
  return waiting.map(({ dedupe_key: key }) => key);
};

/**
 * Cancels the unsettled alerts of a watch and unmarks their steps, so that its disputes owe them again. The next poll
 * reads those disputes even if the counts are unchanged.
 */
const cancelWaitingAlerts = async (
  db: Database,
  watchId: string,
  at: Temporal.Instant,
  reason: string,
): Promise<void> => {
  const waiting = await db
    .selectFrom("outbox")
    .select(["dedupe_key", "infraction_id", "step"])
    .where("watch_id", "=", watchId)
    .where("settled_at", "is", null)
    .execute();
  if (waiting.length > 0) {
    await db
      .updateTable("dispute_poll")
      // Moves the poll, so that a poll already running cannot save its counts over these.
      .set({ counts: null, next_poll_at: storedInstant(at) })
      .where("account_id", "=", watchId)
      .execute();
  }
  const byDispute = Map.groupBy(waiting, ({ infraction_id: infractionId }) => infractionId ?? "");
  // A fixed order prevents deadlocks between two calls.
  for (const infractionId of [...byDispute.keys()].toSorted()) {
    const steps = byDispute.get(infractionId)?.flatMap(({ step }) => step ?? []) ?? [];
    await unmarkSteps(db, watchId, infractionId, steps);
  }
  const unlisted = await waitingUnlisted(db, watchId);
  if (unlisted.length > 0) {
    await db
      .updateTable("dispute_unlisted")
      .set({ told_count: 0 })
      .where("account_id", "=", watchId)
      .execute();
  }
  const keys = [...waiting.map(({ dedupe_key: key }) => key), ...unlisted];
  await cancelDeliveriesByKey(db, keys, at, reason);
};
