/** Permission that the bot needs to post in a channel. */
export type ChannelPermission =
  | "view_channel"
  | "send_messages"
  | "send_messages_in_threads"
  | "embed_links"
  | "attach_files"
  | "read_message_history";

const ADMINISTRATOR = 1n << 3n;
export const MANAGE_SERVER = 1n << 5n;
const MANAGE_THREADS = 1n << 34n;

/** Source: Discord's reference, "Permissions". */
const channelPermissions: Readonly<Record<ChannelPermission, bigint>> = {
  view_channel: 1n << 10n,
  send_messages: 1n << 11n,
  embed_links: 1n << 14n,
  attach_files: 1n << 15n,
  read_message_history: 1n << 16n,
  send_messages_in_threads: 1n << 38n,
};

const hasPermission = (permissions: bigint, permission: bigint): boolean =>
  (permissions & (permission | ADMINISTRATOR)) !== 0n;

/** Whether a member may configure the bot for the guild. */
export const managesServer = (memberPermissions: bigint): boolean =>
  hasPermission(memberPermissions, MANAGE_SERVER);

/** Those of the named permissions that are lacking. */
export const missingOf = (
  permissions: bigint,
  needed: readonly ChannelPermission[],
): readonly ChannelPermission[] =>
  needed.filter((name) => !hasPermission(permissions, channelPermissions[name]));

/** The permission to write in a channel or in a thread. */
export const writing = (inThread: true | undefined): ChannelPermission =>
  inThread === true ? "send_messages_in_threads" : "send_messages";

/** Whether a member may write in the channel or thread of an interaction. */
export const mayWrite = ({
  memberPermissions,
  inThread,
  isLocked,
}: {
  readonly memberPermissions: bigint;
  readonly inThread?: true;
  readonly isLocked?: true;
}): boolean =>
  missingOf(memberPermissions, [writing(inThread)]).length === 0 &&
  (isLocked !== true || hasPermission(memberPermissions, MANAGE_THREADS));
