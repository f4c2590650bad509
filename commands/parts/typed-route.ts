import type { ChosenChannel, Invocation, OptionReader } from "#src/discord/command.ts";
import { missingPermissions, type ReportRoute } from "#src/domain/report-route.ts";
import { parseTimeOfDay, parseTimeZone } from "#src/domain/local-time.ts";
import type { Services } from "#src/services/services.ts";
import { UserError } from "#src/shared/errors.ts";

const DEFAULT_TIME = Temporal.PlainTime.from("21:05");
/** Zone of a guild that has chosen none. */
export const DEFAULT_ZONE = "America/Sao_Paulo";

/** What an admin typed; what is left out stays as it was. */
export interface TypedRoute {
  readonly channelId: string | undefined;
  readonly time: Temporal.PlainTime | undefined;
  readonly timeZone: string | undefined;
  readonly active: boolean | undefined;
}

/** @throws UserError missing_channel_permissions */
export const requirePermissions = ({ id: channelId, appPermissions }: ChosenChannel): void => {
  const missing = appPermissions === undefined ? [] : missingPermissions(appPermissions);
  if (missing.length > 0) {
    throw new UserError({ kind: "missing_channel_permissions", channelId, missing });
  }
};

/** @throws UserError missing_channel_permissions, invalid_time, invalid_time_zone */
export const typedRoute = (options: OptionReader): TypedRoute => {
  const channel = options.channel("canal");
  const time = options.string("horario");
  const timeZone = options.string("fuso");
  if (channel !== undefined) requirePermissions(channel);
  return {
    channelId: channel?.id,
    time: time === undefined ? undefined : parseTimeOfDay(time),
    timeZone: timeZone === undefined ? undefined : parseTimeZone(timeZone),
    active: options.boolean("ativo"),
  };
};

/** The route after what was typed; one that is new is switched on. @throws UserError channel_required */
export const chosenRoute = (
  typed: TypedRoute,
  before: ReportRoute | undefined,
  { guildId, userId, guildLocale }: Invocation,
): Parameters<Services["reportRoutes"]["save"]>[0] => {
  const channelId = typed.channelId ?? before?.channelId;
  if (channelId === undefined) throw new UserError({ kind: "channel_required" });
  return {
    guildId,
    channelId,
    time: typed.time ?? before?.time ?? DEFAULT_TIME,
    timeZone: typed.timeZone ?? before?.timeZone ?? DEFAULT_ZONE,
    active: typed.active ?? before?.active ?? true,
    emptyChoice: before?.emptyChoice ?? "line",
    locale: guildLocale,
    updatedBy: userId,
  };
};
