/** Bits of Discord's permission set. Source: Discord's reference, "Permissions". */
export const PERMISSION = {
  ADMINISTRATOR: 1n << 3n,
  MANAGE_GUILD: 1n << 5n,
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  EMBED_LINKS: 1n << 14n,
  ATTACH_FILES: 1n << 15n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  USE_APPLICATION_COMMANDS: 1n << 31n,
} as const;

/** What anybody may do in the sandbox's guilds. */
export const EVERYONE =
  PERMISSION.VIEW_CHANNEL |
  PERMISSION.SEND_MESSAGES |
  PERMISSION.EMBED_LINKS |
  PERMISSION.ATTACH_FILES |
  PERMISSION.READ_MESSAGE_HISTORY |
  PERMISSION.USE_APPLICATION_COMMANDS;

/** What the bot asks for when it is invited, and nothing else: 84992. */
export const BOT_INVITED =
  PERMISSION.VIEW_CHANNEL |
  PERMISSION.SEND_MESSAGES |
  PERMISSION.EMBED_LINKS |
  PERMISSION.READ_MESSAGE_HISTORY;

export const personPermissions = (person: { readonly manageGuild: boolean }): bigint =>
  person.manageGuild ? EVERYONE | PERMISSION.MANAGE_GUILD : EVERYONE;

export const allows = (held: bigint, needed: bigint): boolean =>
  (held & PERMISSION.ADMINISTRATOR) !== 0n || (held & needed) === needed;
