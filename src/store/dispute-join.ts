import type { AlertStep } from "../domain/dispute-alert.ts";
import { storedInstant } from "./columns.ts";
import type { DisputeRow } from "./dispute-row.ts";
import type { Database } from "./schema.ts";
import { withdrawWaiting } from "./untold-steps.ts";

const latest = <Value extends string>(one: Value | null, other: Value | null): Value | null =>
  (one ?? "") > (other ?? "") ? one : other;

const stepsOf = ({ done_steps: told }: DisputeRow): readonly AlertStep[] =>
  JSON.parse(told) as AlertStep[];

/** What either was told of was told: nothing of it is owed again. */
const joined = (kept: DisputeRow, other: DisputeRow): Partial<DisputeRow> => ({
  done_steps: JSON.stringify([...new Set([...stepsOf(kept), ...stepsOf(other)])]),
  answered_by_owner_at: latest(kept.answered_by_owner_at, other.answered_by_owner_at),
  snoozed_until: latest(kept.snoozed_until, other.snoozed_until),
  closed_at: kept.closed_at === null ? null : (other.closed_at ?? null),
  version: kept.version + 1,
});

const joinDispute = async (trx: Database, other: DisputeRow, into: string): Promise<void> => {
  const { account_id: from, infraction_id: infractionId } = other;
  const kept = await trx
    .selectFrom("dispute_watch")
    .selectAll()
    .where("account_id", "=", into)
    .where("infraction_id", "=", infractionId)
    .executeTakeFirst();
  if (kept === undefined) {
    await trx
      .updateTable("dispute_watch")
      .set({ account_id: into })
      .where("account_id", "=", from)
      .where("infraction_id", "=", infractionId)
      .execute();
    return;
  }
  await trx
    .updateTable("dispute_watch")
    .set(joined(kept, other))
    .where("account_id", "=", into)
    .where("infraction_id", "=", infractionId)
    .execute();
  await trx
    .deleteFrom("dispute_watch")
    .where("account_id", "=", from)
    .where("infraction_id", "=", infractionId)
    .execute();
};

/** Ends a watch of the same person and wallet account: what it knows, and what it told, goes over to the other. */
export const joinWatches = async (
  trx: Database,
  from: string,
  into: string,
  at: Temporal.Instant,
): Promise<void> => {
  await withdrawWaiting(trx, from, at, "watched_once");
  const disputes = await trx
    .selectFrom("dispute_watch")
    .selectAll()
    .where("account_id", "=", from)
    .orderBy("infraction_id")
    .execute();
  for (const dispute of disputes) await joinDispute(trx, dispute, into);
  await trx.deleteFrom("dispute_unlisted").where("account_id", "=", from).execute();
  const ended = await trx
    .deleteFrom("dispute_poll")
    .where("account_id", "=", from)
    .returning("baseline_at")
    .executeTakeFirst();
  const kept = await trx
    .selectFrom("dispute_poll")
    .select("baseline_at")
    .where("account_id", "=", into)
    .executeTakeFirst();
  const baselines = [ended?.baseline_at, kept?.baseline_at].filter(
    (each) => typeof each === "string",
  );
  await trx
    .updateTable("dispute_poll")
    // The next poll reads all of them: what was taken back untold is told then.
    .set({
      counts: null,
      next_poll_at: storedInstant(at),
      baseline_at: baselines.toSorted()[0] ?? null,
    })
    .where("account_id", "=", into)
    .execute();
  await trx.updateTable("account").set({ watch_id: into }).where("watch_id", "=", from).execute();
};
