import type { DisputeWatch } from "./dispute-watch.store.ts";
import type { ReminderOutcome, WatchedDispute, DisputeChange } from "./dispute-alert.ts";
import type { DisputeRef } from "./dispute-list.ts";
import { disputeState } from "./dispute.ts";
import { keptFacts, snoozeUntil } from "./dispute-watch.ts";
import { UserError } from "../shared/errors.ts";
import type { Asker } from "../accounts/asker.service.ts";
import { connectionsOfRef } from "./dispute-ref.service.ts";
import type { DisputeReading, DisputeReadingNeeds } from "./dispute-reading.service.ts";

/** Requests about reminders, by the account's owner alone. */
export interface DisputeReminders {
  /**
   * Stops reminders, because the owner answered in the gateway's panel. They resume 6 h before the deadline if the
   * service still awaits the answer.
   * @throws UserError not_your_dispute, dispute_not_found
   * @throws WalletError
   */
  readonly mute: (actor: Asker, ref: DisputeRef) => Promise<ReminderOutcome>;
  /**
   * Undoes `mute`.
   * @throws UserError not_your_dispute, dispute_not_found
   * @throws WalletError
   */
  readonly resume: (actor: Asker, ref: DisputeRef) => Promise<ReminderOutcome>;
  /**
   * Pauses reminders for 6 h, but never past 6 h before the deadline.
   * @throws UserError not_your_dispute, dispute_not_found
   * @throws WalletError
   */
  readonly snooze: (actor: Asker, ref: DisputeRef) => Promise<ReminderOutcome>;
}

interface DisputeReminderNeeds extends Pick<
  DisputeReadingNeeds,
  "apiKey" | "clock" | "ofOwner" | "ofWatch"
> {
  readonly watched: Pick<DisputeWatch, "find" | "step">;
  readonly open: DisputeReading["open"];
}

type Unchanged = Extract<ReminderOutcome, { kind: "nothing" }>;

/** Concurrent changes by the watch are rarer than this. */
const MOST_TRIES = 5;

export const createDisputeReminders = (needs: DisputeReminderNeeds): DisputeReminders => {
  const { clock } = needs;

  const found = async (actor: Asker, ref: DisputeRef): Promise<WatchedDispute> => {
    for (const { account } of await connectionsOfRef(needs, actor, ref)) {
      const kept = await needs.watched.find(account.watchId, ref.infractionId);
      const told = (await needs.ofWatch(account.watchId))?.told;
      if (kept !== undefined && told?.alerts !== "off") return kept;
    }
    // The watch of a key that was just connected has not been polled yet, and one with alerts off is not polled. The facts
    // are not stored: the watch would take a change that it has not told yet for a known one.
    const { dispute, watched } = await needs.open(actor, ref);
    if (watched === undefined) throw new UserError({ kind: "dispute_not_found" });
    const { status, analysisStatus, dueAt } = keptFacts(dispute);
    return { ...watched, status, analysisStatus, dueAt };
  };

  /** Changes a dispute that still awaits an answer; of another there is no reminder to change. */
  const changed = async (
    actor: Asker,
    ref: DisputeRef,
    change: (kept: WatchedDispute, now: Temporal.Instant) => DisputeChange,
  ): Promise<Unchanged | { readonly kind: "changed"; readonly watched: WatchedDispute }> => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const kept = await found(actor, ref);
      const now = clock.now();
      const state = disputeState(kept, now);
      if (state !== "needs_answer") return { kind: "nothing", state, watched: kept };
      const watched = await needs.watched.step(kept, change(kept, now), [], now);
      if (watched === undefined) continue;
      return { kind: "changed", watched: { ...watched, dueAt: kept.dueAt } };
    }
    throw new Error("A dispute changed again and again");
  };

  return {
    mute: async (actor, ref) => {
      const after = await changed(actor, ref, (_, now) => ({ answeredByOwnerAt: now }));
      return after.kind === "nothing" ? after : { kind: "muted", watched: after.watched };
    },
    resume: async (actor, ref) => {
      const after = await changed(actor, ref, () => ({ answeredByOwnerAt: undefined }));
      return after.kind === "nothing" ? after : { kind: "resumed", watched: after.watched };
    },
    snooze: async (actor, ref) => {
      const kept = await found(actor, ref);
      const now = clock.now();
      const state = disputeState(kept, now);
      if (state !== "needs_answer") return { kind: "nothing", state, watched: kept };
      if (kept.answeredByOwnerAt !== undefined) return { kind: "already_muted", watched: kept };
      const until = snoozeUntil(kept.dueAt, now);
      if (until === undefined) return { kind: "too_late", watched: kept };
      const after = await changed(actor, ref, () => ({ snoozedUntil: until }));
      if (after.kind === "nothing") return after;
      const { watched } = after;
      // Another click muted it first.
      if (watched.answeredByOwnerAt !== undefined) return { kind: "already_muted", watched };
      return { kind: "snoozed", watched, until };
    },
  };
};
