const ADMINISTRATOR = 1n << 3n;
export const MANAGE_SERVER = 1n << 5n;
const SEND_MESSAGES = 1n << 11n;
const SEND_MESSAGES_IN_THREADS = 1n << 38n;

export const hasPermission = (permissions: bigint, permission: bigint): boolean =>
  (permissions & (permission | ADMINISTRATOR)) !== 0n;

/** Whether a member may configure the bot for the guild. */
export const managesServer = (memberPermissions: bigint): boolean =>
  hasPermission(memberPermissions, MANAGE_SERVER);

/** Whether a member may write in the channel or thread of an interaction. */
export const mayWrite = ({
  memberPermissions,
  inThread,
}: {
  readonly memberPermissions: bigint;
  readonly inThread?: true;
}): boolean =>
  hasPermission(memberPermissions, inThread === true ? SEND_MESSAGES_IN_THREADS : SEND_MESSAGES);
