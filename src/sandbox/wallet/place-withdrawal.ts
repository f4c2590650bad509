import { createHash } from "node:crypto";
import { failure, reais, type Answer } from "./answer.ts";
import type { Merchant } from "./merchant.ts";
import { pixKeyType } from "./pix-key-type.ts";
import type { WalletSettings } from "./wallet-settings.ts";
import { withdrawalFeeCents, type Withdrawal } from "./withdrawal-book.ts";
import { refuseByLimits } from "./withdrawal-limits.ts";

const TURBO_SECONDS = 6;
const NORMAL_PROCESSING_SECONDS = 90;

/** A withdrawal that the balance allows. */
export type Order = Pick<
  Withdrawal,
  "source" | "recipient" | "asked" | "amountCents" | "turbo" | "pixKey"
>;

export type Placed =
  | { readonly kind: "placed"; readonly withdrawal: Withdrawal }
  | { readonly kind: "refused"; readonly answer: Answer };

/** Makes the withdrawal, or refuses it for its key, by the limits or because the account is blocked, in this order. */
export const placeWithdrawal = (
  merchant: Merchant,
  order: Order,
  settings: Readonly<WalletSettings>,
  now: Temporal.Instant,
): Placed => {
  const keyType = pixKeyType(order.pixKey);
  if (keyType === undefined) return refused(failure(400, "Chave PIX inválida."));
  const limited = settings.withdrawalLimits
    ? refuseByLimits(merchant, order.amountCents, now)
    : undefined;
  if (limited !== undefined) return refused(limited);
  if (merchant.withdrawalsBlocked)
    return refused(failure(403, "Saques bloqueados para esta conta."));

  const withdrawal: Withdrawal = {
    ...order,
    txid: newTxid(merchant, order, now),
    pixKeyType: keyType,
    requestedAt: now,
    ...plan(merchant, order.turbo, now),
  };
  merchant.withdrawals.push(withdrawal);
  return { kind: "placed", withdrawal };
};

const refused = (answer: Answer): Placed => ({ kind: "refused", answer });

const plan = (
  merchant: Merchant,
  turbo: boolean,
  now: Temporal.Instant,
): Pick<Withdrawal, "scheduledFor" | "end"> => {
  const scheduledFor = turbo ? undefined : now.add({ hours: 24 });
  const at =
    scheduledFor?.add({ seconds: NORMAL_PROCESSING_SECONDS }) ??
    now.add({ seconds: TURBO_SECONDS });
  const failing = merchant.failures.shift();
  const end =
    failing === undefined
      ? ({ status: "completed", at } as const)
      : ({ status: "failed", at, ...failing } as const);
  return { scheduledFor, end };
};

/** A split one in the observed shape: `SW`, then digits and letters. */
const newTxid = (merchant: Merchant, { source }: Order, now: Temporal.Instant): string => {
  const nowMs = now.epochMilliseconds;
  const digest = createHash("sha256")
    .update(`${merchant.userId}|${nowMs}|${merchant.withdrawals.length}`)
    .digest("hex");
  return `${source === "split" ? "SW" : "W"}${nowMs}${digest.slice(0, 8).toUpperCase()}`;
};

/** The withdrawal in the answer to its request. Source: service.md 2.2, which describes that of a split. */
export const acceptedWithdrawal = (withdrawal: Withdrawal) => {
  const { txid, amountCents, turbo, requestedAt, scheduledFor } = withdrawal;
  const feeCents = withdrawalFeeCents(turbo);
  const variant =
    scheduledFor === undefined
      ? { status: "processing", providerId: `trf_${txid.slice(-12)}` }
      : {
          status: "scheduled",
          requestedAt: requestedAt.epochMilliseconds,
          estimatedProcessingAt: scheduledFor.epochMilliseconds,
        };
  return {
    txid,
    amount: reais(amountCents),
    netAmount: reais(amountCents - feeCents),
    fee: reais(feeCents),
    feeType: turbo ? "turbo" : "normal",
    pixKey: withdrawal.pixKey,
    pixKeyOwner: "Titular do sandbox",
    isTurbo: turbo,
    ...variant,
  };
};
