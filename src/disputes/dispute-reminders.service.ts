import type { DisputeWatch } from "./dispute-watch.store.ts";
import type {
  DisputeChange,
  ReminderAnswer,
  ReminderOutcome,
  WatchedDispute,
} from "./dispute-alert.ts";
import type { DisputeRef } from "./dispute-list.ts";
import { disputeState } from "./dispute.ts";
import { keptFacts, snoozeUntil } from "./dispute-watch.ts";
import { UserError } from "../shared/errors.ts";
import type { Asker } from "../accounts/asker.service.ts";
import { connectionsOfRef } from "./dispute-ref.service.ts";
import type { DisputeReading, DisputeReadingNeeds } from "./dispute-reading.service.ts";

interface DisputeReminderNeeds extends Pick<
  DisputeReadingNeeds,
  "apiKey" | "clock" | "ofOwner" | "ofWatch"
> {
  readonly watched: Pick<DisputeWatch, "find" | "step">;
  readonly open: DisputeReading["open"];
}

/** No `change`: the reminders stay as they are. */
type Decision = ReminderAnswer & { readonly change?: DisputeChange };

/** Concurrent changes by the watch are rarer than this. */
const MOST_TRIES = 5;

/**
 * Requests about reminders, by the account's owner alone.
 * @throws UserError not_your_dispute, dispute_not_found (each request)
 * @throws WalletError
 */
export const createDisputeReminders = (needs: DisputeReminderNeeds) => {
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
    decide: (kept: WatchedDispute, now: Temporal.Instant) => Decision,
  ): Promise<ReminderOutcome> => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const kept = await found(actor, ref);
      const now = clock.now();
      const state = disputeState(kept, now);
      if (state !== "needs_answer") return { kind: "nothing", state, watched: kept };
      const { change, ...decided } = decide(kept, now);
      const areOff = (await needs.ofWatch(kept.watchId))?.told.alerts === "off";
      const outcome = { ...decided, ...(areOff && { areAlertsOff: true as const }) };
      if (change === undefined) return { ...outcome, watched: kept };
      const watched = await needs.watched.step(kept, change, [], now);
      if (watched !== undefined) return { ...outcome, watched: { ...watched, dueAt: kept.dueAt } };
    }
    throw new Error("A dispute changed again and again");
  };

  return {
    /**
     * Stops reminders, because the owner answered in the gateway's panel. They resume 6 h before the deadline if the
     * service still awaits the answer.
     */
    mute: (actor: Asker, ref: DisputeRef) =>
      changed(actor, ref, (_, now) => ({ kind: "muted", change: { answeredByOwnerAt: now } })),
    /** Undoes `mute`. */
    resume: (actor: Asker, ref: DisputeRef) =>
      changed(actor, ref, () => ({ kind: "resumed", change: { answeredByOwnerAt: undefined } })),
    /** Pauses reminders for 6 h, but never past 6 h before the deadline. */
    snooze: (actor: Asker, ref: DisputeRef) =>
      changed(actor, ref, ({ answeredByOwnerAt, dueAt }, now) => {
        if (answeredByOwnerAt !== undefined) return { kind: "muted" };
        const until = snoozeUntil(dueAt, now);
        return until === undefined
          ? { kind: "too_late" }
          : { kind: "snoozed", until, change: { snoozedUntil: until } };
      }),
  };
};
