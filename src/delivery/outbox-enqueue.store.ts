import { type Insertable, sql } from "kysely";
import { type DeliveryTarget, type NewDelivery, nonceOf, targetIdOf } from "./delivery.ts";
import { alertKinds, deliveryPolicies, kindsWhere } from "./delivery-policies.ts";
import { compilePerDatabase } from "../database/queries.ts";
import {
  instantOf,
  storedDay,
  type StoredInstant,
  storedInstant,
  storedOptionalInstant,
} from "../database/columns.ts";
import type { Database, OutboxTable } from "../schema.ts";

export const targetOf = ({
  target_kind: kind,
  target_id: id,
}: Pick<OutboxTable, "target_id" | "target_kind">): DeliveryTarget =>
  kind === "channel" ? { kind, channelId: id } : { kind, userId: id };

/** Deliveries of one line are posted in order. A message about a lost channel may wait for its reader for days. */
export const lineOf = ({
  kind,
  target,
  dedupeKey,
  payload,
}: Pick<NewDelivery, "dedupeKey" | "kind" | "payload" | "target">): string =>
  deliveryPolicies[kind].line === "own" || payload.lostChannel !== undefined
    ? `${kind}:${dedupeKey}`
    : `${target.kind}:${targetIdOf(target)}`;

/**
 * Nonce of a delivery at its target. An alert has another one at each: Discord would return the post that an attempt made
 * in the place before, and make no other.
 */
export const nonceAt = ({
  dedupeKey,
  kind,
  target,
}: Pick<NewDelivery, "dedupeKey" | "kind" | "target">): string =>
  nonceOf(alertKinds.includes(kind) ? `${dedupeKey}|${targetIdOf(target)}` : dedupeKey);

/** The settled states from which each kind is enqueued again. */
const enqueuedAgain = sql.join(
  kindsWhere((policy) => policy.enqueuedAgain.length > 0).map((kind) => {
    const states = deliveryPolicies[kind].enqueuedAgain.map((state) => sql.lit(state));
    return sql`(outbox.kind = ${sql.lit(kind)} and outbox.state in (${sql.join(states)}))`;
  }),
  sql` or `,
);

/** The facts of a delivery by their columns. */
const rowOf = (delivery: NewDelivery, at: Temporal.Instant) => {
  const { dedupeKey, kind, target, day, alert } = delivery;
  const notBefore = storedInstant(delivery.notBefore);
  return {
    dedupe_key: dedupeKey,
    kind,
    target_kind: target.kind,
    target_id: targetIdOf(target),
    guild_id: delivery.guildId,
    account_id: delivery.accountId,
    line: lineOf(delivery),
    payload: JSON.stringify(delivery.payload),
    day: day === undefined ? null : storedDay(day),
    close_kind: delivery.closeKind ?? null,
    watch_id: alert?.watchId ?? null,
    infraction_id: alert?.infractionId ?? null,
    step: alert?.step ?? null,
    due_at: storedOptionalInstant(alert?.dueAt),
    repeat_of: delivery.repeatOf ?? null,
    offer_id: delivery.offerId ?? null,
    op_id: delivery.opId ?? null,
    nonce: nonceAt(delivery),
    line_at: notBefore,
    not_before: notBefore,
    created_at: storedInstant(at),
  } satisfies Partial<Insertable<OutboxTable>>;
};

/** Row with which the statement is compiled; each call brings its own values. */
const SAMPLE = rowOf(
  {
    dedupeKey: "",
    kind: "test",
    target: { kind: "channel", channelId: "" },
    guildId: null,
    accountId: null,
    payload: {},
    notBefore: Temporal.Instant.fromEpochMilliseconds(0),
  },
  Temporal.Instant.fromEpochMilliseconds(0),
);

/** Columns of a delivery that is enqueued again: all but those that its key determines. */
const WRITTEN_AGAIN = (Object.keys(SAMPLE) as (keyof typeof SAMPLE)[]).filter(
  (column) => !["dedupe_key", "kind"].includes(column),
);

/** Parameters: the values of `rowOf`, in their order. */
const add = compilePerDatabase((db) =>
  db
    .insertInto("outbox")
    .values({
      ...SAMPLE,
      state: sql.lit("due"),
      was_blocked: sql.lit(0),
      attempts: sql.lit(0),
      token: sql.lit(0),
    })
    .onConflict((conflict) =>
      conflict
        .column("dedupe_key")
        .doUpdateSet((eb) => ({
          ...Object.fromEntries(
            WRITTEN_AGAIN.map((column) => [column, eb.ref(`excluded.${column}`)]),
          ),
          nonce: sql<string>`case when outbox.target_id = excluded.target_id
            then outbox.nonce else excluded.nonce end`,
          state: eb.ref("excluded.state"),
          was_blocked: eb.ref("excluded.was_blocked"),
          settled_at: sql.lit(null),
          last_error: sql.lit(null),
        }))
        .where(sql<boolean>`(${enqueuedAgain})`),
    )
    .returning("dedupe_key"),
);

/**
 * Enqueues a delivery, in the transaction that makes it due. A delivery that is enqueued again keeps the record of its
 * earlier attempts.
 * @returns false when the delivery was already there; its first payload stays.
 */
export const enqueueDelivery = async (
  db: Database,
  delivery: NewDelivery,
  at: Temporal.Instant,
): Promise<boolean> => {
  const [added] = await add(db, ...Object.values(rowOf(delivery, at)));
  return added !== undefined;
};

/**
 * Place of the last report of all, or of the same seller, that waits in a line. A place further ahead than a report
 * waits, or of a delivery from later than now, is from before the clock was set back. Parameters: the line, the seller's
 * connection, now, the furthest place.
 */
const lastReportPlace = compilePerDatabase((db) =>
  db
    .selectFrom("outbox")
    .select(({ fn }) => fn.max<StoredInstant | null>("line_at").as("line_at"))
    .where("settled_at", "is", null)
    .where("line", "=", "")
    .where("kind", "=", sql.lit("sales_report"))
    .where((eb) => eb.or([eb("account_id", "is", null), eb("account_id", "=", "")]))
    .where("created_at", "<=", "")
    .where("line_at", "<=", ""),
);

/**
 * Enqueues a day's report behind those that wait in its line: late days are spread over hours. A report of all waits for
 * no single seller's, and the posts of other kinds to its reader for none of them.
 */
export const enqueueReport = async (
  db: Database,
  delivery: NewDelivery,
  at: Temporal.Instant,
): Promise<boolean> => {
  const { longestWaitMs } = deliveryPolicies[delivery.kind];
  const furthest = storedInstant(at.add({ milliseconds: longestWaitMs }));
  const seller = delivery.accountId ?? "";
  const [last] = await lastReportPlace(db, lineOf(delivery), seller, storedInstant(at), furthest);
  const waiting = last?.line_at ? instantOf(last.line_at) : undefined;
  const isBefore =
    waiting !== undefined && Temporal.Instant.compare(delivery.notBefore, waiting) < 0;
  return await enqueueDelivery(db, isBefore ? { ...delivery, notBefore: waiting } : delivery, at);
};

export const enqueueDeliveries = async (
  db: Database,
  deliveries: readonly NewDelivery[],
  at: Temporal.Instant,
): Promise<void> => {
  for (const delivery of deliveries) await enqueueDelivery(db, delivery, at);
};
