import { outcomeNotice } from "#src/services/money/withdraw-step.ts";
import type { Plant } from "../bot.ts";

/** Takes the first reading without it for proof, however soon after the request. */
export const noSettling: Plant = (needs) => ({
  ...needs,
  journal: {
    ...needs.journal,
    amend: async (op, change, at) => {
      const isAbsent = op.state === "unknown" && change.absences !== undefined;
      if (!isAbsent || op.kind === "cancel") return await needs.journal.amend(op, change, at);
      const notices = [outcomeNotice(needs, { ...op, state: "not_executed" }, undefined, at)];
      const step = { to: "not_executed", reason: "absent", notices } as const;
      const result = await needs.journal.move(op, step, at);
      return result.kind === "moved" ? result.op : undefined;
    },
  },
});
