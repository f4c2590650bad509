/** A person or a channel by id, drawn by Discord as its name. A body that does not allow it notifies nobody. */
export const person = (userId: string): string => `<@${userId}>`;
export const channel = (channelId: string): string => `<#${channelId}>`;
/** Notifies only where a body allows exactly this role. */
export const role = (roleId: string): string => `<@&${roleId}>`;
