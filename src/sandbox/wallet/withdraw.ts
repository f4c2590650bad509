import { type Answer, failure, ok, reais, type ResourceRequest } from "./resource.ts";
import { availableCents, type Merchant, splitBalanceCents } from "./merchant.ts";
import {
  acceptedWithdrawal,
  MINIMUM_CENTS,
  type Order,
  type Placed,
  placeWithdrawal,
} from "./place-withdrawal.ts";
import type { WalletSettings } from "./wallet-settings.ts";
import { withdrawalStatus } from "./withdrawals.ts";

/**
 * `POST /v1/withdraw`. Its body and its answer are not documented: here they are those of the split withdrawal, with
 * an `amount` in place of the recipient. Source: service.md 4.7.
 */
export const withdraw = ({ merchant, body, now, settings }: ResourceRequest): Answer => {
  const { amount, pixKey, turbo } = readOrder(body);
  const amountCents = typeof amount === "number" ? Math.round(amount * 100) : Number.NaN;
  if (amount !== amountCents / 100) return failure(400, "Valor do saque inválido.");
  const placed = withdrawOwn(
    merchant,
    {
      source: "api",
      recipient: undefined,
      asked: body,
      amountCents,
      turbo,
      pixKey,
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

/** Withdraws from the account's own balance, by the API or by the dashboard. */
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

/** `POST /v1/split/withdraw`: the preconditions in the document's order. Source: service.md 2.1, 2.2 and 4.1. */
export const splitWithdraw = ({ merchant, body, now, settings }: ResourceRequest): Answer => {
  if (!merchant.splitEnabled)
    return failure(403, "A função split não está habilitada para esta conta.");
  const { recipientUserId, pixKey, turbo } = readOrder(body);
  const recipient = typeof recipientUserId === "string" ? recipientUserId : "";
  if (!/^\d{17,20}$/.test(recipient) || recipient === merchant.userId)
    return failure(400, "recipientUserId inválido.");
  const balanceCents = splitBalanceCents(merchant, recipient, now);
  if (balanceCents < MINIMUM_CENTS) return insufficientBalance(recipient, balanceCents);
  const placed = placeWithdrawal(
    merchant,
    { source: "split", recipient, asked: body, amountCents: balanceCents, turbo, pixKey },
    settings,
    now,
  );
  if (placed.kind === "refused") return placed.answer;
  return ok({
    message: turbo
      ? "Saque turbo do saldo split em processamento."
      : "Saque do saldo split agendado.",
    withdrawal: {
      ...acceptedWithdrawal(placed.withdrawal),
      isSplitWithdrawal: true,
      splitRecipientUserId: recipient,
      previousSplitBalance: reais(balanceCents),
      newSplitBalance: reais(splitBalanceCents(merchant, recipient, now)),
    },
  });
};

const readOrder = (body: unknown) => {
  const order = (body ?? {}) as Readonly<Record<string, unknown>>;
  const pixKey = typeof order["pixKey"] === "string" ? order["pixKey"] : "";
  return {
    amount: order["amount"],
    recipientUserId: order["recipientUserId"],
    pixKey,
    turbo: order["turbo"] !== false,
  };
};

const insufficientBalance = (recipientUserId: string, balanceCents: number): Answer =>
  failure(400, "Saldo split insuficiente para saque.", {
    recipientUserId,
    availableSplitBalance: reais(balanceCents).toFixed(2),
    minimumWithdrawal: reais(MINIMUM_CENTS).toFixed(2),
  });
