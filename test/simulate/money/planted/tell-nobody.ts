import type { Plant } from "../bot.ts";

/** Leaves it to the private reply alone to say what became of an operation. */
export const tellNobody: Plant = (needs) => ({
  ...needs,
  journal: {
    ...needs.journal,
    move: (op, step, at) => needs.journal.move(op, { ...step, notices: [] }, at),
  },
});
