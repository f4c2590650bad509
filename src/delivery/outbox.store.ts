import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import {
  type ClaimedDelivery,
  type DeliveryState,
  type NewDelivery,
  type Settlement,
  targetIdOf,
  type UnsentStep,
} from "./delivery.ts";
import { instantOf, storedInstant } from "../database/columns.ts";
import { reportKinds } from "./delivery-policies.ts";
import { undelivered } from "./undelivered.store.ts";
import { enqueueDeliveries, enqueueDelivery, lineOf, nonceAt } from "./outbox-enqueue.store.ts";
import { cancelUnsentDelivery } from "./outbox-cancel.store.ts";
import type { Database } from "../schema.ts";
import { claimDeliveries, type ClaimRequest } from "./outbox-claim.store.ts";
import { createGroupCommit } from "../database/group-commit.ts";
import { compilePerDatabase, deleteInSlices, inList, rowLock } from "../database/queries.ts";
import { lockAlerts, markReplaced, NO_PAYLOAD, payloadOfSent } from "./outbox-replace.store.ts";
import { withoutPings } from "./outbox-redirect.store.ts";

const ENQUEUED_AT_ONCE = 50;

/** The line of a reader waits for a message that Discord refuses. A channel's error stays after the channel is back. */
const isReaderRefused = sql<boolean>`(blocked.target_kind = 'person'
  and (blocked.last_error like 'lost_channel %' or blocked.last_error = 'history_refused'))`;

const oldestPending = (db: Database, now: Temporal.Instant) =>
  db
    .selectFrom("outbox as pending")
    .select("pending.line_at")
    .where("pending.settled_at", "is", null)
    .where("pending.line_at", "<=", storedInstant(now))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("outbox as blocked")
            .select("blocked.dedupe_key")
            .where("blocked.settled_at", "is", null)
            .whereRef("blocked.line", "=", "pending.line")
            .where((waiting) =>
              waiting.or([waiting("blocked.was_blocked", "=", 1), isReaderRefused]),
            ),
        ),
      ),
    )
    .orderBy("pending.line_at")
    .limit(1)
    .executeTakeFirst();

export type OutboxStore = ReturnType<typeof outboxStore>;

/**
 * Deliveries to Discord. Leases and attempts use the clock of `leaseNow`; `now` and `notBefore` use the bot's clock.
 */
export const outboxStore = (
  db: Database,
  leaseNow: () => Promise<Temporal.Instant>,
  groupCommit = createGroupCommit(db),
) => ({
  /**
   * False when the delivery was already there. Kinds whose policy says so are enqueued again once they are settled, and
   * searched for where an attempt may have posted them.
   */
  enqueue: (delivery: NewDelivery, at: Temporal.Instant) => enqueueDelivery(db, delivery, at),
  /**
   * Enqueues a message to each of these people, or about these accounts, but those without one: some in each
   * transaction, because SQLite waits for the disk at each commit, with a turn of the event loop between.
   */
  enqueueEach: async <Reader>(
    readers: readonly Reader[],
    messageOf: (reader: Reader) => Promise<NewDelivery | undefined>,
    at: Temporal.Instant,
  ): Promise<void> => {
    for (let start = 0; start < readers.length; start += ENQUEUED_AT_ONCE) {
      if (start > 0) await setImmediate();
      const messages: NewDelivery[] = [];
      for (const reader of readers.slice(start, start + ENQUEUED_AT_ONCE)) {
        const message = await messageOf(reader);
        if (message !== undefined) messages.push(message);
      }
      if (messages.length > 0)
        await db.transaction().execute((trx) => enqueueDeliveries(trx, messages, at));
    }
  },
  /** Claims only the head of each line. Counts the attempt and commits before it returns. */
  claim: async (request: ClaimRequest): Promise<ClaimedDelivery[]> => {
    const at = await leaseNow();
    return await groupCommit((trx) => claimDeliveries(trx, request, at), "poll");
  },
  /**
   * False when the lease was lost: another process holds the delivery, or it was cancelled. Also for a refusal of one that
   * was redirected meanwhile, which becomes due where it goes now. `unsent` unmarks a step in
   * the same transaction; a delivery whose dispute has changed becomes due again.
   */
  settle: async (claim: ClaimedDelivery, result: Settlement): Promise<boolean> => {
    const at = await leaseNow();
    return await groupCommit((trx) => settleDelivery(trx, claim, result, at));
  },
  state: async (dedupeKey: string): Promise<DeliveryState | undefined> => {
    const row = await db
      .selectFrom("outbox")
      .select("state")
      .where("dedupe_key", "=", dedupeKey)
      .executeTakeFirst();
    return row?.state;
  },
  /**
   * Cancels a delivery without a possible attempt; any other stays unchanged. True when the delivery certainly was not
   * and will not be posted, and for an unknown key.
   */
  cancelUnsent: (dedupeKey: string, at: Temporal.Instant) =>
    cancelUnsentDelivery(db, dedupeKey, at),
  /** Number of these deliveries that Discord refused since `since`. */
  refusedOf: async (dedupeKeys: readonly string[], since: Temporal.Instant): Promise<number> => {
    const { count } = await db
      .selectFrom("outbox")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("dedupe_key", "in", inList(db, dedupeKeys))
      .where("state", "=", "dead")
      .where("settled_at", ">=", storedInstant(since))
      .executeTakeFirstOrThrow();
    return count;
  },
  /** Direct reports and closes that Discord refused. */
  undeliveredReports: undelivered(db, reportKinds, "person"),
  /** Age of the oldest due delivery whose line waits neither for a lost channel nor for a refused reader; 0 without one. */
  pendingAgeMs: async (now: Temporal.Instant): Promise<number> => {
    const oldest = await oldestPending(db, now);
    return oldest === undefined ? 0 : now.since(instantOf(oldest.line_at)).total("milliseconds");
  },
  purge: async (settledBefore: Temporal.Instant, stopping?: AbortSignal): Promise<void> => {
    const isOld = sql<boolean>`settled_at < ${storedInstant(settledBefore)}`;
    await deleteInSlices(db, "outbox", ["dedupe_key"], isOld, stopping);
  },
});

