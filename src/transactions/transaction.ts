import type { Cents } from "../shared/money.ts";
import type { OpenEnum } from "../withdrawals/withdrawal.ts";

export interface Payer {
  readonly name: string | undefined;
  /** Masked by the service, so no proof of identity. */
  readonly document: string | undefined;
  readonly bankName: string | undefined;
  /** Digits; leading zeros matter. */
  readonly bankCode: string | undefined;
  /** In the service's words, such as `checking`. */
  readonly accountType: string | undefined;
}

/** A payment or a withdrawal in full. Source: service.md 2.3. */
export interface Transaction {
  readonly txid: string;
  readonly amount: Cents;
  readonly fee: Cents;
  readonly net: Cents;
  readonly type: OpenEnum<"payment" | "withdrawal">;
  /** A finished withdrawal is `approved` here and `completed` in `Withdrawal`; failures never appear here. */
  readonly status: OpenEnum<"pending" | "approved" | "refunded" | "scheduled" | "processing">;
  readonly modality: OpenEnum<"link" | "normal" | "turbo">;
  readonly description: string | undefined;
  /** Page to which the payer returns; only if it was given with the charge. */
  readonly redirectUrl: string | undefined;
  /** The processor's id of a turbo withdrawal. */
  readonly providerId: string | undefined;
  /** Absent on withdrawals, and possibly on unpaid payments. */
  readonly payer: Payer | undefined;
  readonly withdrawal:
    | {
        readonly pixKey: string;
        readonly scheduledFor: Temporal.Instant | undefined;
        readonly transferId: string | undefined;
      }
    | undefined;
  readonly createdAt: Temporal.Instant;
  readonly updatedAt: Temporal.Instant;
  /** How far the service's clock is ahead of ours; undefined when it was not measured. */
  readonly skewMs?: number | undefined;
}

/** A row of the list, with the fields that could be read of it. */
export interface ListedTransaction {
  readonly txid: string;
  readonly amount: Cents | undefined;
  readonly net: Cents | undefined;
  readonly type: Transaction["type"] | undefined;
  readonly status: Transaction["status"] | undefined;
  /** Product, or description of the charge: text of a stranger. */
  readonly description: string | undefined;
  readonly createdAt: Temporal.Instant | undefined;
  readonly updatedAt: Temporal.Instant | undefined;
}

/** Transactions in the service's order, whose length and reach are not documented. */
export interface TransactionPage {
  readonly items: readonly ListedTransaction[];
  /** Rows without a txid. */
  readonly unnamed: number;
  /** Those of them that are objects, with their readable fields; the rest may have any form. */
  readonly unnamedRows?: readonly Omit<ListedTransaction, "txid">[] | undefined;
  /** What asks for the next page; undefined on the last one, and where the answer names none. */
  readonly next: string | undefined;
  /** The answer says that there is more, and not how to ask for it. */
  readonly isCut?: boolean;
  /** How far the service's clock is ahead of ours; undefined when it was not measured. */
  readonly skewMs?: number | undefined;
}
