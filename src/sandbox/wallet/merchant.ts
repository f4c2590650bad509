import { heldCents, type Med } from "./meds.ts";
import type { AskedRefund, RefundPlan } from "./refunds.ts";
import { paymentFeeCents, type Sale, type SaleLedger } from "./sale-ledger.ts";
import { isReturned, type Withdrawal } from "./withdrawals.ts";
import { type Answer, ok, reais, sum, type ResourceRequest } from "./resource.ts";

/** The reason of a planned failure in the service's words, and its code. */
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
  readonly sales: SaleLedger;
  /** Oldest first. */
  readonly withdrawals: Withdrawal[];
  /** In the order in which the sandbox received them. */
  readonly meds: Med[];
  /** Balance when the sandbox started and what MEDs had already taken from it, in centavos. */
  readonly openingCents: number;
  /** Accumulated split balance when the sandbox started, in centavos, by the recipient's user id. */
  readonly splitOpening: ReadonlyMap<string, number>;
  /** Failures of the next accepted withdrawals, in order. */
  readonly failures: WithdrawalFailure[];
  readonly refunds: AskedRefund[];
  /** Plans of the next refunds, in order. */
  readonly refundPlans: RefundPlan[];
}

/**
 * The balance that can be withdrawn now, in centavos: the opening balance (with the seeded history) and the net of
 * sales made since, less withdrawals that did not come back, what MEDs hold, and the net of refunded history.
 */
export const availableCents = (merchant: Merchant, now: Temporal.Instant): number => {
  const netOf = (sales: readonly Sale[]): number =>
    sum(sales.map(({ amountCents }) => amountCents - paymentFeeCents(amountCents)));
  const sold = netOf(merchant.sales.sinceStart(now).filter(({ status }) => status === "approved"));
  const returned = netOf(merchant.sales.refundedHistory(now));
  const held = heldCents(merchant.meds);
  // A contested payment may be missing from the ledger, and the document shows no negative balance.
  return Math.max(
    0,
    merchant.openingCents + sold - returned - withdrawnCents(merchant, undefined, now) - held,
  );
};

/** A recipient's split balance, in centavos. A failed split withdrawal returns there: this sandbox's assumption. */
export const splitBalanceCents = (
  merchant: Merchant,
  recipient: string,
  now: Temporal.Instant,
): number => (merchant.splitOpening.get(recipient) ?? 0) - withdrawnCents(merchant, recipient, now);

/** `GET /v1/balance`. The document shows only `balance.available`. Source: service.md 4.7. */
export const balance = ({ merchant, now }: ResourceRequest): Answer =>
  ok({ balance: { available: reais(availableCents(merchant, now)) } });

const withdrawnCents = (
  { withdrawals }: Merchant,
  recipient: string | undefined,
  now: Temporal.Instant,
): number =>
  sum(
    withdrawals
      .filter((each) => each.source !== "history" && each.recipient === recipient)
      .filter((each) => !isReturned(each, now))
      .map(({ amountCents }) => amountCents),
  );
