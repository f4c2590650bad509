import type { Cents } from "../shared/money.ts";

/** Values known from a document that may grow: an unknown one is kept as it came, and shown as it came. */
export type OpenEnum<Known extends string> = Known | (string & Record<never, never>);

type WithdrawalStatus = OpenEnum<"scheduled" | "processing" | "completed" | "failed" | "cancelled">;

type WithdrawalModality = OpenEnum<"normal" | "turbo">;

/** One withdrawal as it stands. Source: service.md 2.4. */
export interface Withdrawal {
  readonly txid: string;
  /** Gross: the fee comes out of it. */
  readonly amount: Cents;
  readonly fee: Cents;
  readonly net: Cents;
  readonly status: WithdrawalStatus;
  readonly modality: WithdrawalModality;
  readonly isTurbo: boolean;
  readonly pixKey: string;
  readonly pixKeyType: OpenEnum<"CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP">;
  readonly bankName: string | undefined;
  readonly accountHolder: string | undefined;
  readonly transferId: string | undefined;
  readonly requestedAt: Temporal.Instant;
  /** A plan, up to 24 hours ahead; normal withdrawals only. */
  readonly scheduledFor: Temporal.Instant | undefined;
  readonly completedAt: Temporal.Instant | undefined;
  readonly failedAt: Temporal.Instant | undefined;
  readonly failReason: string | undefined;
  readonly errorCode: string | undefined;
  /** The processor's id by another name; that it equals `transferId` is not shown. */
  readonly providerTransferId?: string | undefined;
  readonly providerBatchId?: string | undefined;
  /** What disputes froze when it was asked for. */
  readonly frozenBalance?: Cents | undefined;
  /** Whether the value has left the balance already. */
  readonly balanceDeducted?: boolean | undefined;
  /** What the processor says of a turbo transfer: to be shown at most, never taken for the state. */
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

/** The whole accumulated split balance of one recipient goes: there is no amount to ask for. Source: service.md 2.1. */
export interface SplitWithdrawRequest {
  /** 17 to 20 digits. */
  readonly recipientUserId: string;
  readonly pixKey: string;
  /** Never left out: the service takes its absence for turbo, which costs more. */
  readonly turbo: boolean;
}

/**
 * `POST /v1/withdraw`. Its body is not documented: an assumption, by analogy with the split request.
 * Source: service.md 4.7.
 */
export interface WithdrawRequest {
  readonly amount: Cents;
  readonly pixKey: string;
  readonly turbo: boolean;
}

/**
 * A withdrawal that the service accepted, which is not yet paid. Only `txid` is sure to be known: the money is on its
 * way whatever the other fields look like. Source: service.md 2.2.
 */
export interface AcceptedWithdrawal {
  readonly txid: string;
  readonly amount: Cents | undefined;
  readonly fee: Cents | undefined;
  readonly net: Cents | undefined;
  readonly modality: WithdrawalModality | undefined;
  readonly status: OpenEnum<"processing" | "scheduled"> | undefined;
  readonly pixKey: string | undefined;
  readonly pixKeyOwner: string | undefined;
  readonly recipientUserId: string | undefined;
  /** Turbo only. */
  readonly providerId: string | undefined;
  /** Normal only. */
  readonly requestedAt: Temporal.Instant | undefined;
  /** Normal only; a plan. */
  readonly estimatedProcessingAt: Temporal.Instant | undefined;
  /** Split only. */
  readonly previousBalance: Cents | undefined;
  /** Split only. Stated as the balance after, not promised to be zero. */
  readonly newBalance: Cents | undefined;
}

/** One row of the service's list, whose shape is not documented: only `txid` is sure. */
export interface ListedWithdrawal {
  readonly txid: string;
  readonly requestedAt: Temporal.Instant | undefined;
  readonly amount: Cents | undefined;
  readonly status: string | undefined;
}

/** One page of the service's list of withdrawals, as long as the service made it. */
export interface WithdrawalPage {
  readonly items: readonly ListedWithdrawal[];
  /** The service's clock less ours when it answered, from its `Date` header. */
  readonly skewMs: number | undefined;
}

/** `GET /v1/balance`: of its shape only `balance.available` is known. Source: service.md 4.7. */
export interface Balance {
  readonly available: Cents;
}

/** What `POST /v1/pix/validate` says of a key; its shape is not documented. */
export interface PixKeyCheck {
  /** Undefined: the service did not say. */
  readonly valid: boolean | undefined;
  readonly holderName: string | undefined;
  readonly bankName: string | undefined;
}

/** Why the service refused; `refused`: it said no without saying why in a way that can be told apart. */
export type RejectReason =
  | "invalid"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "rate_limited"
  | "insufficient_split_balance"
  | "refused";

/** `errorCode` of a request that our own pacing kept back. */
export const PACED = "PACED";

/**
 * What became of the one request that moves money. Nothing here is an error: each is a state to be kept.
 * Source: decisions 1.4.
 */
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
      /** The service's own words: to be quoted at most, never kept. */
      readonly message: string | undefined;
      readonly retryAfterMs: number | undefined;
      /** Only of `insufficient_split_balance`. */
      readonly shortfall: { readonly available: Cents; readonly minimum: Cents } | undefined;
    }
  | {
      /** Not one byte of the request left. */
      readonly state: "not_sent";
      /** `paced`: our own limit of requests; `closed`: the client is being shut down. */
      readonly reason: "unreachable" | "paced" | "closed" | "invalid_request";
      readonly errorCode: string;
      readonly retryAfterMs: number | undefined;
    }
  | {
      /** It may have been carried out. */
      readonly state: "unknown";
      readonly errorCode: string;
      readonly httpStatus: number | undefined;
      readonly requestId: string | undefined;
    };

export type WithdrawAnswer = MoneyAnswer<AcceptedWithdrawal>;

export type CancelAnswer = MoneyAnswer<undefined>;

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
