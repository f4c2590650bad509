import type { Plant } from "../bot.ts";

/** Takes what it did not look for as not posted. */
export const noHistory: Plant = (parts) => ({
  ...parts,
  posting: { ...parts.posting, findPosted: async () => ({ kind: "absent" }) },
});
