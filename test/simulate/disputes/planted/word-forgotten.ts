import type { WatchedDispute } from "#src/domain/dispute-alert.ts";
import type { Plant } from "../bot.ts";

const unsilenced = (dispute: WatchedDispute): WatchedDispute => ({
  ...dispute,
  answeredByOwnerAt: undefined,
});

/** Goes on reminding though the owner said that it is answered. */
export const wordForgotten: Plant = (parts) => {
  const { watch } = parts.jobs;
  return {
    ...parts,
    jobs: {
      ...parts.jobs,
      watch: {
        ...watch,
        find: async (...given) => {
          const found = await watch.find(...given);
          return found && unsilenced(found);
        },
        awaitingBefore: async (...given) => (await watch.awaitingBefore(...given)).map(unsilenced),
      },
    },
  };
};
