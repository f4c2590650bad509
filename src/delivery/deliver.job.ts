import { setImmediate } from "node:timers/promises";
import {
  type ClaimedDelivery,
  type DeliveryPayload,
  type DeliveryTarget,
  type HistorySearch,
  loggedDelivery,
  type Posting,
  referenceOf,
  type Settlement,
} from "./delivery.ts";
import { type DeliveryKind } from "./delivery-policies.ts";
import {
  type AttemptOutcome,
  isRepeat,
  isOnlySilence,
  isPostedOnce,
  isToldInCrowd,
  mayBePosted,
  nextStep,
  NONCE_TRUST_MS,
  postedSpans,
  REFUSED_READER_MS,
  settlementOf,
} from "./settlement.ts";
import { type Clock, MINUTE } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import type { Metrics } from "../shared/metrics.ts";
import type { OutboxStore } from "./outbox.store.ts";

export interface DeliverNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Name of this process in the leases. */
  readonly owner: string;
  readonly outbox: Pick<OutboxStore, "claim" | "settle">;
  readonly posting: Posting;
  /** By kind of delivery; undefined: no work follows. */
  readonly hooks: Partial<Record<DeliveryKind, SettlementHooks | undefined>>;
  /** Called right before every post. */
  readonly revalidate: Revalidate;
}

/** Follow-up work of a settled delivery. A crash at any point loses no work for good. */
export interface SettlementHooks {
  /**
   * Words of a delivery, right before its post; `absent` are accounts whose owners have left the server. Undefined: it
   * may not be posted. The same delivery keeps its nonce and its reference, however it is worded.
   */
  readonly payloadOf?: (
    claim: Pick<ClaimedDelivery, "dedupeKey" | "enqueuedAt" | "lostLives" | "offerId" | "payload">,
    absent: readonly string[],
  ) => DeliveryPayload | undefined;
  /** Runs before the settlement is saved, and again after a crash, so it must be idempotent. */
  readonly onSettling?: (claim: ClaimedDelivery, settlement: Settlement) => Promise<void>;
  /** Runs after the settlement is saved. After a crash, the next probe of the channel repeats it. */
  readonly onSettled?: (claim: ClaimedDelivery, settlement: Settlement) => Promise<void>;
}

interface DeliveryRun {
  readonly stopping: AbortSignal;
  /** Rings when there may be more to claim. */
  readonly news: Signal;
  /** Called with the instant of a delivery's next attempt. */
  readonly retryAt: (instant: Temporal.Instant) => void;
}

/**
 * Delivers until the outbox has no more due deliveries. A hanging delivery blocks only its own queue.
 * @throws when the outbox cannot be read, after all claimed deliveries were settled or left to their leases
 */
export type Deliver = (run: DeliveryRun) => Promise<void>;

/** Much shorter than the life of a nonce, so that another process can safely repeat the post of a dead process. */
const LEASE_MS = MINUTE;
/** Posts at the same time, each to another target. */
const CONCURRENCY = 36;
/** Of these, places for alerts and messages about money. */
const RESERVED = 4;

/** An operator looks for posts that were lost, or may have been. */
const LEVELS: Partial<Record<Settlement["state"], "error" | "warn">> = {
  dead: "error",
  unknown: "warn",
};

