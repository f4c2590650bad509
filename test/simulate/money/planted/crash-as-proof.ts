import { outcomeNotice } from "#src/services/money/withdraw-transition.ts";
import type { Plant } from "../bot.ts";

/** Takes the death of a process while it was sending for proof that nothing had been sent. */
export const crashAsProof: Plant = (needs) => ({
  ...needs,
  journal: {
    ...needs.journal,
    sweep: async (everything, at, noticesFor) => {
      const swept = await needs.journal.sweep(everything, at, noticesFor);
      for (const op of swept) {
        if (op.state !== "unknown") continue;
        const notices = [outcomeNotice(needs, { ...op, state: "not_executed" }, undefined, at)];
        await needs.journal.move(op, { to: "not_executed", reason: "crashed", notices }, at);
      }
      return swept;
    },
  },
});
