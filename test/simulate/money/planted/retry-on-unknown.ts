import type { Plant } from "../bot.ts";

/** Takes an unclear answer for a failure, and asks again. */
export const retryOnUnknown: Plant = (needs) => {
  const { wallet } = needs;
  const twice =
    <Given extends unknown[], Answer extends { readonly state: string }>(
      send: (...given: Given) => Promise<Answer>,
    ) =>
    async (...given: Given): Promise<Answer> => {
      const answer = await send(...given);
      return answer.state === "unknown" ? await send(...given) : answer;
    };
  return {
    ...needs,
    wallet: {
      ...wallet,
      withdraw: twice(wallet.withdraw),
      splitWithdraw: twice(wallet.splitWithdraw),
    },
  };
};
