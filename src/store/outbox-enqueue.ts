import { type DeliveryTarget, type NewDelivery, nonceOf } from "../domain/delivery.ts";
import { storedInstant } from "./columns.ts";
import type { Database } from "./schema.ts";

/** Discord id of the channel or the person. */
export const targetIdOf = (target: DeliveryTarget): string =>
  target.kind === "channel" ? target.channelId : target.userId;

/**
 * Reports and notices of one target keep their order. A test post and an alert wait for nobody and hold nobody up: a
 * deadline does not move because a report is looked for in its channel.
 */
const lineOf = ({ kind, target, dedupeKey }: NewDelivery): string =>
  kind === "test" || kind === "dispute_alert"
    ? `${kind}:${dedupeKey}`
    : `${target.kind}:${targetIdOf(target)}`;

/**
 * Adds what is owed, in the transaction of the fact that made it so. An alert that was settled untold is owed again;
 * what an earlier attempt may have posted stays on its record.
 * @returns false when it was already there; the first payload stands.
 */
export const enqueueDelivery = async (
  db: Database,
  delivery: NewDelivery,
  at: Temporal.Instant,
): Promise<boolean> => {
  const notBefore = storedInstant(delivery.notBefore);
  const wanted = {
    target_kind: delivery.target.kind,
    target_id: targetIdOf(delivery.target),
    guild_id: delivery.guildId,
    account_id: delivery.accountId,
    line: lineOf(delivery),
    payload: JSON.stringify(delivery.payload),
    state: "due",
    line_at: notBefore,
    not_before: notBefore,
    created_at: storedInstant(at),
    was_blocked: 0,
  } as const;
  const added = await db
    .insertInto("outbox")
    .values({
      ...wanted,
      dedupe_key: delivery.dedupeKey,
      kind: delivery.kind,
      nonce: nonceOf(delivery.dedupeKey),
      attempts: 0,
      token: 0,
    })
    .onConflict((conflict) =>
      conflict
        .column("dedupe_key")
        .doUpdateSet({ ...wanted, settled_at: null, last_error: null })
        .where("outbox.kind", "=", "dispute_alert")
        // Nobody knows of one that is unknown, whose repeat was not told either: it is looked for once more.
        .where("outbox.state", "in", ["obsolete", "unknown"]),
    )
    .returning("dedupe_key")
    .executeTakeFirst();
  return added !== undefined;
};
