import type { Plant } from "../bot.ts";

/** Goes on reading what cannot be read, and asks nobody to decide. */
export const neverGiveUp: Plant = (needs) => ({
  ...needs,
  journal: {
    ...needs.journal,
    move: async (op, step, at) => {
      if (step.to !== "manual") return await needs.journal.move(op, step, at);
      await needs.journal.amend(op, { nextCheckAt: at.add({ hours: 1 }) }, at);
      return { kind: "lost" };
    },
  },
});
