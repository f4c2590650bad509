import {
  type ClaimedDelivery,
  type DeliveryPayload,
  type DeliveryTarget,
  type HistorySearch,
  type PostOutcome,
  referenceOf,
  type Settlement,
} from "../../domain/delivery.ts";
import {
  type AttemptOutcome,
  isLastNotice,
  isOnlySilence,
  nextStep,
  postedFrom,
  settlementOf,
} from "../../domain/settlement.ts";
import { type Clock, MINUTE } from "../../shared/time.ts";
import type { Logger } from "../../shared/log.ts";
import type { Metrics } from "../../shared/metrics.ts";
import type { OutboxStore } from "../../store/outbox.ts";
import type { SettlementHooks } from "./after-settlement.ts";

export interface DeliverNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Names this process in the leases. */
  readonly owner: string;
  readonly outbox: Pick<OutboxStore, "claim" | "settle">;
  readonly posting: Posting;
  readonly hooks: SettlementHooks;
  /** Asked right before every post. */
  readonly revalidate: Revalidate;
}

interface DeliveryRun {
  readonly stopping: AbortSignal;
  /** Rung when there may be more to claim. */
  readonly news: Signal;
  /** Told when a delivery may be attempted again. */
  readonly retryAt: (instant: Temporal.Instant) => void;
}

/**
 * Delivers until nothing can be claimed. One that hangs holds up nothing but its own line.
 * @throws when the outbox cannot be asked; what was claimed is delivered or left to its lease first.
 */
export type Deliver = (run: DeliveryRun) => Promise<void>;

/** Well within the time for which a nonce is trusted, so that a dead process's claim can still be repeated blindly. */
const LEASE_MS = MINUTE;
/** Posts under way at the same time, each to another target. */
const CONCURRENCY = 32;

export const createDeliver = (needs: DeliverNeeds): Deliver => {
  const { clock, log, metrics, owner, outbox, posting, hooks, revalidate } = needs;

  const tried = async (
    claim: ClaimedDelivery,
    leaseEnd: Temporal.Instant,
  ): Promise<AttemptOutcome> => {
    try {
      return await attempt(claim, posting, clock, leaseEnd, revalidate);
    } catch (error) {
      // Whether it was posted before it threw is not known.
      log.error(
        { delivery: claim.dedupeKey, err: error },
        "an attempt to post failed unexpectedly",
      );
      return { kind: "unclear", reason: "unexpected" };
    }
  };

  const deliver = async (
    claim: ClaimedDelivery,
    leaseEnd: Temporal.Instant,
  ): Promise<Settlement | undefined> => {
    const delivery = claim.dedupeKey;
    try {
      const outcome = await tried(claim, leaseEnd);
      const settlement = settlementOf(claim, outcome, clock.now());
      await hooks.onSettling(claim, settlement);
      const ours = await outbox.settle(claim, settlement);
      if (ours) await hooks.onSettled(claim, settlement);
      metrics.delivery(claim.kind, ours ? settlement.state : "lease_lost");
      const facts = { delivery, attempt: claim.attempts, outcome: outcome.kind, ours };
      log[settlement.state === "dead" ? "error" : "info"]({ ...facts, settlement }, "delivery");
      return settlement;
    } catch (error) {
      // It stays claimed until its lease ends; then the nonce or the history tell whether it was posted.
      log.error({ delivery, err: error }, "a delivery could not be settled");
      return undefined;
    }
  };

  return async ({ stopping, news, retryAt }) => {
    const underWay = new Set<Promise<void>>();
    const begin = (claim: ClaimedDelivery, leaseEnd: Temporal.Instant): void => {
      const work = deliver(claim, leaseEnd).then((settlement) => {
        underWay.delete(work);
        if (settlement?.state === "due") retryAt(settlement.notBefore);
      });
      underWay.add(work);
    };
    const claimAndBegin = async (): Promise<void> => {
      const limit = CONCURRENCY - underWay.size;
      if (limit === 0) return;
      // By our own clock, from before the claim: it ends no later than the database's own.
      const now = clock.now();
      const leaseEnd = now.add({ milliseconds: LEASE_MS });
      const claims = await outbox.claim({ owner, leaseMs: LEASE_MS, limit, now });
      for (const claim of claims) begin(claim, leaseEnd);
    };
    try {
      while (!stopping.aborted) {
        // Before the claim, so that nothing that comes while it is made goes unnoticed.
        const more = news.next();
        await claimAndBegin();
        if (underWay.size === 0) return;
        await Promise.race([...underWay, more]);
      }
    } finally {
      await Promise.all(underWay);
    }
  };
};

