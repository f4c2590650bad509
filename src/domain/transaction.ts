import type { Cents } from "../shared/money.ts";
import type { OpenEnum } from "../shared/open-enum.ts";

export interface Payer {
  readonly name: string | undefined;
  /** Masked by the service: never an identity. */
  readonly document: string | undefined;
  readonly bankName: string | undefined;
  /** Digits; leading zeros matter. */
  readonly bankCode: string | undefined;
}

/** A payment or a withdrawal in full. Source: service.md 2.3. */
export interface Transaction {
  readonly txid: string;
  readonly amount: Cents;
  readonly fee: Cents;
  readonly net: Cents;
  readonly type: OpenEnum<"payment" | "withdrawal">;
  /** Withdrawals end as `approved` here and as `completed` in the withdrawal itself; no failure is ever shown here. */
  readonly status: OpenEnum<"pending" | "approved" | "refunded" | "scheduled" | "processing">;
  readonly modality: OpenEnum<"link" | "normal" | "turbo">;
  readonly description: string | undefined;
  /** Absent on withdrawals, and perhaps on payments that nobody has paid yet. */
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
}
