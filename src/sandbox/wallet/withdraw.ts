import { failure, ok, type Answer } from "./answer.ts";
import { availableCents } from "./balances.ts";
import type { Merchant } from "./merchant.ts";
import {
  acceptedWithdrawal,
  placeWithdrawal,
  type Order,
  type Placed,
} from "./place-withdrawal.ts";
import type { ResourceRequest } from "./resource.ts";
import type { WalletSettings } from "./wallet-settings.ts";
import { withdrawalStatus } from "./withdrawal-book.ts";
import { MINIMUM_CENTS } from "./withdrawal-limits.ts";

/**
 * `POST /v1/withdraw`. Neither its body nor its answer is documented: here they are those of the split withdrawal with
 * an `amount` in place of the recipient. Source: service.md 4.7.
 */
export const withdraw = ({ merchant, body, now, settings }: ResourceRequest): Answer => {
  const { amount, pixKey, turbo } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const amountCents = typeof amount === "number" ? Math.round(amount * 100) : Number.NaN;
  if (amount !== amountCents / 100) return failure(400, "Valor do saque inválido.");
  const placed = withdrawOwn(
    merchant,
    {
      source: "api",
      recipient: undefined,
      asked: body,
      amountCents,
      turbo: turbo !== false,
      pixKey: typeof pixKey === "string" ? pixKey : "",
    },
    settings,
    now,
  );
  if (placed.kind === "refused") return placed.answer;
  return ok({
    message: placed.withdrawal.turbo ? "Saque turbo em processamento." : "Saque agendado.",
    withdrawal: acceptedWithdrawal(placed.withdrawal),
  });
};

/** A withdrawal of the account's own balance, however it is asked for. */
export const withdrawOwn = (
  merchant: Merchant,
  order: Order,
  settings: Readonly<WalletSettings>,
  now: Temporal.Instant,
): Placed => {
  const refused = (message: string): Placed => ({ kind: "refused", answer: failure(400, message) });
  if (order.amountCents < MINIMUM_CENTS) return refused("O valor mínimo de saque é R$ 10,00.");
  if (order.amountCents > availableCents(merchant, now)) return refused("Saldo insuficiente.");
  return placeWithdrawal(merchant, order, settings, now);
};

/**
 * `POST /v1/withdraw/cancel`, which the document names without describing: the body is `{txid}`, and only a scheduled
 * withdrawal can be cancelled. Source: service.md 3.1 and 4.7.
 */
export const cancelWithdrawal = ({ merchant, body, now }: ResourceRequest): Answer => {
  const { txid } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const place = merchant.withdrawals.findIndex((each) => each.txid === txid);
  const found = merchant.withdrawals[place];
  if (found === undefined) return failure(404, "Saque não encontrado.");
  if (withdrawalStatus(found, now) !== "scheduled")
    return failure(409, "Só um saque agendado pode ser cancelado.");
  merchant.withdrawals[place] = { ...found, end: { status: "cancelled", at: now } };
  return ok({
    message: "Saque cancelado. O valor voltou ao saldo.",
    withdrawal: { txid: found.txid, status: "cancelled" },
  });
};
