import type { Dispute } from "./dispute.ts";
import { disputeState, isOpenDispute } from "./dispute-state.ts";

/** Whether a payment may be given back to its payer. */
export type RefundLock =
  | { readonly refused: false }
  | {
      readonly refused: true;
      readonly infractionId: string;
      /** `open`: the bank may still give it back. `returned`: it did, so that a refund would be a second one. */
      readonly why: "open" | "returned";
    };

type Contested = Pick<Dispute, "infractionId" | "status" | "analysisStatus" | "dueAt">;

/**
 * A payment is given back once at most: not by a refund while a dispute of it may still be decided, and not after one
 * was. A state that the document does not know counts as open. Source: product notes 3.
 * @param disputes all that are known of the payment's txid
 */
export const refundLock = (disputes: readonly Contested[], now: Temporal.Instant): RefundLock => {
  // Whatever the seller's answer says, accepted means that the value went to the payer.
  const returned = disputes.find(({ analysisStatus }) => analysisStatus === "accepted");
  const open = disputes.find((dispute) => isOpenDispute(disputeState(dispute, now)));
  const reason = returned ?? open;
  if (reason === undefined) return { refused: false };
  const why = returned === undefined ? "open" : "returned";
  return { refused: true, infractionId: reason.infractionId, why };
};
