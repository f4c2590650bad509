import type { ChosenChannel, Invocation, OptionReader } from "#src/discord/command-kit.ts";
import { customId } from "#src/discord/custom-id.ts";
import { managesServer, missingPermissions } from "#src/domain/channel-permissions.ts";
import type { EmptyReportChoice, ReportRoute } from "#src/domain/report-route.ts";
import { parseTimeOfDay } from "#src/domain/time-of-day.ts";
import { parseTimeZone } from "#src/domain/time-zone.ts";
import type { Services } from "#src/services/services.ts";
import { UserError } from "#src/shared/errors.ts";
import type { Reply } from "#src/views/reply.ts";
import { emptyChoices, reportRouteView } from "#src/views/report-route.ts";

const DEFAULT_TIME = Temporal.PlainTime.from("21:05");
const DEFAULT_ZONE = "America/Sao_Paulo";

/** What an admin typed; what is left out stays as it was. */
interface TypedRoute {
  readonly channel: ChosenChannel | undefined;
  readonly time: Temporal.PlainTime | undefined;
  readonly timeZone: string | undefined;
  readonly active: boolean | undefined;
}

/** The input, when the person may set up the bot: Discord's own gate only hides the command. @throws UserError */
export const managed = <Input>({ memberPermissions }: Invocation, input: Input): Input => {
  if (!managesServer(memberPermissions)) throw new UserError({ kind: "manage_server_required" });
  return input;
};

const requirePermissions = ({ id: channelId, appPermissions }: ChosenChannel): void => {
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
    channel,
    time: time === undefined ? undefined : parseTimeOfDay(time),
    timeZone: timeZone === undefined ? undefined : parseTimeZone(timeZone),
    active: options.boolean("ativo"),
  };
};

/** The route after what was typed; one that is new is switched on. @throws UserError channel_required */
export const chosenRoute = (
  { channel, time, timeZone, active }: TypedRoute,
  before: ReportRoute | undefined,
  { guildId, userId, guildLocale }: Invocation,
): Parameters<Services["reportRoutes"]["save"]>[0] => {
  const channelId = channel?.id ?? before?.channelId;
  if (channelId === undefined) throw new UserError({ kind: "channel_required" });
  return {
    guildId,
    channelId,
    time: time ?? before?.time ?? DEFAULT_TIME,
    timeZone: timeZone ?? before?.timeZone ?? DEFAULT_ZONE,
    active: active ?? before?.active ?? true,
    emptyChoice: before?.emptyChoice ?? "line",
    locale: guildLocale,
    updatedBy: userId,
  };
};

/** @throws UserError outdated_component */
export const emptyChoiceOf = ([value]: readonly string[]): EmptyReportChoice => {
  const choice = emptyChoices.find((each) => each === value);
  if (choice === undefined) throw new UserError({ kind: "outdated_component" });
  return choice;
};

/** What is set, for the admin. */
export const routeReply = async (
  route: ReportRoute,
  saved: boolean,
  { guildId, locale }: Invocation,
  { reportRoutes, clock }: Services,
): Promise<Reply> =>
  reportRouteView({
    ...{ route, saved, locale },
    audience: await reportRoutes.audience(guildId),
    now: clock.now(),
    emptyChoiceId: customId("config", "vazio"),
  });
