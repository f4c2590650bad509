import { isUnanswered, isUndecided, type Med } from "../wallet/meds.ts";
import type { PageMed } from "./page-view.ts";

const MEDS_SHOWN = 6;

/** Those that can still change before the rest, each group newest first. */
export const medView = (newestFirst: readonly Med[], now: Temporal.Instant): readonly PageMed[] =>
  newestFirst
    .toSorted((a, b) => Number(isUndecided(b)) - Number(isUndecided(a)))
    .slice(0, MEDS_SHOWN)
    .map((med) => ({
      infractionId: med.infractionId,
      amount: med.amountCents / 100,
      state: stateOf(med, now),
      dueAt: med.dueAt.toString(),
      canAnswer: isUnanswered(med),
      canDecide: isUndecided(med),
    }));

const stateOf = (med: Med, now: Temporal.Instant): PageMed["state"] => {
  if (!isUndecided(med)) return med.analysisStatus === "pending" ? "canceled" : med.analysisStatus;
  const passed = Temporal.Instant.compare(med.dueAt, now) <= 0;
  return med.status === "pending" && passed ? "overdue" : med.status;
};
