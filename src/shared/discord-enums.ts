/* oxlint-disable typescript/no-unsafe-enum-assignment -- tsc checks each number against its own member */
import type {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  ButtonStyle,
  ChannelType,
  ComponentType,
  InteractionContextType,
  SelectMenuDefaultValueType,
} from "discord-api-types/v10";

// Discord's numbers, without the cost of loading its enumerations at every start.

export const componentType: {
  readonly row: ComponentType.ActionRow;
  readonly button: ComponentType.Button;
  readonly select: ComponentType.StringSelect;
  readonly roleSelect: ComponentType.RoleSelect;
  readonly channelSelect: ComponentType.ChannelSelect;
} = { row: 1, button: 2, select: 3, roleSelect: 6, channelSelect: 8 };

/** The choice that a menu shows at first. */
export const chosenType: {
  readonly role: SelectMenuDefaultValueType.Role;
  readonly channel: SelectMenuDefaultValueType.Channel;
} = {
  role: "role" as SelectMenuDefaultValueType.Role,
  channel: "channel" as SelectMenuDefaultValueType.Channel,
};

export const buttonStyle: {
  readonly primary: ButtonStyle.Primary;
  readonly secondary: ButtonStyle.Secondary;
  readonly success: ButtonStyle.Success;
  readonly danger: ButtonStyle.Danger;
} = { primary: 1, secondary: 2, success: 3, danger: 4 };

export const linkStyle: ButtonStyle.Link = 5;

export const commandType: {
  readonly message: ApplicationCommandType.Message;
} = { message: 3 };

export const optionType: {
  readonly subcommand: ApplicationCommandOptionType.Subcommand;
  readonly string: ApplicationCommandOptionType.String;
  readonly boolean: ApplicationCommandOptionType.Boolean;
  readonly user: ApplicationCommandOptionType.User;
  readonly channel: ApplicationCommandOptionType.Channel;
  readonly role: ApplicationCommandOptionType.Role;
} = { subcommand: 1, string: 3, boolean: 5, user: 6, channel: 7, role: 8 };

/** Channels that the bot posts to: those for text and for announcements. */
export const postedTo: (ChannelType.GuildText | ChannelType.GuildAnnouncement)[] = [0, 5];

/** Commands for all members of a server; the bot is installed in servers. */
export const inGuilds: {
  readonly contexts: InteractionContextType.Guild[];
  readonly integration_types: ApplicationIntegrationType.GuildInstall[];
} = { contexts: [0], integration_types: [0] };

export const directContext: InteractionContextType.BotDM = 1;

/** Commands for servers and for the bot's direct messages with people. */
export const inGuildsAndDirect: {
  readonly contexts: (InteractionContextType.Guild | InteractionContextType.BotDM)[];
  readonly integration_types: ApplicationIntegrationType.GuildInstall[];
} = { contexts: [0, 1], integration_types: [0] };
