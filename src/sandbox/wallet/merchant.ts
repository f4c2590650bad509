import type { Med } from "./med-book.ts";
import type { SaleLedger } from "./sale-ledger.ts";
import type { Withdrawal } from "./withdrawal-book.ts";

/** Why a withdrawal will fail: the service's words, and its code. */
export interface WithdrawalFailure {
  readonly reason: string;
  readonly code?: string;
}

/** An account of the wallet service, as one of its API keys opens it. */
export interface Merchant {
  readonly userId: string;
  readonly apiKey: string;
  revoked: boolean;
  readonly splitEnabled: boolean;
  readonly withdrawalsBlocked: boolean;
  readonly sales: SaleLedger;
  /** Oldest first. */
  readonly withdrawals: Withdrawal[];
  /** In the order in which the sandbox got them. */
  readonly meds: Med[];
  /** Balance when the sandbox started, in centavos. */
  readonly openingCents: number;
  /** What MEDs had already taken from that balance, in centavos. */
  readonly openingHeldCents: number;
  /** Accumulated split balance when the sandbox started, in centavos, by the recipient's user id. */
  readonly splitOpening: ReadonlyMap<string, number>;
  /** What the next accepted withdrawals will fail of, first one first. */
  readonly failures: WithdrawalFailure[];
}
