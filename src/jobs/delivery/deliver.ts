import type { ClaimedDelivery, Settlement } from "../../domain/delivery.ts";
import { type AttemptOutcome, settlementOf } from "../../domain/settlement.ts";
import { type Clock, MINUTE } from "../../shared/time.ts";
import type { Logger } from "../../shared/log.ts";
import type { Metrics } from "../../shared/metrics.ts";
import type { OutboxStore } from "../../store/outbox.ts";
import { attempt, type Posting, type StillTrue } from "./attempt.ts";
import type { Aftermath } from "./aftermath.ts";
import type { Bell } from "../bell.ts";

export interface DeliverNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Names this process in the leases. */
  readonly owner: string;
  readonly outbox: Pick<OutboxStore, "claim" | "settle">;
  readonly posting: Posting;
  readonly aftermath: Aftermath;
  /** Asked right before every post. */
  readonly stillTrue: StillTrue;
}

export interface DeliveryRun {
  readonly stopping: AbortSignal;
  /** Rung when there may be more to claim. */
  readonly news: Bell;
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
const LANES = 32;

export const createDeliver = (needs: DeliverNeeds): Deliver => {
  const { clock, log, metrics, owner, outbox, posting, aftermath, stillTrue } = needs;

  const tried = async (
    claim: ClaimedDelivery,
    leaseEnd: Temporal.Instant,
  ): Promise<AttemptOutcome> => {
    try {
      return await attempt(claim, posting, clock, leaseEnd, stillTrue);
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
      await aftermath.before(claim, settlement);
      const ours = await outbox.settle(claim, settlement);
      if (ours) await aftermath.after(claim, settlement);
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
      const limit = LANES - underWay.size;
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