/** What Discord is asked to do. None of these throws. */
export interface Posting {
  /** At most one request that may post. */
  readonly post: (
    channelId: string,
    body: DeliveryPayload & {
      readonly nonce: string;
      readonly enforce_nonce: true;
    },
  ) => Promise<PostOutcome>;
  readonly openDirectMessage: (
    userId: string,
  ) => Promise<{ readonly channelId: string } | PostOutcome>;
  readonly findPosted: (
    channelId: string,
    search: {
      readonly after: Temporal.Instant;
      readonly nonce: string;
      readonly reference: string;
    },
  ) => Promise<HistorySearch>;
}

/** What is to be done with a delivery right before a post. */
export type Verdict =
  | { readonly kind: "holds" }
  | Extract<AttemptOutcome, { readonly kind: "waits" | "moved" | "untrue" }>;

/** Whether what is about to be posted is still so. Never rejects. */
export type Revalidate = (
  claim: Pick<ClaimedDelivery, "accountId" | "attempts" | "dedupeKey" | "kind" | "target">,
) => Promise<Verdict>;

/** Discord's clock, which dates its messages, may be this far from ours. */
const CLOCK_TOLERANCE_MS = 15 * MINUTE;

/**
 * One attempt at a claimed delivery: at most one request that may post, and only when no earlier one did. Nothing is
 * posted after `leaseEnd`: by then another process may have posted it, longer ago than Discord keeps a nonce.
 */
const attempt = async (
  claim: ClaimedDelivery,
  posting: Posting,
  clock: Clock,
  leaseEnd: Temporal.Instant,
  revalidate: Revalidate,
): Promise<AttemptOutcome> => {
  const { dedupeKey, nonce, payload, target } = claim;
  const step = nextStep(claim, clock.now());
  if (step === "expire") return { kind: "expired" };
  const channel = await channelOf(target, posting);
  if ("kind" in channel) return channel;
  const find = (): Promise<HistorySearch> => {
    const after = postedFrom(claim).subtract({ milliseconds: CLOCK_TOLERANCE_MS });
    const reference = referenceOf(dedupeKey);
    return posting.findPosted(channel.channelId, { after, nonce, reference });
  };
  if (step === "search") {
    const search = await find();
    // Where nobody lets us read, a repeat that stays unclear is marked already, and has nothing after it.
    const isBlind =
      search.kind === "unreadable" &&
      search.lasting &&
      (isLastNotice(claim) || isOnlySilence(claim));
    if (search.kind !== "absent" && !isBlind) return search;
  }
  // Also before a repeat: whoever claimed it first may have died before it asked.
  const judged = await revalidate(claim);
  if (judged.kind !== "holds") {
    const search: HistorySearch = isBlindRepeat(claim, step) ? await find() : { kind: "absent" };
    const isProof = search.kind !== "unreadable" || !search.lasting;
    return search.kind !== "absent" && isProof ? search : judged;
  }
  if (Temporal.Instant.compare(clock.now(), leaseEnd) >= 0)
    return { kind: "unopened", reason: "lease_over" };
  return posting.post(channel.channelId, { ...payload, nonce, enforce_nonce: true });
};

/** An earlier attempt may have posted it, which the nonce would have kept from being posted twice. */
const isBlindRepeat = (
  { firstAttemptAt, claimedAt }: ClaimedDelivery,
  step: ReturnType<typeof nextStep>,
): boolean => step === "post" && Temporal.Instant.compare(firstAttemptAt, claimedAt) < 0;

const channelOf = async (
  target: DeliveryTarget,
  posting: Posting,
): Promise<{ readonly channelId: string } | AttemptOutcome> => {
  if (target.kind === "channel") return { channelId: target.channelId };
  const opened = await posting.openDirectMessage(target.userId);
  return "kind" in opened && opened.kind === "unclear"
    ? { kind: "unopened", reason: opened.reason }
    : opened;
};

/** Rung by whoever has news, for those who wait for some. */
export interface Signal {
  readonly ring: () => void;
  /** The next ring from now on. */
  readonly next: () => Promise<void>;
}

export const createSignal = (): Signal => {
  let rung = Promise.withResolvers<void>();
  return {
    ring: () => {
      rung.resolve();
      rung = Promise.withResolvers<void>();
    },
    next: () => rung.promise,
  };
};
