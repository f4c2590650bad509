import type { Cents } from "../shared/money.ts";
import type { OpenEnum } from "./withdrawal.ts";

/** The sale that a payer contests. Source: service.md 2.5. */
export interface ContestedSale {
  readonly origin: OpenEnum<"api" | "esales">;
  readonly txid: string;
  readonly amount: Cents;
  readonly fee: Cents;
  readonly net: Cents;
  /** Of `api` only. */
  readonly status: string | undefined;
  /** Of `api` only. */
  readonly description: string | undefined;
  /** Of `esales` only. */
  readonly productName: string | undefined;
  /** Of `esales` only. */
  readonly buyer: string | undefined;
  readonly createdAt: Temporal.Instant;
}

/** One thing that the service says of a refund, by the service's own name for it; both as they came. */
export interface RefundFact {
  /** Empty when the refund is one word or figure. */
  readonly name: string;
  readonly value: string;
}

/** A payment that its payer contests (MED). Source: service.md 2.5. */
export interface Dispute {
  readonly infractionId: string;
  readonly txid: string;
  readonly amount: Cents;
  /** The net amount of the sale, not its amount. */
  readonly frozen: Cents;
  /** The seller's answer. */
  readonly status: OpenEnum<"pending" | "agreed" | "disagreed" | "canceled">;
  /** The bank's decision: `accepted` gives the money back to the payer. */
  readonly analysisStatus: OpenEnum<"pending" | "accepted" | "rejected">;
  readonly situation: OpenEnum<"FRAUDE" | "ERRO">;
  readonly description: string;
  readonly contestedAt: Temporal.Instant;
  /** Deadline of the seller's answer; the only one that counts. */
  readonly dueAt: Temporal.Instant;
  readonly answeredAt: Temporal.Instant | undefined;
  readonly answer: string | undefined;
  readonly payerName: string | undefined;
  /** Masked by the service: never an identity. */
  readonly payerTaxId: string | undefined;
  /** Undefined: none. Its fields are not documented, so that there may be none that can be told. */
  readonly refund: readonly RefundFact[] | undefined;
  readonly createdAt: Temporal.Instant;
  readonly resolvedAt: Temporal.Instant | undefined;
  /** Unknown for sales that the service cannot find or that went through special channels. */
  readonly sale: ContestedSale | undefined;
}

/** Counts and amounts over all disputes. Source: service.md 2.6. */
export interface DisputeSummary {
  readonly byStatus: {
    readonly pending: number;
    readonly agreed: number;
    readonly disagreed: number;
    readonly canceled: number;
    readonly total: number;
  };
  readonly byAnalysis: {
    readonly pending: number;
    readonly accepted: number;
    readonly rejected: number;
  };
  /** Already apart from the available balance: not to be subtracted again. */
  readonly frozen: Cents;
  readonly lost: Cents;
}

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

/** Whether a payment may be given back to its payer. */
type RefundLock =
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
