import { storedInstant } from "./columns.ts";
import type { Database } from "./schema.ts";

const NO_PAYLOAD = "{}";

/** Takes back all that is owed about an account that is going, and the figures in what was posted about it. */
export const dropDeliveriesOf = async (db: Database, accountId: string): Promise<void> => {
  await db
    .deleteFrom("outbox")
    .where("account_id", "=", accountId)
    .where("settled_at", "is", null)
    .execute();
  await db
    .updateTable("outbox")
    .set({ payload: NO_PAYLOAD })
    .where("account_id", "=", accountId)
    .execute();
};

/** Alerts that were not posted yet go on as another connection's, which is of the same owner. */
export const giveAlertsTo = async (
  db: Database,
  fromAccountId: string,
  to: { readonly id: string; readonly guild_id: string },
): Promise<void> => {
  await db
    .updateTable("outbox")
    .set({ account_id: to.id, guild_id: to.guild_id })
    .where("account_id", "=", fromAccountId)
    .where("kind", "=", "dispute_alert")
    .where("settled_at", "is", null)
    .execute();
};

const takenBack = (at: Temporal.Instant, reason: string) => ({
  state: "obsolete" as const,
  last_error: reason,
  settled_at: storedInstant(at),
  lease_until: null,
});

/** Takes back the posts under these keys that are owed; one in flight is not tried again. */
export const withdrawPostsOf = async (
  db: Database,
  dedupeKeys: readonly string[],
  at: Temporal.Instant,
  reason: string,
): Promise<void> => {
  for (const key of dedupeKeys) {
    await db
      .updateTable("outbox")
      .set(takenBack(at, reason))
      .where("dedupe_key", "=", key)
      .where("settled_at", "is", null)
      .execute();
  }
};

/** Takes back the posts of a kind that are owed and no longer wanted; one in flight is not tried again. */
export const withdrawPosts = async (
  db: Database,
  kind: "sales_report" | "dispute_alert",
  of: { readonly accountId: string } | { readonly guildId: string },
  at: Temporal.Instant,
  reason: string,
): Promise<void> => {
  const [column, id] =
    "accountId" in of
      ? (["account_id", of.accountId] as const)
      : (["guild_id", of.guildId] as const);
  await db
    .updateTable("outbox")
    .set(takenBack(at, reason))
    .where(column, "=", id)
    .where("kind", "=", kind)
    .where("settled_at", "is", null)
    .execute();
};
