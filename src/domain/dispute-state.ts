import type { Dispute } from "./dispute.ts";

/** What one dispute means to the seller now: the service's two axes and the deadline in one. Source: product notes 2.7. */
export type DisputeState =
  | "needs_answer"
  /** No answer by the deadline: it may be accepted automatically. */
  | "overdue"
  | "defended"
  | "conceded"
  | "lost"
  | "won"
  | "cancelled"
  /** Values that the document does not know: shown as they came. */
  | "other";

/** @returns the state at `now` */
export const disputeState = (
  { status, analysisStatus, dueAt }: Pick<Dispute, "status" | "analysisStatus" | "dueAt">,
  now: Temporal.Instant,
): DisputeState => {
  if (status === "canceled") return "cancelled";
  if (analysisStatus === "accepted") return "lost";
  if (analysisStatus === "rejected") return "won";
  if (analysisStatus !== "pending") return "other";
  if (status === "pending") {
    return Temporal.Instant.compare(now, dueAt) < 0 ? "needs_answer" : "overdue";
  }
  if (status === "disagreed") return "defended";
  return status === "agreed" ? "conceded" : "other";
};

/** Whether the seller has not answered yet. */
export const awaitsAnswer = (state: DisputeState): boolean =>
  state === "needs_answer" || state === "overdue";

/** Whether the bank may still decide: a payment under it must not be refunded. */
export const isOpenDispute = (state: DisputeState): boolean =>
  state !== "lost" && state !== "won" && state !== "cancelled";
