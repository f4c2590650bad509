import type { DisputeWatch } from "./dispute-watch.store.ts";
import type { ReminderOutcome, WatchedDispute, DisputeChange } from "./dispute-alert.ts";
import type { DisputeRef } from "./dispute-list.ts";
import { disputeState } from "./dispute.ts";
import { snoozeUntil } from "./dispute-watch.ts";
import { UserError } from "../shared/errors.ts";
import type { Asker } from "../accounts/asker.service.ts";
import { connectionOfRef, type DisputeReadingNeeds } from "./dispute-reading.service.ts";

/** Requests about reminders, by the account's owner alone. */
export interface DisputeReminders {
  /**
   * Stops reminders, because the owner answered in the gateway's panel. They resume 6 h before the deadline if the
   * service still awaits the answer.
   * @throws UserError not_your_dispute, dispute_not_found
   */
  readonly mute: (actor: Asker, ref: DisputeRef) => Promise<ReminderOutcome>;
  /** Undoes `mute`. @throws UserError not_your_dispute, dispute_not_found */
  readonly resume: (actor: Asker, ref: DisputeRef) => Promise<ReminderOutcome>;
  /**
   * Pauses reminders for 6 h, but never past 6 h before the deadline.
   * @throws UserError not_your_dispute, dispute_not_found
   */
  readonly snooze: (actor: Asker, ref: DisputeRef) => Promise<ReminderOutcome>;
}

interface DisputeReminderNeeds extends Pick<DisputeReadingNeeds, "clock" | "ofWatch" | "apiKey"> {
  readonly watched: Pick<DisputeWatch, "find" | "step">;
}

/** Concurrent changes by the watch are rarer than this. */
const MOST_TRIES = 5;

export const createDisputeReminders = (needs: DisputeReminderNeeds): DisputeReminders => {
  const { clock, watched } = needs;

  const found = async (actor: Asker, ref: DisputeRef): Promise<WatchedDispute> => {
    const { account } = await connectionOfRef(needs, actor, ref);
    const kept = await watched.find(account.watchId, ref.infractionId);
    if (kept === undefined) throw new UserError({ kind: "dispute_not_found" });
    return kept;
  };

  /** Changes a dispute that still awaits an answer; undefined: there is no reminder to change. */
  const changed = async (
    actor: Asker,
    ref: DisputeRef,
    change: (kept: WatchedDispute, now: Temporal.Instant) => DisputeChange,
  ): Promise<WatchedDispute | undefined> => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const kept = await found(actor, ref);
      const now = clock.now();
      if (disputeState(kept, now) !== "needs_answer") return undefined;
      const after = await watched.step(kept, change(kept, now), [], now);
      if (after !== undefined) return after;
    }
    throw new Error("A dispute changed again and again");
  };

  const outcomeOf = async (
    kind: "muted" | "resumed",
    after: WatchedDispute | undefined,
    actor: Asker,
    ref: DisputeRef,
  ): Promise<ReminderOutcome> =>
    after === undefined
      ? { kind: "nothing", watched: await found(actor, ref) }
      : { kind, watched: after };

  return {
    mute: async (actor, ref) => {
      const after = await changed(actor, ref, (_, now) => ({ answeredByOwnerAt: now }));
      return await outcomeOf("muted", after, actor, ref);
    },
    resume: async (actor, ref) => {
      const after = await changed(actor, ref, () => ({ answeredByOwnerAt: undefined }));
      return await outcomeOf("resumed", after, actor, ref);
    },
    snooze: async (actor, ref) => {
      const kept = await found(actor, ref);
      const now = clock.now();
      if (disputeState(kept, now) !== "needs_answer") return { kind: "nothing", watched: kept };
      if (kept.answeredByOwnerAt !== undefined) return { kind: "already_muted", watched: kept };
      const until = snoozeUntil(kept.dueAt, now);
      if (until === undefined) return { kind: "too_late", watched: kept };
      const after = await changed(actor, ref, () => ({ snoozedUntil: until }));
      if (after === undefined) return { kind: "nothing", watched: kept };
      // Another click muted it first.
      if (after.answeredByOwnerAt !== undefined) return { kind: "already_muted", watched: after };
      return { kind: "snoozed", watched: after, until };
    },
  };
};
