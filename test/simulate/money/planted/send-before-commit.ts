import type { Transition } from "#src/domain/withdraw-journal.ts";
import type { WithdrawOp } from "#src/domain/withdraw-op.ts";
import type { Plant } from "../bot.ts";

/** Commits that it is sending only once it has the answer. */
export const sendBeforeCommit: Plant = (needs) => {
  const held = new Map<string, { readonly op: WithdrawOp; readonly step: Transition }>();
  return {
    ...needs,
    journal: {
      ...needs.journal,
      move: async (op, step, at) => {
        if (step.to === "sending") {
          held.set(op.id, { op, step });
          return {
            kind: "moved",
            op: { ...op, ...step.change, state: "sending", version: op.version + 1 },
          };
        }
        const before = held.get(op.id);
        held.delete(op.id);
        if (before !== undefined) await needs.journal.move(before.op, before.step, at);
        return await needs.journal.move(op, step, at);
      },
    },
  };
};
