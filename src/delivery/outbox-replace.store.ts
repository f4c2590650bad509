import { sql } from "kysely";
import { storedInstant, storedOptionalInstant } from "../database/columns.ts";
import { compilePerDatabase, lockName, rowLock } from "../database/queries.ts";
import { SET_BACK_MS } from "../shared/time.ts";
import type { Database } from "../schema.ts";
import { targetOf } from "./outbox-enqueue.store.ts";
import type { ClaimedDelivery, DeliveryPayload } from "./delivery.ts";

/** Payload of a settled delivery: its text is not read again unless a newer one may replace it. */
export const NO_PAYLOAD = "{}";

/** Payload of a sent delivery: those about a dispute or an operation are compared by `markReplaced`. */
export const payloadOfSent = sql<string>`case when infraction_id is not null or op_id is not null
  then payload else ${sql.lit(NO_PAYLOAD)} end`;

/**
 * False of an alert that a clock which was set back since has dated: it is older than the others. Parameter: the latest
 * time that may be now.
 */
const isOfNow = (table: "newer" | "old" | "last") =>
  sql<boolean>`(${sql.ref(`${table}.created_at`)} <= ${""})`;

const NEWER = sql<boolean>`newer.watch_id = old.watch_id and newer.infraction_id = old.infraction_id
  and newer.message_id is not null
  and (${isOfNow("newer")}, newer.created_at, newer.dedupe_key)
    > (${isOfNow("old")}, old.created_at, old.dedupe_key)`;

/** Parameters follow the text of the query. */
const markAlerts = compilePerDatabase((db) =>
  db
    .updateTable("outbox")
    .set((eb) => ({
      replace_at: "",
      replaced_by: eb
        .selectFrom("outbox as last")
        .select("last.dedupe_key")
        .where("last.watch_id", "=", "")
        .where("last.infraction_id", "=", "")
        .where("last.message_id", "is not", null)
        .orderBy(isOfNow("last"), "desc")
        .orderBy("last.created_at", "desc")
        .orderBy("last.dedupe_key", "desc")
        .limit(sql.lit(1)),
    }))
    .where("dedupe_key", "in", (eb) =>
      eb
        .selectFrom("outbox as old")
        .select("old.dedupe_key")
        .where("old.watch_id", "=", "")
        .where("old.infraction_id", "=", "")
        .where("old.message_id", "is not", null)
        .where("old.replaced_by", "is", null)
        .where((old) =>
          old.exists(old.selectFrom("outbox as newer").select("newer.dedupe_key").where(NEWER)),
        )
        // A transaction that changes several deliveries must not wait for this one in a circle.
        .modifyEnd(rowLock(db, "for update skip locked")),
    ),
);

/** Messages to one person are posted in order: the one that is settled now stands below the others. */
const markMessages = compilePerDatabase((db) =>
  db
    .updateTable("outbox")
    .set({ replace_at: "", replaced_by: "" })
    .where("op_id", "=", "")
    .where("dedupe_key", "!=", "")
    .where("message_id", "is not", null)
    .where("replaced_by", "is", null),
);

/**
 * Alerts of one dispute are settled one after the other: at the same time, each would miss that the other is sent. Call
 * before the transaction locks a delivery: the opposite order could deadlock.
 */
export const lockAlerts = async (
  db: Database,
  { alert }: Pick<ClaimedDelivery, "alert">,
): Promise<void> => {
  if (alert === undefined) return;
  await lockName(db, `alerts|${alert.watchId}|${alert.infractionId}`);
};

/**
 * Marks the older posts of the same dispute or operation, in the transaction that settles `claim` as sent. An alert that
 * is settled after a newer one is itself the older.
 */
export const markReplaced = async (
  db: Database,
  { alert, opId, dedupeKey }: Pick<ClaimedDelivery, "alert" | "dedupeKey" | "opId">,
  at: Temporal.Instant,
): Promise<void> => {
  if (alert !== undefined) {
    const { watchId, infractionId } = alert;
    const dispute = [watchId, infractionId] as const;
    const latest = storedInstant(at.add({ milliseconds: SET_BACK_MS }));
    await markAlerts(db, storedInstant(at), ...dispute, latest, ...dispute, latest, latest);
  }
  if (opId !== undefined) await markMessages(db, storedInstant(at), dedupeKey, opId, dedupeKey);
};

export type ReplacedPosts = ReturnType<typeof replacedPosts>;

/** A posted delivery that a newer one of the same dispute or operation replaces. */
export type ReplacedPost = Awaited<ReturnType<ReplacedPosts["due"]>>[number];

export const replacedPosts = (db: Database) => ({
  /** Replaced posts with an edit that is due, oldest first. */
  due: async (now: Temporal.Instant, limit: number) => {
    const rows = await db
      .selectFrom("outbox as old")
      .leftJoin("outbox as newer", "newer.dedupe_key", "old.replaced_by")
      .select([
        "old.dedupe_key",
        "old.kind",
        "old.nonce",
        "old.target_kind",
        "old.target_id",
        "old.guild_id",
        "old.account_id",
        "old.op_id",
        "old.message_id",
        "old.payload",
        "old.replaced_by",
        "old.replace_tries",
        "newer.target_id as newer_target_id",
      ])
      .where("old.replace_at", "<=", storedInstant(now))
      .orderBy("old.replace_at")
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      dedupeKey: row.dedupe_key,
      kind: row.kind,
      nonce: row.nonce,
      target: targetOf(row),
      guildId: row.guild_id,
      accountId: row.account_id,
      opId: row.op_id,
      messageId: row.message_id ?? "",
      payload: JSON.parse(row.payload) as DeliveryPayload,
      /** Key of the newer one. */
      replacedBy: row.replaced_by,
      /** Earlier tries of the edit. */
      tries: row.replace_tries,
      /** Whether the newer one stands in the same channel. */
      isBelow: row.newer_target_id === row.target_id,
    }));
  },
  /** Notes a try of the edit. `again`: when to try next; undefined: never. */
  tried: async (dedupeKey: string, again: Temporal.Instant | undefined): Promise<void> => {
    await db
      .updateTable("outbox")
      .set((eb) => ({
        replace_at: storedOptionalInstant(again),
        replace_tries: eb("replace_tries", "+", 1),
      }))
      .where("dedupe_key", "=", dedupeKey)
      .execute();
  },
});
