/** A person or a channel by id, drawn by Discord as its name. Nobody is notified: bodies allow no mentions. */
export const person = (userId: string): string => `<@${userId}>`;
export const channel = (channelId: string): string => `<#${channelId}>`;
/** Notifies only where a body allows exactly this role. */
export const role = (roleId: string): string => `<@&${roleId}>`;
