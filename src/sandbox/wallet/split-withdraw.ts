import { createHash } from "node:crypto";
import { failure, ok, reais, type Answer } from "./answer.ts";
import type { Merchant } from "./merchant.ts";
import { pixKeyType } from "./pix-key-type.ts";
import type { ResourceRequest } from "./resource.ts";
import { isPending, withdrawalFeeCents, type Withdrawal } from "./withdrawal-book.ts";

const MINIMUM_CENTS = 1000;
const HOURS_BETWEEN_WITHDRAWALS = 24;
const TURBO_SECONDS = 6;
const NORMAL_PROCESSING_SECONDS = 90;

interface Order {
  readonly recipient: string;
  readonly pixKey: string;
  readonly turbo: boolean;
}

/** `POST /v1/split/withdraw`: the preconditions in the document's order. Source: service.md 2.1, 2.2 and 4.1. */
export const splitWithdraw = ({ merchant, body, now }: ResourceRequest): Answer => {
  if (!merchant.splitEnabled)
    return failure(403, "A função split não está habilitada para esta conta.");
  const order = readOrder(body);
  if (!/^\d{17,20}$/.test(order.recipient) || order.recipient === merchant.userId)
    return failure(400, "recipientUserId inválido.");
  const balanceCents = merchant.splitBalances.get(order.recipient) ?? 0;
  if (balanceCents < MINIMUM_CENTS) return insufficientBalance(order.recipient, balanceCents);
  const keyType = pixKeyType(order.pixKey);
  if (keyType === undefined) return failure(400, "Chave PIX inválida.");
  if (merchant.withdrawals.some((withdrawal) => isPending(withdrawal, now)))
    return failure(
      409,
      "Já existe um saque pendente. Aguarde a conclusão antes de solicitar outro.",
    );
  if (withdrewLately(merchant, now))
    return failure(403, "Limite de um saque a cada 24 horas atingido.");
  if (merchant.withdrawalsBlocked) return failure(403, "Saques bloqueados para esta conta.");

  const withdrawal: Withdrawal = {
    txid: splitTxid(merchant, now),
    amountCents: balanceCents,
    turbo: order.turbo,
    pixKey: order.pixKey,
    pixKeyType: keyType,
    requestedAt: now,
    ...plan(order.turbo, now),
  };
  merchant.withdrawals.push(withdrawal);
  merchant.splitBalances.set(order.recipient, 0);
  return ok({
    message: order.turbo
      ? "Saque turbo do saldo split em processamento."
      : "Saque do saldo split agendado.",
    withdrawal: accepted(withdrawal, order.recipient),
  });
};

const readOrder = (body: unknown): Order => {
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

const withdrewLately = (merchant: Merchant, now: Temporal.Instant): boolean => {
  const since = now.subtract({ hours: HOURS_BETWEEN_WITHDRAWALS });
  return merchant.withdrawals.some(
    ({ requestedAt }) => Temporal.Instant.compare(requestedAt, since) > 0,
  );
};

const plan = (turbo: boolean, now: Temporal.Instant): Pick<Withdrawal, "scheduledFor" | "end"> => {
  if (turbo)
    return {
      scheduledFor: undefined,
      end: { status: "completed", at: now.add({ seconds: TURBO_SECONDS }) },
    };
  const scheduledFor = now.add({ hours: 24 });
  return {
    scheduledFor,
    end: { status: "completed", at: scheduledFor.add({ seconds: NORMAL_PROCESSING_SECONDS }) },
  };
};

/** In the observed shape: `SW`, then digits and letters. */
const splitTxid = (merchant: Merchant, now: Temporal.Instant): string => {
  const nowMs = now.epochMilliseconds;
  const digest = createHash("sha256")
    .update(`${merchant.userId}|${nowMs}|${merchant.withdrawals.length}`)
    .digest("hex");
  return `SW${nowMs}${digest.slice(0, 8).toUpperCase()}`;
};

const accepted = (withdrawal: Withdrawal, recipient: string) => {
  const { amountCents, turbo, requestedAt, scheduledFor } = withdrawal;
  const feeCents = withdrawalFeeCents(turbo);
  const variant =
    scheduledFor === undefined
      ? { status: "processing", providerId: `trf_${withdrawal.txid.slice(-12)}` }
      : {
          status: "scheduled",
          requestedAt: requestedAt.epochMilliseconds,
          estimatedProcessingAt: scheduledFor.epochMilliseconds,
        };
  return {
    txid: withdrawal.txid,
    amount: reais(amountCents),
    netAmount: reais(amountCents - feeCents),
    fee: reais(feeCents),
    feeType: turbo ? "turbo" : "normal",
    pixKey: withdrawal.pixKey,
    pixKeyOwner: "Titular do sandbox",
    isTurbo: turbo,
    isSplitWithdrawal: true,
    splitRecipientUserId: recipient,
    previousSplitBalance: reais(amountCents),
    newSplitBalance: 0,
    ...variant,
  };
};
