import type { Clock } from "../../shared/time.ts";
import { availableCents, type Merchant } from "./merchant.ts";
import { type Answer, failure, ok, type ResourceRequest } from "./resource.ts";
import { paymentFeeCents } from "./sale-ledger.ts";

/** What becomes of the account's next refund. */
export type RefundPlan =
  /** Refused in the failure envelope, with these words. */
  | { readonly kind: "refuse"; readonly message: string }
  /** Accepted now; the payment is refunded so much later. */
  | { readonly kind: "late"; readonly ms: number };

/** Requests to refund one payment since the sandbox started. */
export interface AskedRefund {
  readonly txid: string;
  /** Requests that reached the service for a payment of the account, also those refused as a second refund. */
  times: number;
  /** When the payment is, or will be, refunded; undefined while no request was accepted. */
  at: Temporal.Instant | undefined;
}

/**
 * `POST /v1/refund`. Its body and its answer are not documented: here the body is `{txid}`. The net leaves the balance,
 * as if the fee came back, and an open MED does not matter: assumptions of this sandbox. Source: service.md 4.7.
 */
export const refund = ({ merchant, body, now }: ResourceRequest): Answer => {
  const { txid } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const sale = typeof txid === "string" ? merchant.sales.find(txid, now) : undefined;
  if (sale?.origin !== "api") return failure(404, "Pagamento não encontrado.");
  const asked = askedRefund(merchant, sale.txid);
  asked.times += 1;
  if (sale.status === "pending") return failure(400, "Só um pagamento aprovado é estornado.");
  if (sale.status === "refunded" || asked.at !== undefined)
    return failure(409, "Estorno de pagamento já estornado.");
  if (sale.amountCents - paymentFeeCents(sale.amountCents) > availableCents(merchant, now))
    return failure(400, "Saldo insuficiente para o estorno.");
  const plan = merchant.refundPlans.shift();
  if (plan?.kind === "refuse") return failure(400, plan.message);
  asked.at = now.add({ milliseconds: plan?.ms ?? 0 });
  merchant.sales.refund(sale.txid, asked.at);
  return ok({ message: "Estorno realizado." });
};

const askedRefund = ({ refunds }: Merchant, txid: string): AskedRefund => {
  const known = refunds.find((each) => each.txid === txid);
  if (known !== undefined) return known;
  const asked: AskedRefund = { txid, times: 0, at: undefined };
  refunds.push(asked);
  return asked;
};

/** The account of an owner is looked up at each act. @throws RangeError when the owner has no account */
export interface AccountParts {
  readonly clock: Clock;
  readonly accountOf: (ownerId: string) => Merchant;
  readonly changed: () => void;
}

/** Acts on refunds, outside the wallet's API. @throws RangeError when the owner has no account */
export const createRefundControls = (parts: AccountParts) => ({
  /** What becomes of the account's next refunds, in order; undefined cancels all plans. */
  planNextRefund: (ownerId: string, plan: RefundPlan | undefined): void => {
    const { refundPlans } = parts.accountOf(ownerId);
    if (plan === undefined) refundPlans.length = 0;
    else refundPlans.push(plan);
    parts.changed();
  },
  /** What becomes of the account's next refund; undefined while it is not planned. */
  nextRefund: (ownerId: string): RefundPlan | undefined => parts.accountOf(ownerId).refundPlans[0],
  /** The ground truth: all refunds asked of the account since the sandbox started, and when each took effect. */
  refunds: (ownerId: string): readonly Readonly<AskedRefund>[] =>
    parts.accountOf(ownerId).refunds.map((each) => ({ ...each })),
  /** Refunds a payment in the service's own dashboard. */
  dashboardRefund: (ownerId: string, txid: string): void => {
    parts.accountOf(ownerId).sales.refund(txid, parts.clock.now());
    parts.changed();
  },
});
