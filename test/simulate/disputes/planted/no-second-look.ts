import type { Plant } from "../bot.ts";

/** Posts what was owed once without reading again. */
export const noSecondLook: Plant = (parts) => ({
  ...parts,
  stillTrue: async () => ({ kind: "holds" }),
});
