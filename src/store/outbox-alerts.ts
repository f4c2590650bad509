import type { DeliveryPayload } from "../domain/delivery.ts";
import { dueAgain } from "./outbox-due.ts";
import type { Database } from "./schema.ts";

/** Which alerts are meant: of an account, or of a guild; of the guild perhaps only those to one channel. */
export type AlertsOf =
  | { readonly accountId: string }
  | { readonly guildId: string; readonly channelId?: string };

const pairOf = (of: AlertsOf) =>
  "accountId" in of
    ? (["outbox.account_id", of.accountId] as const)
    : (["outbox.guild_id", of.guildId] as const);

/** Pings mean nothing to the one person who reads the alert now. */
export const withoutPings = (payload: DeliveryPayload): string =>
  JSON.stringify({ ...payload, pings: undefined });

/**
 * Sends alerts that wait for a channel to their owners' direct messages, blocked ones at once. One that was attempted
 * goes there too, and may be read twice: a deadline that is missed costs more.
 */
export const redirectAlertsToOwners = async (db: Database, of: AlertsOf): Promise<void> => {
  const [column, id] = pairOf(of);
  const channelId = "guildId" in of ? of.channelId : undefined;
  const waiting = await db
    .selectFrom("outbox")
    .innerJoin("account", "account.id", "outbox.account_id")
    .select(["outbox.dedupe_key", "outbox.payload", "account.owner_id"])
    .where(column, "=", id)
    .where("outbox.kind", "=", "dispute_alert")
    .where("outbox.target_kind", "=", "channel")
    .$if(channelId !== undefined, (query) => query.where("outbox.target_id", "=", channelId ?? ""))
    .where("outbox.settled_at", "is", null)
    .orderBy("outbox.dedupe_key")
    .execute();
  for (const { dedupe_key: key, owner_id: ownerId, payload } of waiting) {
    await db
      .updateTable("outbox")
      .set({
        target_kind: "person",
        target_id: ownerId,
        payload: withoutPings(JSON.parse(payload) as DeliveryPayload),
      })
      .where("dedupe_key", "=", key)
      .where("settled_at", "is", null)
      .execute();
  }
  // Also one that was turned to its owner while an attempt at the channel was on its way.
  await db
    .updateTable("outbox")
    .set(dueAgain)
    .where(column, "=", id)
    .where("kind", "=", "dispute_alert")
    .where("target_kind", "=", "person")
    .where("state", "=", "blocked")
    .execute();
};

/** Gives the guild's alerts that were not attempted yet to the channel that was chosen. */
export const redirectAlerts = async (
  db: Database,
  guildId: string,
  oldChannelId: string,
  channelId: string,
): Promise<void> => {
  await db
    .updateTable("outbox")
    .set({ ...dueAgain, target_id: channelId })
    .where("guild_id", "=", guildId)
    .where("kind", "=", "dispute_alert")
    .where("target_kind", "=", "channel")
    .where("target_id", "=", oldChannelId)
    .where("state", "in", ["due", "blocked"])
    .where("first_attempt_at", "is", null)
    .where("settled_at", "is", null)
    .execute();
};
