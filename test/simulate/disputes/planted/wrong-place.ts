import type { Plant } from "../bot.ts";
import { CHANNELS } from "../sellers.ts";

/** Posts in the guild's channel what its owner wants to read alone. */
export const wrongPlace: Plant = (parts) => ({
  ...parts,
  posting: { ...parts.posting, openDirectMessage: async () => ({ channelId: CHANNELS[0] }) },
});
