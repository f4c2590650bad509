/* oxlint-disable typescript/no-unsafe-enum-assignment -- checked by the types below, one number against its own member */
import type {
  ApplicationCommandOptionType,
  ApplicationIntegrationType,
  ButtonStyle,
  ChannelType,
  ComponentType,
  InteractionContextType,
} from "discord-api-types/v10";

// Discord's numbers without loading its enumerations, which every start would pay for.

export const componentType = {
  row: 1 as ComponentType.ActionRow,
  button: 2 as ComponentType.Button,
  select: 3 as ComponentType.StringSelect,
};

export const buttonStyle = {
  primary: 1 as ButtonStyle.Primary,
  secondary: 2 as ButtonStyle.Secondary,
  success: 3 as ButtonStyle.Success,
  danger: 4 as ButtonStyle.Danger,
};

export const optionType = {
  subcommand: 1 as ApplicationCommandOptionType.Subcommand,
  string: 3 as ApplicationCommandOptionType.String,
  boolean: 5 as ApplicationCommandOptionType.Boolean,
  user: 6 as ApplicationCommandOptionType.User,
  channel: 7 as ApplicationCommandOptionType.Channel,
};

export const channelType = {
  text: 0 as ChannelType.GuildText,
  announcement: 5 as ChannelType.GuildAnnouncement,
};

/** Where commands are offered and how the bot is installed: in servers, for everybody there. */
export const inGuilds = {
  contexts: [0 as InteractionContextType.Guild],
  integration_types: [0 as ApplicationIntegrationType.GuildInstall],
};
