import {
  type ClaimedDelivery,
  type DeliveryState,
  type DeliveryTarget,
  type NewDelivery,
  nonceOf,
  deliveryPolicies,
  type Settlement,
} from "#src/domain/delivery.ts";
import type { ClaimRequest } from "#src/store/outbox.ts";

/** A row of the outbox. */
export interface MemoryPost extends Omit<NewDelivery, "target" | "notBefore" | "payload"> {
  target: DeliveryTarget;
  payload: NewDelivery["payload"];
  line: string;
  lineAt: Temporal.Instant;
  createdAt: Temporal.Instant;
  readonly nonce: string;
  notBefore: Temporal.Instant;
  state: DeliveryState;
  isSettled: boolean;
  owner: string;
  leaseUntil: Temporal.Instant | undefined;
  token: number;
  attempts: number;
  firstAttemptAt: Temporal.Instant | undefined;
  firstAttemptToken: number | undefined;
  wasBlocked: boolean;
}

export interface MemoryOutbox {
  readonly enqueue: (delivery: NewDelivery, at: Temporal.Instant) => boolean;
  readonly claim: (request: ClaimRequest, leaseNow: Temporal.Instant) => ClaimedDelivery[];
  readonly settle: (claim: ClaimedDelivery, result: Settlement) => boolean;
  readonly unsettled: () => readonly MemoryPost[];
  readonly finish: (post: MemoryPost, state: DeliveryState) => void;
  readonly dropOf: (accountId: string) => void;
}

const targetIdOf = (target: DeliveryTarget): string =>
  target.kind === "channel" ? target.channelId : target.userId;

const lineOf = ({ kind, target, dedupeKey }: NewDelivery): string =>
  deliveryPolicies[kind].line === "own"
    ? `${kind}:${dedupeKey}`
    : `${target.kind}:${targetIdOf(target)}`;

const isBy = (instant: Temporal.Instant | undefined, now: Temporal.Instant): boolean =>
  instant !== undefined && instant.epochMilliseconds <= now.epochMilliseconds;

const inOrder = (one: MemoryPost, other: MemoryPost): number =>
  one.lineAt.epochMilliseconds - other.lineAt.epochMilliseconds ||
  one.createdAt.epochMilliseconds - other.createdAt.epochMilliseconds ||
  (one.dedupeKey < other.dedupeKey ? -1 : 1);

const claimedOf = (post: MemoryPost, claimedAt: Temporal.Instant): ClaimedDelivery => ({
  dedupeKey: post.dedupeKey,
  kind: post.kind,
  target: post.target,
  guildId: post.guildId,
  accountId: post.accountId,
  payload: post.payload,
  day: post.day,
  alert: post.alert,
  repeatOf: post.repeatOf,
  offerId: post.offerId,
  notBefore: post.notBefore,
  nonce: post.nonce,
  attempts: post.attempts,
  enqueuedAt: post.createdAt,
  firstAttemptAt: post.firstAttemptAt ?? claimedAt,
  claimedAt,
  owner: post.owner,
  token: post.token,
  wasBlocked: post.wasBlocked,
});

/** Keeps the outbox's contract: unique keys, the head of each line, leases, and fencing by owner and token. */
export const createMemoryOutbox = (): MemoryOutbox => {
  const settled = new Map<string, MemoryPost>();
  const open = new Map<string, MemoryPost>();
  const finish = (post: MemoryPost, state: DeliveryState): void => {
    Object.assign(post, { state, isSettled: true, leaseUntil: undefined });
    open.delete(post.dedupeKey);
    settled.set(post.dedupeKey, post);
  };
  return {
    finish,
    unsettled: () => [...open.values()],
    dropOf: (accountId) => {
      for (const post of open.values()) {
        if (post.accountId === accountId) open.delete(post.dedupeKey);
      }
    },
    enqueue: (delivery, at) => {
      const { dedupeKey, notBefore, target, payload } = delivery;
      const before = settled.get(dedupeKey);
      const isUntold =
        before !== undefined &&
        deliveryPolicies[before.kind].enqueuedAgain &&
        (before.state === "obsolete" || before.state === "unknown");
      if (open.has(dedupeKey) || (before !== undefined && !isUntold)) return false;
      const wanted = {
        target,
        payload,
        notBefore,
        line: lineOf(delivery),
        lineAt: notBefore,
        createdAt: at,
        state: "due" as const,
        isSettled: false,
        wasBlocked: false,
      };
      settled.delete(dedupeKey);
      const fresh = {
        ...delivery,
        ...wanted,
        nonce: nonceOf(dedupeKey),
        owner: "",
        leaseUntil: undefined,
        token: 0,
        attempts: 0,
        firstAttemptAt: undefined,
        firstAttemptToken: undefined,
      };
      open.set(dedupeKey, before === undefined ? fresh : Object.assign(before, wanted));
      return true;
    },
    claim: ({ owner, leaseMs, limit, now }, leaseNow) => {
      if (open.size === 0) return [];
      const heads = new Map<string, MemoryPost>();
      for (const post of open.values()) {
        const head = heads.get(post.line);
        if (head === undefined || inOrder(post, head) < 0) heads.set(post.line, post);
      }
      const claimable = [...heads.values()].filter(
        ({ state, lineAt, notBefore, leaseUntil }) =>
          isBy(lineAt, now) &&
          (state === "sending" ? isBy(leaseUntil, leaseNow) : isBy(notBefore, now)),
      );
      const taken = claimable.toSorted(inOrder).slice(0, limit);
      return taken.map((post) => {
        post.state = "sending";
        post.owner = owner;
        post.leaseUntil = leaseNow.add({ milliseconds: leaseMs });
        post.token++;
        post.attempts++;
        post.firstAttemptAt ??= leaseNow;
        post.firstAttemptToken ??= post.token;
        return claimedOf(post, leaseNow);
      });
    },
    settle: ({ dedupeKey, owner, token }, result) => {
      const post = open.get(dedupeKey);
      const held = post?.owner === owner && post.token === token && post.state === "sending";
      if (post === undefined || !held) return false;
      const isUntold = result.state === "obsolete" && result.unsent !== undefined;
      if (isUntold || ("untouched" in result && result.untouched)) forgetAttempt(post);
      const target = "target" in result ? result.target : undefined;
      if (target !== undefined) moveTo(post, target);
      if (result.state !== "due" && result.state !== "blocked") {
        finish(post, result.state);
        return true;
      }
      post.state = result.state;
      post.leaseUntil = undefined;
      post.notBefore = result.notBefore;
      if (result.state === "blocked") post.wasBlocked = true;
      return true;
    },
  };
};

const moveTo = (post: MemoryPost, target: DeliveryTarget): void => {
  post.target = target;
  const { pings: _, ...unpinged } = post.payload;
  if (target.kind === "person") post.payload = unpinged;
};

/** An attempt without a post leaves no trace; an earlier attempt stays on record. */
const forgetAttempt = (post: MemoryPost): void => {
  if (post.firstAttemptToken !== post.token) return;
  post.firstAttemptAt = undefined;
  post.firstAttemptToken = undefined;
};
