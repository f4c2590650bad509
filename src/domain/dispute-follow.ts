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

const EARLIEST = Temporal.Instant.from("0000-01-01T00:00:00Z");
/** Whatever says "never", such as the last moment of 9999 in a zone west of Greenwich, is no later. */
const LATEST = Temporal.Instant.from("9999-12-31T23:59:59.999Z");

const within = (instant: Temporal.Instant): Temporal.Instant => {
  if (Temporal.Instant.compare(instant, EARLIEST) < 0) return EARLIEST;
  return Temporal.Instant.compare(instant, LATEST) > 0 ? LATEST : instant;
};

/** PostgreSQL keeps no text with it. */
const withoutNul = <Text extends string>(text: Text): Text => text.replaceAll("\0", "") as Text;

/**
 * What a reading says, as it can be kept: whatever the service says of a dispute, its owner has to be told of it. Parts
 * of a millisecond, which are not kept, would make the deadline another one at each reading.
 */
export const keptFacts = (
  dispute: FollowedFacts,
): Pick<FollowedFacts, Exclude<keyof FollowedFacts, "infractionId">> => ({
  txid: withoutNul(dispute.txid),
  amount: dispute.amount,
  frozen: dispute.frozen,
  status: withoutNul(dispute.status),
  analysisStatus: withoutNul(dispute.analysisStatus),
  dueAt: within(dispute.dueAt).round({ smallestUnit: "millisecond", roundingMode: "trunc" }),
});

/**
 * What is kept of a dispute whose owner has just read it: nothing of it is news any more, so only what is still to come
 * is owed. No name, document or description is kept.
 */
export const followedDispute = (
  accountId: string,
  dispute: FollowedFacts,
  now: Temporal.Instant,
): NewWatchedDispute => {
  const { infractionId } = dispute;
  const facts = keptFacts(dispute);
  const { dueAt } = facts;
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
    ...facts,
    firstSeenAt: now,
    doneSteps,
    answeredByOwnerAt: undefined,
    snoozedUntil: undefined,
    readAt: now,
    closedAt: isOpenDispute(state) ? undefined : now,
  };
};
