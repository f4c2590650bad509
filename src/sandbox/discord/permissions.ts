import { PermissionFlagsBits } from "discord-api-types/v10";
/** Permissions of every member of the sandbox's guilds. */
export const EVERYONE =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.UseApplicationCommands;

/** Permissions in the bot's invite link: 274878024704. */
export const BOT_INVITED =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.SendMessagesInThreads;

/** `denied`: by the channel in which the person acts. */
export const personPermissions = (person: { readonly manageGuild: boolean }, denied = 0n): bigint =>
  (person.manageGuild ? EVERYONE | PermissionFlagsBits.ManageGuild : EVERYONE) & ~denied;

export const allows = (held: bigint, needed: bigint): boolean =>
  (held & PermissionFlagsBits.Administrator) !== 0n || (held & needed) === needed;
