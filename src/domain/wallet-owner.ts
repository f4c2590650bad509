/** Form of a Discord user id, which the service uses for the users that it knows from there. Source: service.md 2.1. */
const DISCORD_ID = /^\d{17,20}$/;

/** `unknown`: the service names the user in another way, so nothing is proven either way. */
export type Ownership = "owner" | "somebody_else" | "unknown";

/** Whose key it is, by the user id that the service gives for it. */
export const ownershipOf = (walletUserId: string, discordUserId: string): Ownership => {
  if (walletUserId === discordUserId) return "owner";
  return DISCORD_ID.test(walletUserId) ? "somebody_else" : "unknown";
};
