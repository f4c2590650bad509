import { sql } from "kysely";
import type { ClaimedDelivery, Settlement, UntoldStep } from "../domain/delivery.ts";
import { builtFor } from "./built-once.ts";
import { storedInstant } from "./columns.ts";
import { withoutPings } from "./outbox-alerts.ts";
import { targetIdOf } from "./outbox-enqueue.ts";
import { rowLock } from "./row-lock.ts";
import type { Database } from "./schema.ts";

/** An attempt that posted nothing leaves no trace of itself; an earlier one that may have posted stays on record. */
const isUntouched = (result: Settlement): boolean =>
  "untouched" in result ? result.untouched : result.state === "obsolete" && "untold" in result;

const movedTo = ({ payload }: ClaimedDelivery, result: Settlement) => {
  const target = "target" in result ? result.target : undefined;
  if (target === undefined) return {};
  return {
    target_kind: target.kind,
    target_id: targetIdOf(target),
    was_blocked: 0 as const,
    ...(target.kind === "person" && { payload: withoutPings(payload) }),
  };
};

/** How nearly all of them end. */
const settleSent = builtFor((db) =>
  db
    .updateTable("outbox")
    .set({
      state: sql.lit("sent"),
      lease_until: sql.lit(null),
      last_error: sql.lit(null),
      settled_at: "",
      message_id: "",
    })
    .where("dedupe_key", "=", "")
    .where("owner", "=", "")
    .where("token", "=", 0)
    .where("state", "=", sql.lit("sending"))
    .returning("dedupe_key"),
);

const settle = async (
  db: Database,
  claim: ClaimedDelivery,
  result: Settlement,
  at: Temporal.Instant,
): Promise<boolean> => {
  const { dedupeKey, owner, token } = claim;
  if (result.state === "sent") {
    const { messageId } = result;
    const rows = await settleSent(db, storedInstant(at), messageId, dedupeKey, owner, token);
    return rows.length === 1;
  }
  const { numUpdatedRows } = await db
    .updateTable("outbox")
    .set({
      state: result.state,
      lease_until: null,
      last_error: result.error,
      ...(result.state === "due" || result.state === "blocked"
        ? { not_before: storedInstant(result.notBefore) }
        : { settled_at: storedInstant(at) }),
      ...movedTo(claim, result),
      ...(result.state === "blocked" && { was_blocked: 1 as const }),
    })
    .$if(isUntouched(result), (query) =>
      query.set((eb) => ({
        first_attempt_at: eb
          .case()
          .when("first_attempt_token", "=", token)
          .then(null)
          .else(eb.ref("first_attempt_at"))
          .end(),
        first_attempt_token: eb.fn<number | null>("nullif", ["first_attempt_token", eb.val(token)]),
      })),
    )
    .where("dedupe_key", "=", dedupeKey)
    .where("owner", "=", owner)
    .where("token", "=", token)
    .where("state", "=", "sending")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** The dispute first, as whoever enqueues alerts of it does: in another order the two could wait for each other. */
const settleUntold = async (
  trx: Database,
  claim: ClaimedDelivery,
  result: Settlement,
  { accountId, infractionId, version, doneSteps }: UntoldStep,
  at: Temporal.Instant,
): Promise<boolean> => {
  const dispute = await trx
    .selectFrom("dispute_watch")
    .select("version")
    .where("account_id", "=", accountId)
    .where("infraction_id", "=", infractionId)
    .modifyEnd(rowLock(trx, "for update"))
    .executeTakeFirst();
  if (dispute !== undefined && dispute.version !== version) {
    const { notBefore } = claim;
    const anew: Settlement = { state: "due", notBefore, error: "judged_anew", untouched: true };
    return await settle(trx, claim, anew, at);
  }
  if (!(await settle(trx, claim, result, at))) return false;
  await trx
    .updateTable("dispute_watch")
    .set({ done_steps: JSON.stringify(doneSteps), version: version + 1 })
    .where("account_id", "=", accountId)
    .where("infraction_id", "=", infractionId)
    .execute();
  return true;
};

/** `OutboxStore.settle`, in a transaction. */
export const settleDelivery = async (
  db: Database,
  claim: ClaimedDelivery,
  result: Settlement,
  at: Temporal.Instant,
): Promise<boolean> =>
  result.state === "obsolete" && result.untold !== undefined
    ? await settleUntold(db, claim, result, result.untold, at)
    : await settle(db, claim, result, at);
