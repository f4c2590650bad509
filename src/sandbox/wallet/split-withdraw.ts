import { failure, ok, reais, type Answer } from "./answer.ts";
import { splitBalanceCents } from "./balances.ts";
import { acceptedWithdrawal, placeWithdrawal } from "./place-withdrawal.ts";
import type { ResourceRequest } from "./resource.ts";
import { MINIMUM_CENTS } from "./withdrawal-limits.ts";

interface SplitOrder {
  readonly recipient: string;
  readonly pixKey: string;
  readonly turbo: boolean;
}

/** `POST /v1/split/withdraw`: the preconditions in the document's order. Source: service.md 2.1, 2.2 and 4.1. */
export const splitWithdraw = ({ merchant, body, now, settings }: ResourceRequest): Answer => {
  if (!merchant.splitEnabled)
    return failure(403, "A função split não está habilitada para esta conta.");
  const { recipient, pixKey, turbo } = readOrder(body);
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

const readOrder = (body: unknown): SplitOrder => {
  const { recipientUserId, pixKey, turbo } = (body ?? {}) as Readonly<Record<string, unknown>>;
  return {
    recipient: typeof recipientUserId === "string" ? recipientUserId : "",
    pixKey: typeof pixKey === "string" ? pixKey : "",
    turbo: turbo !== false,
  };
};

const insufficientBalance = (recipientUserId: string, balanceCents: number): Answer =>
  failure(400, "Saldo split insuficiente para saque.", {
    recipientUserId,
    availableSplitBalance: reais(balanceCents).toFixed(2),
    minimumWithdrawal: reais(MINIMUM_CENTS).toFixed(2),
  });
