import type { Cents } from "../shared/money.ts";

/** A documented value of the service, or any later one, which is kept and shown unchanged. */
export type OpenEnum<Known extends string> = Known | (string & Record<never, never>);

/** Whether the service still works on it. States of the journal have the same names. */
export const isOpenStatus = (status: string | undefined): status is "scheduled" | "processing" =>
  status === "scheduled" || status === "processing";

/** Whether the money stayed with, or came back to, the balance. */
export const isReturned = (status: string | undefined): boolean =>
  status === "failed" || status === "cancelled";

export const isEndStatus = (
  status: string | undefined,
): status is "completed" | "failed" | "cancelled" => status === "completed" || isReturned(status);

/** A withdrawal at the service. Source: service.md 2.4. */
export interface Withdrawal {
  readonly txid: string;
  /** Gross amount, before the fee. */
  readonly amount: Cents;
  readonly fee: Cents;
  readonly net: Cents;
  readonly status: OpenEnum<"scheduled" | "processing" | "completed" | "failed" | "cancelled">;
  readonly modality: OpenEnum<"normal" | "turbo">;
  readonly isTurbo: boolean;
  readonly pixKey: string;
  readonly pixKeyType: OpenEnum<"CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP">;
  readonly bankName: string | undefined;
  readonly accountHolder: string | undefined;
  readonly transferId: string | undefined;
  readonly requestedAt: Temporal.Instant;
  /** Planned time, up to 24 hours ahead; normal withdrawals only. */
  readonly scheduledFor: Temporal.Instant | undefined;
  readonly completedAt: Temporal.Instant | undefined;
  readonly failedAt: Temporal.Instant | undefined;
  readonly failReason: string | undefined;
  readonly errorCode: string | undefined;
  /** Another id of the processor; the document does not say that it equals `transferId`. */
  readonly providerTransferId?: string | undefined;
  readonly providerBatchId?: string | undefined;
  /** The document names neither its moment nor its cause. */
  readonly frozenBalance?: Cents | undefined;
  /** Whether the amount has left the balance. */
  readonly balanceDeducted?: boolean | undefined;
  /** The processor's view of a turbo transfer: for display only, never the state. */
  readonly processor:
    | {
        readonly name: string | undefined;
        readonly status: string | undefined;
        readonly lastStatus: string | undefined;
      }
    | undefined;
  readonly createdAt: Temporal.Instant;
  readonly updatedAt: Temporal.Instant;
}

/** Withdraws the recipient's whole split balance, so it has no amount. Source: service.md 2.1. */
export interface SplitWithdrawRequest {
  /** 17 to 20 digits. */
  readonly recipientUserId: string;
  readonly pixKey: string;
  /** Always sent: the service takes its absence for turbo, which costs more. */
  readonly turbo: boolean;
}

/** Body of `POST /v1/withdraw`. Undocumented: assumed by analogy with the split request. Source: service.md 4.7. */
export interface WithdrawRequest {
  readonly amount: Cents;
  readonly pixKey: string;
  readonly turbo: boolean;
}

/**
 * A withdrawal that the service accepted and has not yet paid. Only `txid` is certain: without the other fields the
 * money is still on its way. Source: service.md 2.2.
 */
export interface AcceptedWithdrawal {
  readonly txid: string;
  readonly amount: Cents | undefined;
  readonly fee: Cents | undefined;
  readonly net: Cents | undefined;
  readonly pixKeyOwner: string | undefined;
  /** Normal only; a plan. */
  readonly estimatedProcessingAt: Temporal.Instant | undefined;
  /** Split only. */
  readonly previousBalance: Cents | undefined;
  /** Split only. The balance afterwards, which need not be zero. */
  readonly newBalance: Cents | undefined;
}

/** A row of the service's list. Its shape is undocumented: only `txid` is certain. */
export interface ListedWithdrawal {
  readonly txid: string;
  readonly requestedAt: Temporal.Instant | undefined;
  readonly amount: Cents | undefined;
  readonly status: string | undefined;
}

/** A row that belongs to no operation of the reader. */
export interface UnclaimedWithdrawal extends ListedWithdrawal {
  /** Whether another person of the account began it here. */
  readonly byAnother?: boolean;
  /** Code of the reader's withdrawal of unknown outcome that it may be. */
  readonly mayBeOpId?: string | undefined;
}

/** A page of the service's list of withdrawals; the service decides its length. */
export interface WithdrawalPage {
  readonly items: readonly ListedWithdrawal[];
  /** The service's clock minus ours, from the answer's `Date` header. */
  readonly skewMs: number | undefined;
}

/** Answer of `GET /v1/balance`: only `balance.available` is documented. Source: service.md 4.7. */
export interface Balance {
  readonly available: Cents;
}

/** Answer of `POST /v1/pix/validate`; its shape is undocumented. */
export interface PixKeyCheck {
  /** Undefined when the service does not say. */
  readonly valid: boolean | undefined;
  readonly holderName: string | undefined;
  readonly bankName: string | undefined;
}

/** Why the service refused; `refused` covers all reasons that cannot be told apart. */
export const rejectReasons = [
  "invalid",
  "unauthorized",
  "forbidden",
  "not_found",
  "rate_limited",
  "insufficient_split_balance",
  "refused",
] as const;

export type RejectReason = (typeof rejectReasons)[number];

/** Outcome of the single request that moves money: a state to store, never an error. Source: decisions 1.4. */
export type MoneyAnswer<Accepted> =
  | {
      readonly state: "accepted";
      readonly value: Accepted;
      readonly httpStatus: number;
      readonly requestId: string | undefined;
    }
  | {
      readonly state: "rejected";
      readonly reason: RejectReason;
      readonly httpStatus: number;
      readonly requestId: string | undefined;
      /** The service's message: may be quoted, is never stored. */
      readonly message: string | undefined;
      readonly retryAfterMs: number | undefined;
      /** Only for `insufficient_split_balance`. */
      readonly shortfall: { readonly available: Cents; readonly minimum: Cents } | undefined;
    }
  | {
      /** Not one byte of the request left. */
      readonly state: "not_sent";
      /** `paced`: our own rate limit; `closed`: the client is shutting down. */
      readonly reason: "unreachable" | "paced" | "closed" | "invalid_request";
      readonly errorCode: string;
      readonly retryAfterMs: number | undefined;
    }
  | {
      /** The request may have been carried out. */
      readonly state: "unknown";
      readonly errorCode: string;
      readonly httpStatus: number | undefined;
      readonly requestId: string | undefined;
    };

export type WithdrawAnswer = MoneyAnswer<AcceptedWithdrawal>;

export type CancelAnswer = MoneyAnswer<undefined>;
