import { createHash } from "node:crypto";
import { amounts, type Answer, failure, reais } from "./resource.ts";
import type { Merchant } from "./merchant.ts";
import { pixKeyType } from "./pix-keys.ts";
import type { WalletSettings } from "./wallet-settings.ts";
import { isPending, isReturned, type Withdrawal, withdrawalFeeCents } from "./withdrawals.ts";

const TURBO_SECONDS = 6;
const NORMAL_PROCESSING_SECONDS = 90;

/** The order of a withdrawal that the balance allows. */
export type Order = Pick<
  Withdrawal,
  "source" | "recipient" | "asked" | "amountCents" | "turbo" | "pixKey"
>;

export type Placed =
  | { readonly kind: "placed"; readonly withdrawal: Withdrawal }
  | { readonly kind: "refused"; readonly answer: Answer };

/** Makes the withdrawal, or refuses it for its key or by the limits, in this order. */
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

/** The id of a split withdrawal has the observed shape: `SW`, then digits and letters. */
const newTxid = (merchant: Merchant, { source }: Order, now: Temporal.Instant): string => {
  const nowMs = now.epochMilliseconds;
  const digest = createHash("sha256")
    .update(`${merchant.userId}|${nowMs}|${merchant.withdrawals.length}`)
    .digest("hex");
  return `${source === "split" ? "SW" : "W"}${nowMs}${digest.slice(0, 8).toUpperCase()}`;
};

/** The withdrawal in the answer to its request. Source: service.md 2.2, which describes a split withdrawal. */
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
    ...amounts(amountCents, feeCents),
    feeType: turbo ? "turbo" : "normal",
    pixKey: withdrawal.pixKey,
    pixKeyOwner: "Titular do sandbox",
    isTurbo: turbo,
    ...variant,
  };
};

/** Source: service.md 1: of the gross amount, and inclusive. */
export const MINIMUM_CENTS = 10_00;

const WINDOW = { hours: 24 } as const;
/** The document names no zone and no figures: these are the sandbox's own. */
const ZONE = "America/Sao_Paulo";
const DAY_LIMIT_CENTS = 10_000_00;
const NIGHT_LIMIT_CENTS = 3_000_00;
const DAY_BEGINS = 6;
const NIGHT_BEGINS = 20;

/**
 * The refusal of a withdrawal that the limits forbid now, or undefined: one pending at a time, one per 24 hours, and
 * for its amount the limit of the hour. Failed and cancelled withdrawals do not count: this sandbox's assumption.
 * Source: service.md 4.1 and 8.
 */
const refuseByLimits = (
  { withdrawals }: Merchant,
  amountCents: number,
  now: Temporal.Instant,
): Answer | undefined => {
  if (withdrawals.some((each) => isPending(each, now)))
    return failure(
      409,
      "Já existe um saque pendente. Aguarde a conclusão antes de solicitar outro.",
    );
  const since = now.subtract(WINDOW);
  const another = withdrawals.some(
    (each) => Temporal.Instant.compare(each.requestedAt, since) > 0 && !isReturned(each, now),
  );
  if (another) return failure(403, "Limite de um saque a cada 24 horas atingido.");
  // The last 24 hours hold no other withdrawal: the rule above would have refused.
  const night = isNight(now);
  const limitCents = night ? NIGHT_LIMIT_CENTS : DAY_LIMIT_CENTS;
  if (amountCents <= limitCents) return undefined;
  const when = night ? "noturno (20h às 6h)" : "diurno (6h às 20h)";
  return failure(403, `Limite ${when} de R$ ${reais(limitCents).toFixed(2)} em 24 horas excedido.`);
};

const isNight = (now: Temporal.Instant): boolean => {
  const { hour } = now.toZonedDateTimeISO(ZONE);
  return hour < DAY_BEGINS || hour >= NIGHT_BEGINS;
};
