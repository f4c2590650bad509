import { storedInstant } from "./columns.ts";
import type { Database } from "./schema.ts";

/** Marks the guild's route as suspended. False, with nothing done: it is already, or has another channel. */
export const suspendRoute = async (
  db: Database,
  table: "alert_route" | "report_route",
  guildId: string,
  channelId: string,
  at: Temporal.Instant,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ suspended_at: storedInstant(at) })
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("suspended_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};
