import type { NewDelivery } from "../domain/delivery.ts";
import { rowsOfWatch } from "./account-connections.ts";
import type { AccountRow } from "./account-row.ts";
import { rowLock } from "./row-lock.ts";
import type { Database } from "./schema.ts";

const isOpenChannel = async (
  db: Database,
  guildId: string,
  channelId: string,
): Promise<boolean> => {
  const route = await db
    .selectFrom("alert_route")
    .select("guild_id")
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("active", "=", 1)
    .where("suspended_at", "is", null)
    .modifyEnd(rowLock(db, "for share"))
    .executeTakeFirst();
  return route !== undefined;
};

type Wanting = Pick<AccountRow, "id" | "alerts" | "guild_id">;

const isWanted = async (
  db: Database,
  { id, alerts, guild_id: guildId }: Wanting,
  { kind, target, accountId }: NewDelivery,
): Promise<boolean> => {
  if (kind !== "dispute_alert") return true;
  if (alerts === "off" || accountId !== id) return false;
  if (target.kind === "person") return true;
  return alerts === "channel" && (await isOpenChannel(db, guildId, target.channelId));
};

/**
 * The owner of a watch whose alerts still go where these deliveries would; undefined otherwise, and once its last
 * connection has gone. Both choices stay as they are until the transaction ends.
 */
export const ownerWanting = async (
  trx: Database,
  watchId: string,
  deliveries: readonly NewDelivery[],
): Promise<string | undefined> => {
  // Read before the order is: that query reads other rows too, which nobody need hold.
  await trx
    .selectFrom("account")
    .select("id")
    .where("watch_id", "=", watchId)
    .orderBy("id")
    .modifyEnd(rowLock(trx, "for share"))
    .execute();
  const [told] = await rowsOfWatch(trx, watchId);
  if (told === undefined) return undefined;
  for (const delivery of deliveries) {
    if (!(await isWanted(trx, told, delivery))) return undefined;
  }
  return told.owner_id;
};
