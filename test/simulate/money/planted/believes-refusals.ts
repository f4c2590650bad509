import type { WithdrawAnswer } from "#src/domain/withdrawal.ts";
import type { Plant } from "../bot.ts";

const refused = (answer: WithdrawAnswer): WithdrawAnswer =>
  answer.state === "unknown" && answer.httpStatus === 409
    ? {
        state: "rejected",
        reason: "refused",
        httpStatus: 409,
        requestId: undefined,
        message: undefined,
        retryAfterMs: undefined,
        shortfall: undefined,
      }
    : answer;

/** Takes a 409 for a refusal. */
export const believesConflicts: Plant = (needs) => ({
  ...needs,
  wallet: {
    ...needs.wallet,
    withdraw: async (...given) => refused(await needs.wallet.withdraw(...given)),
    splitWithdraw: async (...given) => refused(await needs.wallet.splitWithdraw(...given)),
  },
});

/** Takes a refusal for the last word, whatever the list shows before the next request. */
export const forgetsRefusals: Plant = (needs) => ({
  ...needs,
  journal: {
    ...needs.journal,
    list: async (query) =>
      query.states?.includes("rejected") === true ? [] : await needs.journal.list(query),
  },
});
