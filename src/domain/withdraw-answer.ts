import type { Cents } from "../shared/money.ts";
import type { AcceptedWithdrawal } from "./withdrawal.ts";

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
