import type { NewDelivery } from "#src/domain/delivery.ts";
import { type AlertStep, readAlertKey } from "#src/domain/dispute-alert.ts";
import type { Plant } from "../bot.ts";

const stepsOf = (deliveries: readonly NewDelivery[]): readonly AlertStep[] =>
  deliveries.flatMap(({ dedupeKey }) => readAlertKey(dedupeKey)?.step ?? []);

/** Crosses off only what it tells, so that the older reminders stay owed. */
export const noCollapse: Plant = (parts) => {
  const { watch } = parts.jobs;
  return {
    ...parts,
    jobs: {
      ...parts.jobs,
      watch: {
        ...watch,
        keep: (dispute, deliveries, at) => {
          const doneSteps = deliveries.length > 0 ? stepsOf(deliveries) : dispute.doneSteps;
          return watch.keep({ ...dispute, doneSteps }, deliveries, at);
        },
        step: (dispute, change, deliveries, at) => {
          if (deliveries.length === 0) return watch.step(dispute, change, deliveries, at);
          const doneSteps = [...dispute.doneSteps, ...stepsOf(deliveries)];
          return watch.step(dispute, { ...change, doneSteps }, deliveries, at);
        },
      },
    },
  };
};