/** Whether the attempt certainly posted no message. An earlier attempt that may have posted stays on record. */
const isUntouched = (result: Settlement): boolean =>
  "untouched" in result ? result.untouched : result.state === "obsolete" && "unsent" in result;

/** A report or close moves only once the channel that it had certainly lacks it: the new one need not be searched. */
const isNowhere = ({ kind }: ClaimedDelivery, result: Settlement): boolean =>
  "target" in result && reportKinds.includes(kind);

const movedTo = (claim: ClaimedDelivery, result: Settlement) => {
  const target = "target" in result ? result.target : undefined;
  if (target === undefined) return {};
  const via = "via" in result ? result.via : undefined;
  return {
    target_kind: target.kind,
    target_id: targetIdOf(target),
    line: lineOf({ ...claim, target }),
    was_blocked: 0 as const,
    nonce: nonceAt({ ...claim, target }),
    ...(via && { account_id: via.accountId, guild_id: via.guildId }),
    ...(target.kind === "person" && { payload: withoutPings(claim.payload) }),
  };
};

/** The target is the one that got the post: the delivery may have been redirected since its claim. */
const settleSent = compilePerDatabase((db) =>
  db
    .updateTable("outbox")
    .set({
      target_kind: "channel",
      target_id: "",
      state: sql.lit("sent"),
      lease_until: sql.lit(null),
      last_error: sql.lit(null),
      settled_at: "",
      message_id: "",
      payload: payloadOfSent,
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
    const { target } = claim;
    const facts = [target.kind, targetIdOf(target), storedInstant(at), result.messageId] as const;
    await lockAlerts(db, claim);
    const rows = await settleSent(db, ...facts, dedupeKey, owner, token);
    if (rows.length === 1) await markReplaced(db, claim, at);
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
        : { settled_at: storedInstant(at), payload: NO_PAYLOAD }),
      ...movedTo(claim, result),
      ...(result.state === "blocked" && { was_blocked: 1 as const }),
    })
    .$if(result.state === "dead", (query) =>
      query.where("target_id", "=", targetIdOf(claim.target)),
    )
    .$if("isUncounted" in result, (query) =>
      query.set((eb) => ({ attempts: eb("attempts", "-", 1) })),
    )
    .$if(isNowhere(claim, result), (query) =>
      query.set({ first_attempt_at: null, first_attempt_token: null }),
    )
    .$if(isUntouched(result) && !isNowhere(claim, result), (query) =>
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

/** The attempt leaves the delivery as it was before the claim. A time to come is from before the clock was set back. */
const dueAnew = (
  { notBefore }: ClaimedDelivery,
  at: Temporal.Instant,
  error: string,
): Settlement => ({
  state: "due",
  notBefore: Temporal.Instant.compare(notBefore, at) > 0 ? at : notBefore,
  error,
  untouched: true,
});

/** Locks the dispute first, as enqueueing its alerts does: the opposite order could deadlock. */
const settleUnsent = async (
  trx: Database,
  claim: ClaimedDelivery,
  result: Settlement,
  { watchId, infractionId, version, doneSteps }: UnsentStep,
  at: Temporal.Instant,
): Promise<boolean> => {
  const dispute = await trx
    .selectFrom("dispute_watch")
    .select("version")
    .where("account_id", "=", watchId)
    .where("infraction_id", "=", infractionId)
    .modifyEnd(rowLock(trx, "for update"))
    .executeTakeFirst();
  if (dispute !== undefined && dispute.version !== version)
    return await settle(trx, claim, dueAnew(claim, at, "judged_anew"), at);
  if (!(await settle(trx, claim, result, at))) return false;
  await trx
    .updateTable("dispute_watch")
    .set({ done_steps: JSON.stringify(doneSteps), version: version + 1 })
    .where("account_id", "=", watchId)
    .where("infraction_id", "=", infractionId)
    .execute();
  return true;
};

const settleDelivery = async (
  db: Database,
  claim: ClaimedDelivery,
  result: Settlement,
  at: Temporal.Instant,
): Promise<boolean> => {
  if (result.state === "obsolete" && result.unsent !== undefined)
    return await settleUnsent(db, claim, result, result.unsent, at);
  if (await settle(db, claim, result, at)) return true;
  // Refused in the channel from which it was redirected meanwhile: where it goes now it was not tried.
  if (result.state === "dead") await settle(db, claim, dueAnew(claim, at, "redirected"), at);
  return false;
};
