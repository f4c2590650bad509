import type { AlertSubject, WatchedDispute } from "./dispute-alert.ts";
import { disputeState } from "./dispute-state.ts";
import { isReminder, passedReminders } from "./dispute-steps.ts";
import { putOffUntil } from "./dispute-watch.ts";

/** Whether an alert that was owed is to be posted now. */
export type Judgement =
  | { readonly kind: "holds" }
  /** Its owner put reminders off: it is judged again then. */
  | { readonly kind: "waits"; readonly until: Temporal.Instant }
  | { readonly kind: "untrue" };

type Judged = Pick<
  WatchedDispute,
  "status" | "analysisStatus" | "dueAt" | "answeredByOwnerAt" | "snoozedUntil"
>;

const isTrue = (
  { step, dueAt: told }: Pick<AlertSubject, "step" | "dueAt">,
  watched: Judged,
  now: Temporal.Instant,
): boolean => {
  const { dueAt, answeredByOwnerAt } = watched;
  if (told !== undefined && told.epochMilliseconds !== dueAt.epochMilliseconds) return false;
  const state = disputeState(watched, now);
  const awaits = state === "needs_answer" && answeredByOwnerAt === undefined;
  if (step === "new") return awaits || state === "other";
  if (step === "overdue") return state === "overdue";
  if (step === "answered") return state === "defended" || state === "conceded";
  // What is decided stays so.
  if (!isReminder(step)) return true;
  return awaits && passedReminders(dueAt, now).at(-1) === step;
};

/** Judges an alert by what is known of its dispute now. */
export const judgeAlert = (
  alert: Pick<AlertSubject, "step" | "dueAt">,
  watched: Judged,
  now: Temporal.Instant,
): Judgement => {
  if (!isTrue(alert, watched, now)) return { kind: "untrue" };
  const until = putOffUntil(watched, now);
  const mayWait = alert.step === "new" || isReminder(alert.step);
  return mayWait && until !== undefined ? { kind: "waits", until } : { kind: "holds" };
};
