import type { APIApplicationCommandBasicOption } from "discord-api-types/v10";
import type { Invocation, OptionReader } from "#src/discord/command.ts";
import { managesServer, missingPermissions } from "#src/reports/report-route.ts";
import { channelType } from "#src/shared/discord-enums.ts";
import { UserError } from "#src/shared/errors.ts";
import type { Words } from "#src/texts.ts";
import { option } from "./definition.ts";

/** Default zone of a guild. */
export const DEFAULT_ZONE = "America/Sao_Paulo";

/** The channel that each part of `/config` posts to. */
export const channelOption = (words: Words): APIApplicationCommandBasicOption => ({
  ...option("channel", "canal", words),
  channel_types: [channelType.text, channelType.announcement],
});

/** Id of the typed channel; undefined without one. @throws UserError missing_channel_permissions */
export const typedChannel = (options: OptionReader): string | undefined => {
  const channel = options.channel("canal");
  if (channel === undefined) return undefined;
  const { id: channelId, appPermissions } = channel;
  const missing = appPermissions === undefined ? [] : missingPermissions(appPermissions);
  if (missing.length > 0) {
    throw new UserError({ kind: "missing_channel_permissions", channelId, missing });
  }
  return channelId;
};

/** Whether no option was typed, so that the present settings are only shown. */
export const isUntouched = (typed: object): boolean =>
  Object.values(typed).every((value) => value === undefined);

/**
 * Discord only hides the command from other people, and admins of a server can show it to them.
 * @throws UserError manage_server_required
 */
export const requireManager = (_: unknown, { memberPermissions }: Invocation): void => {
  if (!managesServer(memberPermissions)) throw new UserError({ kind: "manage_server_required" });
};
