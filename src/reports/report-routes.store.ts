import type { Selectable } from "kysely";
import type { ReportRoute } from "./report-route.ts";
import { lockAccounts } from "../accounts/wallet-accounts.store.ts";
import { recordAudit } from "../database/audit.ts";
import {
  flagOf,
  instantOf,
  optionalInstantOf,
  storedFlag,
  storedInstant,
  storedTime,
} from "../database/columns.ts";
import type { RouteStore } from "../delivery/delivery.ts";
import { reportKinds } from "../delivery/delivery-policies.ts";
import {
  judgeAlertsAnew,
  keptSuspension,
  lockReports,
  ownersOfRoute,
  redirectReports,
  suspendRoute,
  unblockChannel,
} from "../delivery/outbox-redirect.store.ts";
import { cancelDeliveries, translateDailyReports } from "../delivery/outbox-cancel.store.ts";
import { lockName, rowLock } from "../database/queries.ts";
import type { Database, ReportRouteTable } from "../schema.ts";

/**
 * `owners` are the sellers with consent and the admin who set the route. When a route is saved, `activeSince` becomes
 * `at` if it was off or new. Reports that wait for a lost channel go to the chosen one, in the language of its admin;
 * switching the route off cancels unsent reports. Alerts that wait for the end of quiet hours are judged by the saved zone.
 */
export interface ReportRoutesStore extends RouteStore<ReportRoute> {
  /** Also makes the channel's blocked deliveries due. True when the guild's route was suspended. */
  readonly lift: (guildId: string, channelId: string) => Promise<boolean>;
  /** Sets the hour of the direct report in all connections of an owner to a wallet account. */
  readonly chooseDirectTime: (watchId: string, time: Temporal.PlainTime) => Promise<void>;
}

export const reportRoutesStore = (db: Database): ReportRoutesStore => ({
  find: async (guildId) => {
    const row = await db
      .selectFrom("report_route")
      .selectAll()
      .where("guild_id", "=", guildId)
      .executeTakeFirst();
    return row && routeOf(row);
  },
  save: saveRoute(db),
  suspend: suspendRoute(db, "report_route"),
  lift: lift(db),
  owners: (guildId) =>
    ownersOfRoute(db, "report_route", guildId, (sellers) =>
      sellers.where("report_consent", "=", 1),
    ),
  chooseDirectTime: (watchId, time) =>
    db.transaction().execute(async (trx) => {
      await lockAccounts(trx, (eb) => eb("watch_id", "=", watchId));
      await trx
        .updateTable("account")
        .set({ report_time: storedTime(time) })
        .where("watch_id", "=", watchId)
        .execute();
    }),
});

const routeOf = (row: Selectable<ReportRouteTable>): ReportRoute => ({
  guildId: row.guild_id,
  channelId: row.channel_id,
  time: Temporal.PlainTime.from(row.time),
  timeZone: row.time_zone,
  active: flagOf(row.active),
  emptyChoice: row.empty_choice,
  locale: row.locale,
  activeSince: instantOf(row.active_since),
  suspendedAt: optionalInstantOf(row.suspended_at),
  updatedBy: row.updated_by,
});

const saveRoute =
  (db: Database): ReportRoutesStore["save"] =>
  (guildId, change, at) =>
    db.transaction().execute(async (trx) => {
      await lockName(trx, `report_route|${guildId}`);
      const before = await trx
        .selectFrom("report_route")
        .selectAll()
        .where("guild_id", "=", guildId)
        .modifyEnd(rowLock(trx, "for update"))
        .executeTakeFirst();
      const route = change(before && routeOf(before));
      const { updatedBy: actor } = route;
      const row = {
        guild_id: guildId,
        channel_id: route.channelId,
        time: storedTime(route.time),
        time_zone: route.timeZone,
        active: storedFlag(route.active),
        empty_choice: route.emptyChoice,
        locale: route.locale,
        active_since: before?.active === 1 ? before.active_since : storedInstant(at),
        suspended_at: keptSuspension(route, before),
        updated_by: actor,
        posted_day: before?.posted_day ?? null,
      };
      await trx
        .insertInto("report_route")
        .values(row)
        .onConflict((conflict) => conflict.column("guild_id").doUpdateSet(row))
        .execute();
      await lockReports(trx, guildId);
      if (!route.active) {
        await cancelDeliveries(trx, reportKinds, { guildId }, at, "route_off");
      } else if (before !== undefined) {
        await redirectReports(trx, guildId, before.channel_id, route.channelId);
        if (before.locale !== route.locale) await translateDailyReports(trx, guildId, route.locale);
      }
      if (before?.time_zone !== route.timeZone) {
        // A change of the alert route made at the same time locks these alerts in another order.
        await lockName(trx, `alert_route|${guildId}`);
        await judgeAlertsAnew(trx, guildId, at);
      }
      await recordAudit(trx, { at, actor, action: "report_route_saved", subject: guildId });
      return routeOf(row);
    });

const lift =
  (db: Database): ReportRoutesStore["lift"] =>
  (guildId, channelId) =>
    db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable("report_route")
        .set({ suspended_at: null })
        .where("guild_id", "=", guildId)
        .where("channel_id", "=", channelId)
        .where("suspended_at", "is not", null)
        .executeTakeFirst();
      await lockReports(trx, guildId);
      await unblockChannel(trx, channelId);
      return numUpdatedRows === 1n;
    });
