import type { Cents } from "../shared/money.ts";
import type { OpenEnum } from "../withdrawals/withdrawal.ts";

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

/** A field of the service's undocumented `refund`, name and value unchanged. */
export interface RefundFact {
  /** Empty when `refund` is a single word or number. */
  readonly name: string;
  readonly value: string;
}

/** A payment that its payer contests (MED). Source: service.md 2.5. */
export interface Dispute {
  readonly infractionId: string;
  readonly txid: string;
  readonly amount: Cents;
  /** The sale's net amount. */
  readonly frozen: Cents;
  /** The seller's answer. */
  readonly status: OpenEnum<"pending" | "agreed" | "disagreed" | "canceled">;
  /** The bank's decision: `accepted` gives the money back to the payer. */
  readonly analysisStatus: OpenEnum<"pending" | "accepted" | "rejected">;
  readonly situation: OpenEnum<"FRAUDE" | "ERRO">;
  readonly description: string;
  readonly contestedAt: Temporal.Instant;
  /** Deadline of the seller's answer. */
  readonly dueAt: Temporal.Instant;
  readonly answeredAt: Temporal.Instant | undefined;
  readonly answer: string | undefined;
  readonly payerName: string | undefined;
  /** Masked by the service, so no proof of identity. */
  readonly payerTaxId: string | undefined;
  /** Undefined: no refund. May be empty, because the fields are undocumented. */
  readonly refund: readonly RefundFact[] | undefined;
  readonly createdAt: Temporal.Instant;
  readonly resolvedAt: Temporal.Instant | undefined;
  /** Undefined for sales that the service cannot find or that used special channels. */
  readonly sale: ContestedSale | undefined;
  /** The sale's own, also where the rest of the sale is unreadable. */
  readonly saleTxid: string | undefined;
}

/** The txids that may name the contested payment: the document does not say that the sale's is the dispute's. */
export const paymentTxids = ({
  txid,
  saleTxid,
}: Pick<Dispute, "txid" | "saleTxid">): readonly string[] => [
  txid,
  ...(saleTxid === undefined ? [] : [saleTxid]),
];

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
  /** Not part of the available balance: never subtract it again. */
  readonly frozen: Cents;
  readonly lost: Cents;
}

/** State of a dispute for the seller: the service's two axes and the deadline in one. Source: service.md 2.5, 3.3. */
export type DisputeState =
  | "needs_answer"
  /** No answer by the deadline: the bank may accept the dispute automatically. */
  | "overdue"
  | "defended"
  | "conceded"
  | "lost"
  | "won"
  | "cancelled"
  /** Undocumented values, shown unchanged. */
  | "other";

/** Whether a dispute is no contest any more. The bank may accept a cancelled one, which is then lost. */
export const isCancelled = ({
  status,
  analysisStatus,
}: Readonly<Record<"status" | "analysisStatus", string | undefined>>): boolean =>
  status === "canceled" && analysisStatus !== "accepted";

export const disputeState = (
  { status, analysisStatus, dueAt }: Pick<Dispute, "status" | "analysisStatus" | "dueAt">,
  now: Temporal.Instant,
): DisputeState => {
  // `accepted` returns the payment to the payer, whichever answer the seller gave.
  if (analysisStatus === "accepted") return "lost";
  if (isCancelled({ status, analysisStatus })) return "cancelled";
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

/** Whether an answer may still be given; an undocumented word leaves that open. */
export const mayBeAnswered = (state: DisputeState): state is "needs_answer" | "overdue" | "other" =>
  awaitsAnswer(state) || state === "other";

/** Whether the bank may still decide; until then its payment must not be refunded. */
export const isOpenDispute = (
  state: DisputeState,
): state is Exclude<DisputeState, "lost" | "won" | "cancelled"> =>
  state !== "lost" && state !== "won" && state !== "cancelled";

/**
 * A payment may be returned only once: a refund is refused while a dispute is open and after a dispute returned it. An
 * unknown state counts as open.
 * @param disputes all known disputes of the payment's txid
 */
export const refundLock = (
  disputes: readonly Pick<Dispute, "infractionId" | "status" | "analysisStatus" | "dueAt">[],
  now: Temporal.Instant,
) => {
  const returned = disputes.find((dispute) => disputeState(dispute, now) === "lost");
  const open = disputes.find((dispute) => isOpenDispute(disputeState(dispute, now)));
  const reason = returned ?? open;
  if (reason === undefined) return { refused: false } as const;
  // `open`: the bank may still return the payment. `returned`: it did, so a refund would be the second one.
  const why = returned === undefined ? "open" : "returned";
  return { refused: true, infractionId: reason.infractionId, why } as const;
};
