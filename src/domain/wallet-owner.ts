import { isDiscordId } from "./discord-id.ts";

/** `unknown`: the service names the user in another way, so nothing is proven either way. */
export type Ownership = "owner" | "somebody_else" | "unknown";

/**
 * Whose key it is, by the user id that the service gives for it: Discord's for users that it knows from there.
 * Source: service.md 2.1.
 */
export const ownershipOf = (walletUserId: string, discordUserId: string): Ownership => {
  if (walletUserId === discordUserId) return "owner";
  return isDiscordId(walletUserId) ? "somebody_else" : "unknown";
};
