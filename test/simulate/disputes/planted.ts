import type { NewDelivery, Posting } from "#src/delivery/delivery.ts";
import type { DisputeWatch } from "#src/disputes/dispute-watch.store.ts";
import type { AlertStep, WatchedDispute } from "#src/disputes/dispute-alert.ts";
import { notBeforeOf } from "#src/disputes/dispute-watch.ts";
import type { Plant } from "./bot.ts";
import type { DisputePorts } from "./stage.ts";
import { CHANNELS } from "./sellers.ts";

/** A bot with these parts of its watch changed. */
const inWatch =
  (changes: (watch: DisputeWatch, jobs: DisputePorts) => Partial<DisputeWatch>): Plant =>
  (parts) => {
    const { jobs } = parts;
    return { ...parts, jobs: { ...jobs, watch: { ...jobs.watch, ...changes(jobs.watch, jobs) } } };
  };

/** A bot with these parts of its posting changed. */
const inPosting =
  (changes: (posting: Posting) => Partial<Posting>): Plant =>
  (parts) => ({ ...parts, posting: { ...parts.posting, ...changes(parts.posting) } });

/** Sends the alert about an answer and continues with reminders as if there were none. */
export const answersForgotten = inWatch((watch) => ({
  step: (dispute, change, deliveries, at) => {
    const { status: _, ...rest } = change;
    return watch.step(dispute, rest, deliveries, at);
  },
}));

/** Takes what is cancelled for over, whatever the bank decides later. */
export const endIsFinal = inWatch((watch) => ({
  step: async (dispute, ...given) =>
    dispute.closedAt === undefined ? await watch.step(dispute, ...given) : dispute,
}));

/** Marks the step and enqueues the alert in two transactions. */
export const enqueueAfterStep = inWatch((watch, { outbox }) => ({
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
}));

/** Delays the last calls until the morning like all other alerts. */
export const lastCallsWait = inWatch((watch, { routes }) => {
  const held = async (delivery: NewDelivery): Promise<NewDelivery> => {
    const about = delivery.alert;
    const route = await routes.find(delivery.guildId ?? "");
    if (about?.dueAt === undefined) return delivery;
    const notBefore = notBeforeOf("72h", about.dueAt, route, delivery.notBefore);
    return about.step === "6h" || about.step === "1h" ? { ...delivery, notBefore } : delivery;
  };
  return {
    step: async (dispute, change, deliveries, at) =>
      watch.step(dispute, change, await Promise.all(deliveries.map(held)), at),
  };
});

const stepsOf = (deliveries: readonly NewDelivery[]): readonly AlertStep[] =>
  deliveries.flatMap(({ alert }) => alert?.step ?? []);

/** Marks only the sent reminder, so that the older ones stay owed. */
export const noCollapse = inWatch((watch) => ({
  keep: (dispute, deliveries, at) => {
    const doneSteps = deliveries.length > 0 ? stepsOf(deliveries) : dispute.doneSteps;
    return watch.keep({ ...dispute, doneSteps }, deliveries, at);
  },
  step: (dispute, change, deliveries, at) => {
    if (deliveries.length === 0) return watch.step(dispute, change, deliveries, at);
    const doneSteps = [...dispute.doneSteps, ...stepsOf(deliveries)];
    return watch.step(dispute, { ...change, doneSteps }, deliveries, at);
  },
}));

/** Reports every search of the history as absent. */
export const noHistory = inPosting(() => ({ findPosted: async () => ({ kind: "absent" }) }));

/** Posts without a nonce. */
export const noNonce = inPosting(({ post }) => ({
  post: (channelId, body, isInTime) =>
    post(channelId, { ...body, enforce_nonce: false as true }, isInTime),
}));

/** Posts alerts without revalidation. */
export const noSecondLook: Plant = (parts) => ({
  ...parts,
  stillTrue: async () => ({ kind: "holds" }),
});

const ROLE = "900000000000000001";

/** Mentions the role at every step. */
export const pingAlways = inPosting(({ post }) => ({
  post: (channelId, body, isInTime) =>
    post(channelId, { ...body, pings: { userId: ROLE, ...body.pings, roleId: ROLE } }, isInTime),
}));

/** Ignores quiet hours. */
export const sleepless: Plant = (parts) => {
  const { routes } = parts.jobs;
  const awake = async (guildId: string) => {
    const route = await routes.find(guildId);
    return route && { ...route, quiet: undefined };
  };
  return { ...parts, jobs: { ...parts.jobs, routes: { ...routes, find: awake } } };
};

const MARK = /^\((?:reenvio|sent again):[^)]*\)\s*/;

/** Repeats a possible post without marking the repeat. */
export const unmarkedRepeat = inPosting(({ post }) => ({
  post: (channelId, body, isInTime) => {
    const embeds = (body.embeds ?? []).map((embed) => ({
      ...embed,
      description: (embed.description ?? "").replace(MARK, ""),
    }));
    return post(channelId, { ...body, embeds }, isInTime);
  },
}));

const unsilenced = (dispute: WatchedDispute): WatchedDispute => ({
  ...dispute,
  answeredByOwnerAt: undefined,
});

/** Continues with reminders after the owner acknowledged the dispute as answered. */
export const wordForgotten = inWatch((watch) => ({
  find: async (...given) => {
    const found = await watch.find(...given);
    return found && unsilenced(found);
  },
  awaitingBefore: async (...given) => (await watch.awaitingBefore(...given)).map(unsilenced),
}));

/** Tells nothing of a failed acknowledgement that was made under the last call. */
export const failedWordUntold = inWatch(() => ({ isPosted: async () => false }));

/** Posts private alerts in the guild's channel. */
export const wrongPlace = inPosting(() => ({
  openDirectMessage: async () => ({ channelId: CHANNELS[0] }),
}));
