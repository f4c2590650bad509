import type { ChannelPermission } from "../shared/errors.ts";

const ADMINISTRATOR = 1n << 3n;
const MANAGE_SERVER = 1n << 5n;

/** What the bot needs where it posts reports; the last one lets it find a post of which no answer came. */
const NEEDED: readonly (readonly [ChannelPermission, bigint])[] = [
  ["view_channel", 1n << 10n],
  ["send_messages", 1n << 11n],
  ["embed_links", 1n << 14n],
  ["read_message_history", 1n << 16n],
];

const has = (permissions: bigint, permission: bigint): boolean =>
  (permissions & (permission | ADMINISTRATOR)) !== 0n;

/** What is missing among the permissions that the bot has in a channel. */
export const missingPermissions = (permissions: bigint): readonly ChannelPermission[] =>
  NEEDED.filter(([, bit]) => !has(permissions, bit)).map(([name]) => name);

/** Whether a member may set up the bot for the guild. */
export const managesServer = (memberPermissions: bigint): boolean =>
  has(memberPermissions, MANAGE_SERVER);
