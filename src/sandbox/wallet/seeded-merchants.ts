import { ANA, BRUNO } from "../world.ts";
import { heldCents, type Med, openedMed } from "./meds.ts";
import type { Merchant } from "./merchant.ts";
import { createSaleLedger } from "./sale-ledger.ts";
import type { Withdrawal } from "./withdrawals.ts";

const SEEDED_DAYS = 35;
const QUIET_DAYS_AGO = 3;
/** In reais; below the sandbox's night limit, so that the whole balance can be withdrawn at any hour. */
const ANAS_BALANCE = 2_480.35;
const BRUNOS_BALANCE = 1_164.9;

export interface NewMerchant {
  readonly userId: string;
  readonly apiKey: string;
  readonly splitEnabled?: boolean;
  /** Available balance in reais; 0 by default. */
  readonly balance?: number;
  /** Amounts in reais by the recipient's user id. */
  readonly splitBalances?: Readonly<Record<string, number>>;
}

export const emptyMerchant = (parts: NewMerchant): Merchant => ({
  userId: parts.userId,
  apiKey: parts.apiKey,
  splitEnabled: parts.splitEnabled ?? false,
  revoked: false,
  sales: createSaleLedger(parts.userId, undefined),
  withdrawals: [],
  meds: [],
  openingCents: Math.round((parts.balance ?? 0) * 100),
  failures: [],
  refunds: [],
  refundPlans: [],
  splitOpening: new Map(
    Object.entries(parts.splitBalances ?? {}).map(([id, amount]) => [id, Math.round(amount * 100)]),
  ),
});

/**
 * The accounts that the sandbox starts with: Ana (split enabled, every variant of MED and finished withdrawal) and Bruno
 * (no split, one paid withdrawal). Without `seeded` they have balances only.
 */
export const seededMerchants = (start: Temporal.Instant, seeded: boolean): readonly Merchant[] => {
  const ana = emptyMerchant({
    userId: ANA.id,
    apiKey: ANA.apiKey,
    splitEnabled: true,
    balance: ANAS_BALANCE,
    splitBalances: { [BRUNO.id]: 1250.8 },
  });
  const bruno = emptyMerchant({ userId: BRUNO.id, apiKey: BRUNO.apiKey, balance: BRUNOS_BALANCE });
  if (!seeded) return [ana, bruno];
  const meds = seededMeds(start);
  return [
    {
      ...ana,
      sales: weeksOfSales(ANA.id, start),
      withdrawals: formerWithdrawals(start),
      meds: [...meds],
      openingCents: ana.openingCents + heldCents(meds),
    },
    {
      ...bruno,
      sales: weeksOfSales(BRUNO.id, start),
      withdrawals: brunosWithdrawals(start),
    },
  ];
};

/** The quiet weekday differs from the weekdays of the start and of the day before. */
const weeksOfSales = (merchantId: string, start: Temporal.Instant) => {
  const today = start.toZonedDateTimeISO("UTC").toPlainDate();
  return createSaleLedger(merchantId, {
    since: today.subtract({ days: SEEDED_DAYS }),
    start,
    quietWeekday: today.subtract({ days: QUIET_DAYS_AGO }).dayOfWeek,
  });
};

const NORMAL_PROCESSING = { seconds: 90 } as const;
const EMAIL_KEY = { pixKey: "financeiro@lojaaurora.example", pixKeyType: "EMAIL" } as const;
const RANDOM_KEY = {
  pixKey: "7d9f2c1e-4b3a-4f60-9a58-2e61c0b7d345",
  pixKeyType: "EVP",
} as const;

/** A withdrawal of each end, all older than the 24 hours in which a withdrawal blocks the next. */
const formerWithdrawals = (start: Temporal.Instant): Withdrawal[] => {
  const normalAt = start.subtract({ hours: 24 * 6 });
  const cancelledAt = start.subtract({ hours: 24 * 9 });
  const turboAt = start.subtract({ hours: 24 * 3 });
  const failedAt = start.subtract({ hours: 24 * 4 });
  return [
    normal("w7e20b8d5f314a0c9c46a1d3", 500_00, normalAt),
    {
      ...normal("w52d8f61b90c74ae2b3178e0f", 75_20, cancelledAt),
      end: { status: "cancelled", at: cancelledAt.add({ hours: 3 }) },
    },
    turbo("w1b6c94e07da2453f8e90c25a", 120_00, turboAt, {
      status: "completed",
      at: turboAt.add({ seconds: 6 }),
    }),
    turbo("w8c3a5190e6bf42d7a05d6e91", 64_90, failedAt, {
      status: "failed",
      at: failedAt.add({ seconds: 7 }),
      reason: "Conta de destino encerrada.",
      code: "ACCOUNT_CLOSED",
    }),
  ];
};

