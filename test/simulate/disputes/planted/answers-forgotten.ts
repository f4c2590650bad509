import type { Plant } from "../bot.ts";

/** Tells of an answer, and goes on reminding as if there were none. */
export const answersForgotten: Plant = (parts) => {
  const { watch } = parts.jobs;
  return {
    ...parts,
    jobs: {
      ...parts.jobs,
      watch: {
        ...watch,
        step: (dispute, change, deliveries, at) => {
          const { status: _, ...rest } = change;
          return watch.step(dispute, rest, deliveries, at);
        },
      },
    },
  };
};
