import { repeatKeyOf } from "#src/domain/dispute-alert.ts";
import type { Plant } from "../bot.ts";

const MARK = /^\((?:reenvio|sent again):[^)]*\)\s*/;

/** Sends again what may have been posted, and does not say so. */
export const unmarkedRepeat: Plant = (parts) => {
  const { outbox } = parts.jobs;
  return {
    ...parts,
    jobs: {
      ...parts.jobs,
      outbox: {
        ...outbox,
        enqueue: (delivery, at) => {
          const isRepeat = repeatKeyOf(delivery.dedupeKey) === undefined;
          const embeds = (delivery.payload.embeds ?? []).map((embed) => ({
            ...embed,
            description: (embed.description ?? "").replace(MARK, ""),
          }));
          const payload = isRepeat ? { ...delivery.payload, embeds } : delivery.payload;
          return outbox.enqueue({ ...delivery, payload }, at);
        },
      },
    },
  };
};
