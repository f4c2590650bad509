import { sql } from "kysely";
import { storedInstant, storedOptionalInstant } from "../database/columns.ts";
import { compilePerDatabase, rowLock } from "../database/queries.ts";
import type { Database } from "../schema.ts";
import { targetOf } from "./outbox-enqueue.store.ts";
import type { ClaimedDelivery, DeliveryPayload, DeliveryTarget } from "./delivery.ts";

/** A posted delivery that a newer one of the same dispute or operation replaces. */
export interface ReplacedPost {
  readonly dedupeKey: string;
  readonly target: DeliveryTarget;
  readonly guildId: string | null;
  readonly accountId: string | null;
  readonly opId: string | null;
  readonly messageId: string;
  readonly payload: DeliveryPayload;
  /** Earlier tries of the edit. */
  readonly tries: number;
  /** Whether the newer one stands in the same channel. */
  readonly isBelow: boolean;
}

export interface ReplacedPosts {
  /** Replaced posts whose edit is due, oldest first. */
  readonly due: (now: Temporal.Instant, limit: number) => Promise<readonly ReplacedPost[]>;
  /** Notes a try of the edit. `again`: when to try next; undefined: never. */
  readonly tried: (dedupeKey: string, again: Temporal.Instant | undefined) => Promise<void>;
}

/** The columns that say what a delivery is about. */
type SubjectColumn = "watch_id" | "infraction_id" | "op_id";

/** Parameters: the time, and twice the values of the columns. */
const markBy = (columns: readonly SubjectColumn[]) =>
  compilePerDatabase((db) =>
    db
      .updateTable("outbox")
      .set((eb) => ({
        replace_at: "",
        replaced_by: eb
          .selectFrom("outbox as last")
          .select("last.dedupe_key")
          .where((last) => last.and(columns.map((column) => last(`last.${column}`, "=", ""))))
          .where("last.state", "=", sql.lit("sent"))
          .where("last.message_id", "is not", null)
          .orderBy("last.created_at", "desc")
          .orderBy("last.dedupe_key", "desc")
          .limit(sql.lit(1)),
      }))
      .where("dedupe_key", "in", (eb) =>
        eb
          .selectFrom("outbox as old")
          .select("old.dedupe_key")
          .where((old) => old.and(columns.map((column) => old(`old.${column}`, "=", ""))))
          .where("old.state", "=", sql.lit("sent"))
          .where("old.message_id", "is not", null)
          .where("old.replaced_by", "is", null)
          .where((old) =>
            old.exists(
              old
                .selectFrom("outbox as newer")
                .select("newer.dedupe_key")
                .where((newer) =>
                  newer.and(
                    columns.map((column) =>
                      newer(`newer.${column}`, "=", newer.ref(`old.${column}`)),
                    ),
                  ),
                )
                .where("newer.state", "=", sql.lit("sent"))
                .where("newer.message_id", "is not", null)
                .where(
                  sql<boolean>`(newer.created_at, newer.dedupe_key) > (old.created_at, old.dedupe_key)`,
                ),
            ),
          )
          // Two processes that settle posts of the same subjects must not wait for each other in a circle.
          .modifyEnd(rowLock(db, "for update skip locked")),
      ),
  );

const markAlerts = markBy(["watch_id", "infraction_id"]);
const markMessages = markBy(["op_id"]);

/**
 * Marks the older posts of the same dispute or operation, in the transaction that settles `claim` as sent. A post that
 * is settled after a newer one is itself the older.
 */
export const markReplaced = async (
  db: Database,
  { alert, opId }: Pick<ClaimedDelivery, "alert" | "opId">,
  at: Temporal.Instant,
): Promise<void> => {
  if (alert !== undefined) {
    const { accountId, infractionId } = alert;
    await markAlerts(db, storedInstant(at), accountId, infractionId, accountId, infractionId);
  }
  if (opId !== undefined) await markMessages(db, storedInstant(at), opId, opId);
};

export const replacedPosts = (db: Database): ReplacedPosts => ({
  due: async (now, limit) => {
    const rows = await db
      .selectFrom("outbox as old")
      .leftJoin("outbox as newer", "newer.dedupe_key", "old.replaced_by")
      .select([
        "old.dedupe_key",
        "old.target_kind",
        "old.target_id",
        "old.guild_id",
        "old.account_id",
        "old.op_id",
        "old.message_id",
        "old.payload",
        "old.replace_tries",
        "newer.target_id as newer_target_id",
      ])
      .where("old.replace_at", "is not", null)
      .where("old.replace_at", "<=", storedInstant(now))
      .orderBy("old.replace_at")
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      dedupeKey: row.dedupe_key,
      target: targetOf(row),
      guildId: row.guild_id,
      accountId: row.account_id,
      opId: row.op_id,
      messageId: row.message_id ?? "",
      payload: JSON.parse(row.payload) as DeliveryPayload,
      tries: row.replace_tries,
      isBelow: row.newer_target_id === row.target_id,
    }));
  },
  tried: async (dedupeKey, again) => {
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
