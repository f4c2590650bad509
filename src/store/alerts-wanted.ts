import type { AlertChoice } from "../domain/dispute-alert.ts";
import type { NewDelivery } from "../domain/delivery.ts";
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

const isWanted = async (
  db: Database,
  { alerts, guildId }: { readonly alerts: AlertChoice; readonly guildId: string },
  { kind, target }: NewDelivery,
): Promise<boolean> => {
  if (kind !== "dispute_alert") return true;
  if (alerts === "off") return false;
  if (target.kind === "person") return true;
  return alerts === "channel" && (await isOpenChannel(db, guildId, target.channelId));
};

/**
 * The owner of an account whose alerts still go where these deliveries would; undefined otherwise, and once the account
 * has gone. Both choices stay as they are until the transaction ends.
 */
export const ownerWanting = async (
  trx: Database,
  accountId: string,
  deliveries: readonly NewDelivery[],
): Promise<string | undefined> => {
  const account = await trx
    .selectFrom("account")
    .select(["owner_id as ownerId", "guild_id as guildId", "alerts"])
    .where("id", "=", accountId)
    .modifyEnd(rowLock(trx, "for share"))
    .executeTakeFirst();
  if (account === undefined) return undefined;
  for (const delivery of deliveries) {
    if (!(await isWanted(trx, account, delivery))) return undefined;
  }
  return account.ownerId;
};
