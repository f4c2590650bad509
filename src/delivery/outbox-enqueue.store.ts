import { sql } from "kysely";
import { type DeliveryTarget, type NewDelivery, nonceOf, targetIdOf } from "./delivery.ts";
import { kindsWhere, deliveryPolicies } from "./delivery-policies.ts";
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

/** Deliveries of one line are posted in order. */
export const lineOf = ({
  kind,
  target,
  dedupeKey,
}: Pick<NewDelivery, "dedupeKey" | "kind" | "target">): string =>
  deliveryPolicies[kind].line === "own"
    ? `${kind}:${dedupeKey}`
    : `${target.kind}:${targetIdOf(target)}`;

/** The settled states from which each kind is enqueued again. */
const enqueuedAgain = sql.join(
  kindsWhere((policy) => policy.enqueuedAgain.length > 0).map((kind) => {
    const states = deliveryPolicies[kind].enqueuedAgain.map((state) => sql.lit(state));
    return sql`(outbox.kind = ${sql.lit(kind)} and outbox.state in (${sql.join(states)}))`;
  }),
  sql` or `,
);

/** Parameters follow the order of the values. */
const add = compilePerDatabase((db) =>
  db
    .insertInto("outbox")
    .values({
      dedupe_key: "",
      kind: "test",
      target_kind: "channel",
      target_id: "",
      guild_id: "",
      account_id: "",
      line: "",
      payload: "",
      day: "",
      close_kind: "week",
      watch_id: "",
      infraction_id: "",
      step: "new",
      due_at: "",
      repeat_of: "",
      offer_id: "",
      op_id: "",
      nonce: "",
      line_at: "",
      not_before: "",
      created_at: "",
      state: sql.lit("due"),
      was_blocked: sql.lit(0),
      attempts: sql.lit(0),
      token: sql.lit(0),
    })
    .onConflict((conflict) =>
      conflict
        .column("dedupe_key")
        .doUpdateSet((eb) => ({
          target_kind: eb.ref("excluded.target_kind"),
          target_id: eb.ref("excluded.target_id"),
          guild_id: eb.ref("excluded.guild_id"),
          account_id: eb.ref("excluded.account_id"),
          watch_id: eb.ref("excluded.watch_id"),
          infraction_id: eb.ref("excluded.infraction_id"),
          step: eb.ref("excluded.step"),
          due_at: eb.ref("excluded.due_at"),
          repeat_of: eb.ref("excluded.repeat_of"),
          op_id: eb.ref("excluded.op_id"),
          line: eb.ref("excluded.line"),
          payload: eb.ref("excluded.payload"),
          state: eb.ref("excluded.state"),
          line_at: eb.ref("excluded.line_at"),
          not_before: eb.ref("excluded.not_before"),
          created_at: eb.ref("excluded.created_at"),
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
  const { dedupeKey, kind, target, guildId, accountId, day, alert } = delivery;
  const notBefore = storedInstant(delivery.notBefore);
  const [added] = await add(
    db,
    dedupeKey,
    kind,
    target.kind,
    targetIdOf(target),
    guildId,
    accountId,
    lineOf(delivery),
    JSON.stringify(delivery.payload),
    day === undefined ? null : storedDay(day),
    delivery.closeKind ?? null,
    alert?.watchId ?? null,
    alert?.infractionId ?? null,
    alert?.step ?? null,
    storedOptionalInstant(alert?.dueAt),
    delivery.repeatOf ?? null,
    delivery.offerId ?? null,
    delivery.opId ?? null,
    nonceOf(dedupeKey),
    notBefore,
    notBefore,
    storedInstant(at),
  );
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
