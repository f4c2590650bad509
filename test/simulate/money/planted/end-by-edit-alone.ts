import type { Plant } from "../bot.ts";

/** Takes every message that told of a doubt for one that was never sent: an edit of the reply is enough for its end. */
export const endByEditAlone: Plant = (needs) => ({
  ...needs,
  retract: async (...given) => {
    await needs.retract(...given);
    return true;
  },
});
