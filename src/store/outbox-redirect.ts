import { dueAgain } from "./outbox-due.ts";
import type { Database } from "./schema.ts";

/** Gives deliveries that wait for a lost channel their next attempt now. */
export const unblockChannel = async (db: Database, channelId: string): Promise<void> => {
  await db
    .updateTable("outbox")
    .set(dueAgain)
    .where("line", "=", `channel:${channelId}`)
    .where("state", "=", "blocked")
    .where("settled_at", "is", null)
    .execute();
};

/**
 * Gives the guild's waiting reports their next attempt now, in the channel that was chosen. What may already stand in
 * the old channel stays with it: only there can that be found out.
 */
export const redirectReports = async (
  db: Database,
  guildId: string,
  oldChannelId: string,
  channelId: string,
): Promise<void> => {
  if (oldChannelId !== channelId) {
    await db
      .updateTable("outbox")
      .set({ target_id: channelId, line: `channel:${channelId}` })
      .where("line", "=", `channel:${oldChannelId}`)
      .where("guild_id", "=", guildId)
      .where("kind", "=", "sales_report")
      .where("state", "in", ["due", "blocked"])
      .where("first_attempt_at", "is", null)
      .where("settled_at", "is", null)
      .execute();
  }
  await unblockChannel(db, channelId);
};
