import type { Cents } from "../shared/money.ts";
import type { OpenEnum } from "../shared/open-enum.ts";

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
