import type { NewDelivery } from "#src/domain/delivery.ts";
import { readAlertKey } from "#src/domain/dispute-alert.ts";
import { notBeforeOf } from "#src/domain/dispute-watch.ts";
import type { Plant } from "../bot.ts";

/** Lets the last calls wait for the morning like everything else. */
export const lastCallsWait: Plant = (parts) => {
  const { watch, routes } = parts.jobs;
  const held = async (delivery: NewDelivery): Promise<NewDelivery> => {
    const about = readAlertKey(delivery.dedupeKey);
    const route = await routes.find(delivery.guildId ?? "");
    if (about?.dueAt === undefined) return delivery;
    const notBefore = notBeforeOf("72h", about.dueAt, route, delivery.notBefore);
    return about.step === "6h" || about.step === "1h" ? { ...delivery, notBefore } : delivery;
  };
  return {
    ...parts,
    jobs: {
      ...parts.jobs,
      watch: {
        ...watch,
        step: async (dispute, change, deliveries, at) =>
          watch.step(dispute, change, await Promise.all(deliveries.map(held)), at),
      },
    },
  };
};