/** A withdrawal paid two hours ago, and requested long enough ago for Bruno to withdraw again. */
const brunosWithdrawals = (start: Temporal.Instant): Withdrawal[] => [
  normal("w4f0e7ac2b8d94516a3cb7e08", 310_00, start.subtract({ hours: 26 })),
];

const HISTORY = { source: "history", recipient: undefined, asked: undefined } as const;

const normal = (txid: string, amountCents: number, requestedAt: Temporal.Instant): Withdrawal => {
  const scheduledFor = requestedAt.add({ hours: 24 });
  return {
    ...HISTORY,
    ...EMAIL_KEY,
    txid,
    amountCents,
    turbo: false,
    requestedAt,
    scheduledFor,
    end: { status: "completed", at: scheduledFor.add(NORMAL_PROCESSING) },
  };
};

const turbo = (
  txid: string,
  amountCents: number,
  requestedAt: Temporal.Instant,
  end: Withdrawal["end"],
): Withdrawal => ({
  ...HISTORY,
  ...RANDOM_KEY,
  txid,
  amountCents,
  turbo: true,
  requestedAt,
  scheduledFor: undefined,
  end,
});

const DAYS_TO_ANSWER = 7;
const HOURS_TO_ANSWER = 20;
const DAYS_TO_DECIDE = 5;

type Answered = "agreed" | "disagreed";

/** One MED of each state that the document knows, and of each form of the contested payment. */
export const seededMeds = (start: Temporal.Instant): readonly Med[] => {
  const daysAgo = (days: number) => start.subtract({ hours: 24 * days });
  return [
    opened("b3c5e0f2-66d1-4a7e-8f19-0d42a7c81e53", daysAgo(2), 249_00, "FRAUDE", {
      type: "api",
      product: "Plano VIP mensal",
    }),
    opened("3a9e4d70-51cb-4f2e-9d06-b7f8c2e1a945", daysAgo(6.5), 89_50, "ERRO", {
      type: "esales",
      product: "Pacote de emojis personalizados",
    }),
    answered(
      opened("7c11f5d8-0b6a-4c93-a2e4-5d9083fbe617", daysAgo(4), 45_90, "FRAUDE", {
        type: "api",
        product: "Arte para banner",
      }),
      "disagreed",
      "Produto entregue; comprovante de acesso enviado.",
    ),
    answered(
      opened("d80b6e29-4f7c-4e15-8a3d-60c1f9b2752e", daysAgo(3), 19_99, "ERRO", undefined),
      "agreed",
      "Vendedor concorda com a devolução.",
    ),
    decided(
      answered(
        opened("0e8a7d14-92bf-4c36-b5a0-71f3d96c2b08", daysAgo(20), 97_00, "ERRO", {
          type: "esales",
          product: "Curso de edição de vídeo",
        }),
        "disagreed",
        "Compra confirmada pelo comprador.",
      ),
      "rejected",
    ),
    decided(
      answered(
        opened("5f71b9c6-1d08-4e92-a3d7-c84e60fb2719", daysAgo(25), 160_00, "FRAUDE", undefined),
        "agreed",
        "Vendedor concorda com a devolução.",
      ),
      "accepted",
    ),
    decided(
      opened("91e2c7a4-38df-4b60-95f8-2ad4e06b13c9", daysAgo(30), 180_00, "FRAUDE", {
        type: "api",
        product: "Mentoria em grupo",
      }),
      "accepted",
    ),
    {
      ...opened("64fd0b3e-a795-4d28-b1c6-e8370a5f29d4", daysAgo(12), 249_00, "ERRO", {
        type: "api",
        product: "Plano VIP mensal",
      }),
      status: "canceled",
      resolvedAt: daysAgo(11),
    },
  ];
};

const opened = (
  infractionId: string,
  openedAt: Temporal.Instant,
  amountCents: number,
  situationType: Med["situationType"],
  original: Med["original"],
): Med =>
  openedMed({
    infractionId,
    txid: infractionId.replaceAll("-", "").slice(0, 24),
    amountCents,
    situationType,
    openedAt,
    dueAt: openedAt.add({ hours: 24 * DAYS_TO_ANSWER }),
    original,
  });

const answered = (med: Med, status: Answered, text: string): Med => ({
  ...med,
  status,
  answer: { at: med.openedAt.add({ hours: HOURS_TO_ANSWER }), text },
});

const decided = (med: Med, analysisStatus: "accepted" | "rejected"): Med => ({
  ...med,
  analysisStatus,
  resolvedAt: (med.answer?.at ?? med.dueAt).add({ hours: 24 * DAYS_TO_DECIDE }),
});
