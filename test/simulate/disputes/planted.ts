import type { NewDelivery } from "#src/domain/delivery.ts";
import {
  type AlertStep,
  readAlertKey,
  repeatKeyOf,
  type WatchedDispute,
} from "#src/domain/dispute-alert.ts";
import { notBeforeOf } from "#src/domain/dispute-watch.ts";
import type { Plant } from "./bot.ts";
import type { DisputePorts } from "./ports.ts";
import { CHANNELS } from "./sellers.ts";

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

/** Takes what it did not look for as not posted. */
export const noHistory: Plant = (parts) => ({
  ...parts,
  posting: { ...parts.posting, findPosted: async () => ({ kind: "absent" }) },
});

/** Does not ask Discord to keep an attempt from being a second message. */
export const noNonce: Plant = (parts) => {
  const { post } = parts.posting;
  return {
    ...parts,
    posting: {
      ...parts.posting,
      post: (channelId, body) => post(channelId, { ...body, enforce_nonce: false as true }),
    },
  };
};

/** Posts what was owed once without reading again. */
export const noSecondLook: Plant = (parts) => ({
  ...parts,
  stillTrue: async () => ({ kind: "holds" }),
});

const ROLE = "900000000000000001";

/** Calls a role at every step. */
export const pingAlways: Plant = (parts) => {
  const { post } = parts.posting;
  return {
    ...parts,
    posting: {
      ...parts.posting,
      post: (channelId, body) =>
        post(channelId, { ...body, pings: { userId: ROLE, ...body.pings, roleId: ROLE } }),
    },
  };
};

/** Knows of no quiet hours. */
export const sleepless: Plant = (parts) => {
  const { routes } = parts.jobs;
  const awake = async (guildId: string) => {
    const route = await routes.find(guildId);
    return route && { ...route, quiet: undefined };
  };
  return { ...parts, jobs: { ...parts.jobs, routes: { ...routes, find: awake } } };
};

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

/** Posts in the guild's channel what its owner wants to read alone. */
export const wrongPlace: Plant = (parts) => ({
  ...parts,
  posting: { ...parts.posting, openDirectMessage: async () => ({ channelId: CHANNELS[0] }) },
});
