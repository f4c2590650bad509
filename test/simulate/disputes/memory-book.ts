import type { Account } from "#src/domain/account.ts";
import type { NewDelivery } from "#src/domain/delivery.ts";
import {
  type AlertRoute,
  isDecision,
  type WatchedDispute,
  withoutStep,
} from "#src/domain/dispute-alert.ts";
import type { DisputePoll } from "#src/domain/dispute-stores.ts";
import type { UnlistedPending } from "#src/domain/dispute-list.ts";
import type { Secret } from "#src/shared/secret.ts";
import { createMemoryOutbox, type MemoryOutbox } from "./memory-outbox.ts";

/** All stored data of one run. */
export interface MemoryBook {
  readonly outbox: MemoryOutbox;
  readonly accounts: Map<string, Account>;
  readonly keys: Map<string, Secret>;
  readonly routes: Map<string, AlertRoute>;
  readonly polls: Map<string, DisputePoll>;
  readonly unlisted: Map<string, UnlistedPending>;
  /** By account, then by infraction. */
  readonly watched: Map<string, Map<string, WatchedDispute>>;
}

export const emptyBook = (): MemoryBook => ({
  outbox: createMemoryOutbox(),
  accounts: new Map(),
  keys: new Map(),
  routes: new Map(),
  polls: new Map(),
  unlisted: new Map(),
  watched: new Map(),
});

type AlertsOf =
  | { readonly accountId: string }
  | { readonly guildId: string; readonly channelId?: string };

/** Moves alerts waiting for a channel to their owners, blocked ones at once. */
export const redirectToOwners = ({ outbox, accounts }: MemoryBook, of: AlertsOf): void => {
  for (const post of outbox.unsettled()) {
    const isMeant =
      "accountId" in of ? post.accountId === of.accountId : post.guildId === of.guildId;
    if (post.kind !== "dispute_alert" || !isMeant) continue;
    const owner = accounts.get(post.accountId ?? "");
    const { target } = post;
    const channelId = "guildId" in of ? of.channelId : undefined;
    const isThere =
      target.kind === "channel" && (channelId ?? target.channelId) === target.channelId;
    if (owner && isThere) {
      const { pings: _, ...payload } = post.payload;
      Object.assign(post, { target: { kind: "person", userId: owner.ownerId }, payload });
    }
    if (post.target.kind === "person" && post.state === "blocked") unblock(post);
  }
};

type Unblocked = ReturnType<MemoryOutbox["unsettled"]>[number];

const unblock = (post: Unblocked): void => {
  post.state = "due";
  post.notBefore = post.lineAt;
  post.wasBlocked = false;
};

/** Moves unattempted alerts to the newly chosen channel. */
export const redirectToChannel = (
  { outbox }: MemoryBook,
  guildId: string,
  oldChannelId: string,
  channelId: string,
): void => {
  for (const post of outbox.unsettled()) {
    const { kind, target, state, firstAttemptAt } = post;
    const isMeant =
      kind === "dispute_alert" && post.guildId === guildId && target.kind === "channel";
    if (!isMeant || target.channelId !== oldChannelId || firstAttemptAt !== undefined) continue;
    if (state !== "due" && state !== "blocked") continue;
    post.target = { kind: "channel", channelId };
    unblock(post);
  }
};

/** Marks the account's waiting alerts as owed again. */
export const untell = (
  { watched, polls }: MemoryBook,
  accountId: string,
  waiting: readonly Pick<NewDelivery, "alert">[],
  at: Temporal.Instant,
): void => {
  const own = watched.get(accountId);
  const subjects = waiting.flatMap(({ alert }) => alert ?? []);
  const poll = polls.get(accountId);
  if (poll !== undefined && subjects.length > 0) {
    polls.set(accountId, { ...poll, counts: undefined, nextPollAt: at });
  }
  for (const [infractionId, of] of Map.groupBy(subjects, (each) => each.infractionId)) {
    const dispute = own?.get(infractionId);
    if (dispute === undefined) continue;
    const doneSteps = of.map(({ step }) => step).reduce(withoutStep, dispute.doneSteps);
    const isReopened = of.some(({ step }) => isDecision(step));
    const closedAt = isReopened ? undefined : dispute.closedAt;
    own?.set(infractionId, { ...dispute, doneSteps, closedAt, version: dispute.version + 1 });
  }
};