export const createDeliver = (needs: DeliverNeeds): Deliver => {
  const { clock, log, metrics, owner, outbox, posting, hooks, revalidate } = needs;
  const closed = createClosedReaders();

  const tried = async (
    claim: ClaimedDelivery,
    leaseEnd: Temporal.Instant,
  ): Promise<AttemptOutcome> => {
    try {
      const known = closed.outcomeOf(claim, clock.now());
      if (known !== undefined) return known;
      const payloadOf = hooks[claim.kind]?.payloadOf ?? (({ payload }) => payload);
      const needed = { posting, clock, revalidate, payloadOf };
      const outcome = await attempt(claim, needed, leaseEnd);
      closed.note(claim, outcome, clock.now());
      return outcome;
    } catch (error) {
      // The post may have happened before the error.
      log.error({ ...loggedDelivery(claim), err: error }, "an attempt to post failed unexpectedly");
      return { kind: "unclear", reason: "unexpected" };
    }
  };

  const deliver = async (
    claim: ClaimedDelivery,
    leaseEnd: Temporal.Instant,
  ): Promise<Settlement | undefined> => {
    try {
      const outcome = await tried(claim, leaseEnd);
      const settlement = settlementOf(claim, outcome, clock.now());
      await hooks[claim.kind]?.onSettling?.(claim, settlement);
      const ours = await outbox.settle(claim, settlement);
      if (ours) await hooks[claim.kind]?.onSettled?.(claim, settlement);
      metrics.delivery(claim.kind, ours ? settlement.state : "lease_lost");
      const { state } = settlement;
      const error = "error" in settlement ? settlement.error : undefined;
      const notBefore = "notBefore" in settlement ? settlement.notBefore.toString() : undefined;
      const facts = { attempt: claim.attempts, outcome: outcome.kind, ours };
      const result = { ...loggedDelivery(claim), ...facts, state, error, notBefore };
      log[LEVELS[state] ?? "info"](result, "delivery");
      return settlement;
    } catch (error) {
      // The delivery stays claimed until its lease ends; then the nonce or the history shows whether it was posted.
      log.error({ ...loggedDelivery(claim), err: error }, "a delivery could not be settled");
      return undefined;
    }
  };

  return async ({ stopping, news, retryAt }) => {
    const underWay = new Map<string, Promise<void>>();
    const begin = (claim: ClaimedDelivery, leaseEnd: Temporal.Instant): void => {
      const work = deliver(claim, leaseEnd).then((settlement) => {
        underWay.delete(claim.dedupeKey);
        if (settlement?.state === "due") retryAt(settlement.notBefore);
      });
      underWay.set(claim.dedupeKey, work);
    };
    const claimAndBegin = async (): Promise<number> => {
      const limit = CONCURRENCY - underWay.size;
      if (limit === 0) return 0;
      // Taken from our clock before the claim: it ends no later than the lease in the database.
      const now = clock.now();
      const leaseEnd = now.add({ milliseconds: LEASE_MS });
      // An attempt may outlast its lease: a copy of it would take another place and do the same once more.
      const except = [...underWay.keys()];
      const claims = await outbox.claim({
        owner,
        leaseMs: LEASE_MS,
        limit,
        reserved: RESERVED,
        now,
        except,
      });
      for (const claim of claims) {
        begin(claim, leaseEnd);
        // Wording a post and asking SQLite leave no turn to the event loop.
        await setImmediate();
      }
      return claims.length;
    };
    try {
      while (!stopping.aborted) {
        // Taken before the claim, so that a delivery enqueued during the claim is noticed.
        const more = news.next();
        // A post that ends during the claim frees its line too late for it.
        const wasIdle = underWay.size === 0;
        const begun = await claimAndBegin();
        if (wasIdle && begun === 0) return;
        if (underWay.size === 0) continue;
        await Promise.race([...underWay.values(), more]);
      }
    } finally {
      await Promise.all(underWay.values());
    }
  };
};

/**
 * People who refused a message in the last ten minutes. A refusal answers for all notices to the person that were
 * enqueued before it; later ones wait for ten minutes, or until a message of another kind arrives. Who accepts no
 * messages could otherwise press buttons that send one until all posts pause. An offered key's admin waits for the
 * answer.
 */
const createClosedReaders = () => {
  /** Oldest first. */
  const refusals = new Map<string, { readonly at: Temporal.Instant; readonly code: number }>();
  const leftMs = (at: Temporal.Instant, now: Temporal.Instant): number =>
    REFUSED_READER_MS - now.since(at).total("milliseconds");
  return {
    note: ({ target }: ClaimedDelivery, outcome: AttemptOutcome, now: Temporal.Instant): void => {
      if (target.kind !== "person") return;
      if (outcome.kind === "posted") refusals.delete(target.userId);
      if (outcome.kind !== "unreachable_person") return;
      refusals.delete(target.userId);
      refusals.set(target.userId, { at: now, code: outcome.code });
      for (const [userId, { at }] of refusals) {
        if (leftMs(at, now) > 0) break;
        refusals.delete(userId);
      }
    },
    /** The outcome of a notice without a request; undefined where one is due. */
    outcomeOf: (claim: ClaimedDelivery, now: Temporal.Instant): AttemptOutcome | undefined => {
      const { kind, target, enqueuedAt, offerId } = claim;
      const isNotice = kind === "sale_notice" || (kind === "notice" && offerId === undefined);
      if (!isNotice || target.kind !== "person" || mayBePosted(claim)) return undefined;
      const refusal = refusals.get(target.userId);
      if (refusal === undefined) return undefined;
      const left = leftMs(refusal.at, now);
      // More is left after the clock was set back.
      if (left <= 0 || left > REFUSED_READER_MS) return undefined;
      return Temporal.Instant.compare(enqueuedAt, refusal.at) <= 0
        ? { kind: "unreachable_person", code: refusal.code }
        : { kind: "waits", until: now.add({ milliseconds: left }) };
    },
  };
};

/** The decision about a delivery right before its post. */
export type Verdict =
  /** `absent`: accounts of a server's report whose owners have left the server. `payload`: an alert in the words of now. */
  | {
      readonly kind: "holds";
      readonly absent?: readonly string[];
      readonly payload?: DeliveryPayload;
    }
  | Extract<AttemptOutcome, { readonly kind: "waits" | "moved" | "untrue" }>;

/** Checks that a delivery is still true. Never rejects. */
export type Revalidate = (claim: ClaimedDelivery) => Promise<Verdict>;

/**
 * One attempt at a claimed delivery: at most one request that may post, and only if no earlier attempt posted. Never
 * posts after `leaseEnd`: by then another process may have posted it, longer ago than Discord keeps a nonce.
 */
