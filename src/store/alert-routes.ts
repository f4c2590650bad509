import type { AlertRoutes } from "../domain/dispute-stores.ts";
import { alertRouteOf, alertRouteRow } from "./alert-route-row.ts";
import { recordAudit } from "./audit.ts";
import { builtOnce } from "./built-once.ts";
import { redirectAlerts, redirectAlertsToOwners } from "./outbox-alerts.ts";
import { enqueueDelivery } from "./outbox-enqueue.ts";
import { suspendRoute } from "./route-suspension.ts";
import { rowLock } from "./row-lock.ts";
import type { Database } from "./schema.ts";

const findRoute = (db: Database): AlertRoutes["find"] => {
  const rowsOf = builtOnce(db, db.selectFrom("alert_route").selectAll().where("guild_id", "=", ""));
  return async (guildId) => {
    const [row] = await rowsOf(guildId);
    return row && alertRouteOf(row);
  };
};

const saveRoute =
  (db: Database): AlertRoutes["save"] =>
  (route, at, actor) =>
    db.transaction().execute(async (trx) => {
      const { guildId, channelId } = route;
      const before = await trx
        .selectFrom("alert_route")
        .selectAll()
        .where("guild_id", "=", guildId)
        .modifyEnd(rowLock(trx, "for update"))
        .executeTakeFirst();
      const row = alertRouteRow(route, before, at);
      await trx
        .insertInto("alert_route")
        .values(row)
        .onConflict((conflict) => conflict.column("guild_id").doUpdateSet(row))
        .execute();
      if (!route.active) await redirectAlertsToOwners(trx, { guildId });
      else if (before !== undefined) {
        await redirectAlerts(trx, guildId, before.channel_id, channelId);
      }
      await recordAudit(trx, { at, actor, action: "alert_route_saved", subject: guildId });
      return alertRouteOf(row);
    });

const suspend =
  (db: Database): AlertRoutes["suspend"] =>
  (guildId, channelId, at, notices) =>
    db.transaction().execute(async (trx) => {
      const isFirst = await suspendRoute(trx, "alert_route", guildId, channelId, at);
      await redirectAlertsToOwners(trx, { guildId, channelId });
      if (!isFirst) return false;
      for (const notice of notices) await enqueueDelivery(trx, notice, at);
      return true;
    });

/** Where the alerts of disputes go in each guild. */
export const alertRoutes = (db: Database): AlertRoutes => ({
  find: findRoute(db),
  save: saveRoute(db),
  suspend: suspend(db),
  owners: async (guildId) => {
    const ids = await db
      .selectFrom("account")
      .select("owner_id as id")
      .where("guild_id", "=", guildId)
      .where("alerts", "=", "channel")
      .union(
        db.selectFrom("alert_route").select("updated_by as id").where("guild_id", "=", guildId),
      )
      .orderBy("id")
      .execute();
    return ids.map(({ id }) => id);
  },
});
