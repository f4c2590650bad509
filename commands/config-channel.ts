import type { APIApplicationCommandBasicOption } from "discord-api-types/v10";
import {
  type Action,
  action,
  type ActionInput,
  type ChosenChannel,
  type HandlerParts,
  type Invocation,
  type OptionReader,
} from "#src/discord/command.ts";
import { managesServer, missingPermissions } from "#src/reports/report-route.ts";
import { channelType } from "#src/shared/discord-enums.ts";
import { UserError } from "#src/shared/errors.ts";
import type { Words } from "#src/texts.ts";
import { outdated } from "./component-input.ts";
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
  return channel && usableChannel(channel);
};

/** @throws UserError missing_channel_permissions */
const usableChannel = ({ id: channelId, appPermissions }: ChosenChannel): string => {
  const missing = appPermissions === undefined ? [] : missingPermissions(appPermissions);
  if (missing.length > 0) {
    throw new UserError({ kind: "missing_channel_permissions", channelId, missing });
  }
  return channelId;
};

const POSTED_TO: readonly number[] = [channelType.text, channelType.announcement];

/** Id of the channel that a menu chose. @throws UserError missing_channel_permissions, outdated_component */
export const chosenChannel = ({ channel }: ActionInput): string =>
  channel !== undefined && POSTED_TO.includes(channel.type) ? usableChannel(channel) : outdated();

/** Whether a button switches on or off. @throws UserError outdated_component */
export const chosenSwitch = ({ argument }: ActionInput): boolean =>
  argument === SWITCHES.on || (argument === SWITCHES.off ? false : outdated());

/** Arguments of the buttons that switch a part on and off. */
export const SWITCHES = { on: "ligar", off: "desligar" } as const;

/** A menu or button that changes settings; only for those who manage the server, at each press. */
export const setting = <Typed>(
  read: (input: ActionInput) => Typed,
  run: HandlerParts<ActionInput, Typed>["run"],
): Action =>
  action({
    kind: "write",
    answers: "update",
    parse: (input, invocation) => {
      requireManager(input, invocation);
      return read(input);
    },
    run,
  });

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
