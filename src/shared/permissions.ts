const ADMINISTRATOR = 1n << 3n;
const MANAGE_SERVER = 1n << 5n;

export const hasPermission = (permissions: bigint, permission: bigint): boolean =>
  (permissions & (permission | ADMINISTRATOR)) !== 0n;

/** Whether a member may configure the bot for the guild. */
export const managesServer = (memberPermissions: bigint): boolean =>
  hasPermission(memberPermissions, MANAGE_SERVER);
