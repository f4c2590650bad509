import type { DisputePorts } from "../ports.ts";
import type { Plant } from "../bot.ts";

/** Writes down that a step was told, and hands the alert over in a transaction of its own. */
export const enqueueAfterStep: Plant = (parts) => {
  const { watch, outbox } = parts.jobs;
  const jobs: DisputePorts = {
    ...parts.jobs,
    watch: {
      ...watch,
      keep: async (dispute, deliveries, at) => {
        const kept = await watch.keep(dispute, [], at);
        for (const each of kept ? deliveries : []) await outbox.enqueue(each, at);
        return kept;
      },
      step: async (dispute, change, deliveries, at) => {
        const after = await watch.step(dispute, change, [], at);
        for (const each of after ? deliveries : []) await outbox.enqueue(each, at);
        return after;
      },
    },
  };
  return { ...parts, jobs };
};
