import type { Selectable } from "kysely";
import type { AlertRoute, AlertStep } from "../domain/dispute-alert.ts";
import type { ChosenAlertRoute } from "../domain/dispute-stores.ts";
import {
  flagOf,
  instantOf,
  optionalInstantOf,
  storedFlag,
  storedInstant,
  storedTime,
} from "./columns.ts";
import type { AlertRouteTable } from "./dispute-schema.ts";

export type AlertRouteRow = Selectable<AlertRouteTable>;

const quietOf = ({ quiet_from: from, quiet_to: to }: AlertRouteRow): AlertRoute["quiet"] =>
  from === null || to === null
    ? undefined
    : { from: Temporal.PlainTime.from(from), to: Temporal.PlainTime.from(to) };

/** The route that a row keeps. */
export const alertRouteOf = (row: AlertRouteRow): AlertRoute => ({
  guildId: row.guild_id,
  channelId: row.channel_id,
  roleId: row.role_id ?? undefined,
  pingSteps: JSON.parse(row.ping_steps) as AlertStep[],
  quiet: quietOf(row),
  timeZone: row.time_zone,
  slowNights: flagOf(row.slow_nights),
  active: flagOf(row.active),
  locale: row.locale,
  activeSince: instantOf(row.active_since),
  suspendedAt: optionalInstantOf(row.suspended_at),
  updatedBy: row.updated_by,
});

/** The row of a chosen route: not suspended, and begun at `at` unless the one before it was on. */
export const alertRouteRow = (
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
  active_since: before?.active === 1 ? before.active_since : storedInstant(at),
  suspended_at: null,
  updated_by: route.updatedBy,
});
