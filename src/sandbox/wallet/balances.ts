import { ok, reais, type Answer } from "./answer.ts";
import { heldCents } from "./med-book.ts";
import type { Merchant } from "./merchant.ts";
import type { ResourceRequest } from "./resource.ts";
import { paymentFeeCents } from "./transactions.ts";
import { isReturned } from "./withdrawal-book.ts";

/**
 * What can be withdrawn now, in centavos: the opening balance and the net of sales made while the sandbox runs, less
 * withdrawals that did not come back and what MEDs took since. Sales of the seeded history are in the opening balance.
 */
export const availableCents = (merchant: Merchant, now: Temporal.Instant): number => {
  const sold = sum(
    merchant.sales
      .added(now)
      .filter(({ status }) => status === "approved")
      .map(({ amountCents }) => amountCents - paymentFeeCents(amountCents)),
  );
  const held = heldCents(merchant.meds) - merchant.openingHeldCents;
  // Contested payments need not be in the ledger, and nothing says that a balance can be below zero.
  return Math.max(
    0,
    merchant.openingCents + sold - withdrawnCents(merchant, undefined, now) - held,
  );
};

/** Likewise, of one recipient's split balance. A failed split withdrawal returns there: this sandbox's reading. */
export const splitBalanceCents = (
  merchant: Merchant,
  recipient: string,
  now: Temporal.Instant,
): number => (merchant.splitOpening.get(recipient) ?? 0) - withdrawnCents(merchant, recipient, now);

/** `GET /v1/balance`. Of its shape only `balance.available` is known. Source: service.md 4.7. */
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

const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + amount, 0);