const attempt = async (
  claim: ClaimedDelivery,
  {
    posting,
    clock,
    revalidate,
    payloadOf,
  }: Pick<DeliverNeeds, "clock" | "posting" | "revalidate"> &
    Required<Pick<SettlementHooks, "payloadOf">>,
  leaseEnd: Temporal.Instant,
): Promise<AttemptOutcome> => {
  const { dedupeKey, nonce, target } = claim;
  const step = nextStep(claim, clock.now());
  if (step === "expire" && !mayBePosted(claim)) return { kind: "expired" };
  const channel = await channelOf(target, posting);
  if ("kind" in channel) return channel;
  const find = async (): Promise<HistorySearch> => {
    const reference = referenceOf(dedupeKey);
    for (const span of postedSpans(claim)) {
      const search = await posting.findPosted(channel.channelId, { ...span, nonce, reference });
      const isAbsent =
        search.kind === "absent" || (search.kind === "too_long" && isToldInCrowd(claim, span));
      if (!isAbsent) return search;
    }
    return { kind: "absent" };
  };
  if (step === "expire") {
    // A post whose attempt was not settled is in the channel: a charge's card there has to show its end, and its seller
    // learns that it may be there.
    const search = await find();
    const isOver =
      search.kind === "absent" || (isLastingDoubt(search) && claim.payload.charge === undefined);
    return isOver ? { kind: "expired" } : search;
  }
  if (step === "search") {
    const search = await find();
    // If the history cannot tell, the bot posts anyway in two cases: the repeat of an alert, which is already
    // marked and the last one; and a delivery of which only a gap in the records suggests an earlier post.
    const isBlind = isLastingDoubt(search) && (isRepeat(claim) || isOnlySilence(claim));
    if (search.kind !== "absent" && !isBlind) {
      // A lost channel that was replaced need not come back.
      const isLastLook = isRefused(search) && isPostedOnce(claim);
      const isReplaced = isLastLook && (await revalidate(claim)).kind === "moved";
      return isReplaced ? { kind: "left_behind" } : search;
    }
  }
  // Also before a repeat: the process that claimed it first may have died before this check.
  const verdict = await revalidate(claim);
  const payload =
    verdict.kind === "holds"
      ? (verdict.payload ?? payloadOf(claim, verdict.absent ?? []))
      : undefined;
  const isMoved = verdict.kind === "moved" && isPostedOnce(claim);
  const isTextGone = verdict.kind === "holds" && payload === undefined;
  // A card that is in the channel has to show the end of its charge.
  const isEndedCard = verdict.kind === "untrue" && claim.payload.charge !== undefined;
  // An earlier attempt may have posted it, so that only the nonce would prevent a duplicate.
  const isUncertain = step === "post" && mayBePosted(claim);
  /** Discord may still be posting the message of an earlier attempt: a search tells it only later. */
  const wait = (): AttemptOutcome => ({
    kind: "waits",
    until: clock.now().add({ milliseconds: NONCE_TRUST_MS }),
  });
  if ((isMoved || isTextGone || isEndedCard) && isUncertain) return wait();
  if (verdict.kind !== "holds" || payload === undefined) {
    if (isUncertain) {
      const search = await find();
      if (search.kind === "absent" && verdict.kind === "untrue") return wait();
      if (search.kind !== "absent" && !isLastingDoubt(search)) return search;
    }
    return verdict.kind === "holds" ? { kind: "untrue", unsent: undefined } : verdict;
  }
  const isInTime = (): boolean => {
    const leftMs = leaseEnd.epochMilliseconds - clock.now().epochMilliseconds;
    // More is left after the clock was set back: then the lease counts as over here, as it does in the outbox.
    return leftMs > 0 && leftMs <= LEASE_MS;
  };
  if (!isInTime()) return { kind: "unopened", reason: "lease_over" };
  const body = { ...payload, nonce, enforce_nonce: true } as const;
  const outcome = await posting.post(channel.channelId, body, isInTime);
  if (outcome.kind !== "rejected") return outcome;
  // Its channel may have been replaced meanwhile: in the new one it was not tried.
  const since = await revalidate(claim);
  if (since.kind !== "moved") return outcome;
  return isUncertain && isPostedOnce(claim) ? wait() : since;
};

/** Whether the bot may not read the history. */
const isRefused = (search: HistorySearch): boolean =>
  search.kind === "unreadable" && search.lasting;

/** Whether a later search would prove no more. */
const isLastingDoubt = (search: HistorySearch): boolean =>
  search.kind === "too_long" || isRefused(search);

/** The channel of a target, or why that of a person cannot be opened. */
export const channelOf = async (
  target: DeliveryTarget,
  { openDirectMessage }: Pick<Posting, "openDirectMessage">,
): ReturnType<Posting["openDirectMessage"]> =>
  target.kind === "channel"
    ? { channelId: target.channelId }
    : await openDirectMessage(target.userId);

/** Wakes all callers that wait on `next()`. */
export interface Signal {
  readonly ring: () => void;
  /** Resolves at the next ring. */
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
