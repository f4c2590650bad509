import type { Dispute } from "./dispute.ts";
import type { AlertStep } from "./dispute-alert.ts";
import type { NewWatchedDispute } from "./dispute-stores.ts";
import { awaitsAnswer, disputeState, type DisputeState, isOpenDispute } from "./dispute-state.ts";
import { passedReminders } from "./dispute-steps.ts";

const END: Readonly<Partial<Record<DisputeState, AlertStep>>> = {
  won: "won",
  lost: "lost",
  cancelled: "cancelled",
};

/** What must be known of a dispute before it can be followed. */
export type FollowedFacts = Pick<
  Dispute,
  "infractionId" | "txid" | "amount" | "frozen" | "status" | "analysisStatus" | "dueAt"
>;

/**
 * What is kept of a dispute whose owner has just read it: nothing of it is news any more, so only what is still to come
 * is owed. No name, document or description is kept.
 */
export const followedDispute = (
  accountId: string,
  dispute: FollowedFacts,
  now: Temporal.Instant,
): NewWatchedDispute => {
  const { infractionId, txid, amount, frozen, status, analysisStatus, dueAt } = dispute;
  const state = disputeState(dispute, now);
  const end = END[state];
  const doneSteps: readonly AlertStep[] = [
    "new",
    ...passedReminders(dueAt, now),
    ...(Temporal.Instant.compare(now, dueAt) < 0 ? [] : (["overdue"] as const)),
    ...(awaitsAnswer(state) ? [] : (["answered"] as const)),
    ...(end === undefined ? [] : [end]),
  ];
  return {
    accountId,
    infractionId,
    txid,
    amount,
    frozen,
    status,
    analysisStatus,
    dueAt,
    firstSeenAt: now,
    doneSteps,
    answeredByOwnerAt: undefined,
    snoozedUntil: undefined,
    readAt: now,
    closedAt: isOpenDispute(state) ? undefined : now,
  };
};
