import type { Selectable } from "kysely";
import { toldOfGuild } from "../accounts/account-connections.store.ts";
import { recordAudit } from "../database/audit.ts";
import { compileOnce, lockName, rowLock } from "../database/queries.ts";
import {
  judgeAlertsAnew,
  keptSuspension,
  ownersOfRoute,
  redirectAlerts,
  redirectAlertsToOwners,
  suspendRoute,
} from "../delivery/outbox-redirect.store.ts";
import type { Database } from "../schema.ts";
import type { AlertRoute, AlertStep, ChosenAlertRoute } from "./dispute-alert.ts";
import {
  flagOf,
  optionalInstantOf,
  storedFlag,
  storedInstant,
  storedTime,
} from "../database/columns.ts";
import type { AlertRouteTable } from "./dispute-tables.store.ts";
import type { RouteStore } from "../delivery/delivery.ts";

/**
 * Alert routes of the guilds. The alerts that wait for a suspended channel, blocked ones included, move to their owners'
 * direct messages. When a route is saved, unattempted alerts for the old channel move to the new one. When the route is
 * switched off, all alerts that wait for a channel, attempted ones included, move to their owners' direct messages. Alerts
 * that wait for the end of quiet hours are judged by the saved ones.
 */
export type AlertRoutes = RouteStore<AlertRoute>;

export const alertRoutes = (db: Database): AlertRoutes => ({
  find: findRoute(db),
  save: saveRoute(db),
  suspend: suspendRoute(db, "alert_route", (trx, { guildId, channelId }) =>
    redirectAlertsToOwners(trx, { guildId, channelId }),
  ),
  owners: (guildId) =>
    ownersOfRoute(db, "alert_route", guildId, (sellers) =>
      // The alerts of others come out in another server.
      sellers.where("alerts", "=", "channel").where("id", "in", toldOfGuild(db, guildId)),
    ),
});

/** Quiet hours are in the zone of the server's report, where it has one. */
const routeRow = (db: Database, guildId: string) =>
  db
    .selectFrom("alert_route")
    .leftJoin("report_route", "report_route.guild_id", "alert_route.guild_id")
    .selectAll("alert_route")
    .select("report_route.time_zone as report_zone")
    .where("alert_route.guild_id", "=", guildId);

const findRoute = (db: Database): AlertRoutes["find"] => {
  const rowsOf = compileOnce(db, routeRow(db, ""));
  return async (guildId) => {
    const [row] = await rowsOf(guildId);
    return row && alertRouteOf(row);
  };
};

const saveRoute =
  (db: Database): AlertRoutes["save"] =>
  (guildId, change, at) =>
    db.transaction().execute(async (trx) => {
      await lockName(trx, `alert_route|${guildId}`);
      const before = await routeRow(trx, guildId)
        .modifyEnd(rowLock(trx, "for update of alert_route"))
        .executeTakeFirst();
      const route = change(before && alertRouteOf(before));
      const { channelId, updatedBy: actor } = route;
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
      await judgeAlertsAnew(trx, guildId, at);
      await recordAudit(trx, { at, actor, action: "alert_route_saved", subject: guildId });
      return alertRouteOf(await routeRow(trx, guildId).executeTakeFirstOrThrow());
    });

type AlertRouteRow = Selectable<AlertRouteTable>;

const quietOf = ({ quiet_from: from, quiet_to: to }: AlertRouteRow): AlertRoute["quiet"] =>
  from === null || to === null
    ? undefined
    : { from: Temporal.PlainTime.from(from), to: Temporal.PlainTime.from(to) };

const alertRouteOf = (
  row: AlertRouteRow & { readonly report_zone: string | null },
): AlertRoute => ({
  guildId: row.guild_id,
  channelId: row.channel_id,
  roleId: row.role_id ?? undefined,
  pingSteps: JSON.parse(row.ping_steps) as AlertStep[],
  quiet: quietOf(row),
  timeZone: row.report_zone ?? row.time_zone,
  slowNights: flagOf(row.slow_nights),
  active: flagOf(row.active),
  locale: row.locale,
  suspendedAt: optionalInstantOf(row.suspended_at),
  updatedBy: row.updated_by,
});

/** The row of a chosen route. */
const alertRouteRow = (
  route: ChosenAlertRoute,
  before: AlertRouteRow | undefined,
  at: Temporal.Instant,
): AlertRouteRow => ({
  guild_id: route.guildId,
  channel_id: route.channelId,
  role_id: route.roleId ?? null,
  ping_steps: JSON.stringify(route.pingSteps),
  quiet_from: route.quiet ? storedTime(route.quiet.from) : null,
  quiet_to: route.quiet ? storedTime(route.quiet.to) : null,
  time_zone: route.timeZone,
  slow_nights: storedFlag(route.slowNights),
  active: storedFlag(route.active),
  locale: route.locale,
  active_since: storedInstant(at),
  suspended_at: keptSuspension(route, before),
  updated_by: route.updatedBy,
});
