import type { Withdrawal } from "./withdrawal-book.ts";

const NORMAL_PROCESSING = { seconds: 90 } as const;
const EMAIL_KEY = { pixKey: "financeiro@lojaaurora.example", pixKeyType: "EMAIL" } as const;
const RANDOM_KEY = {
  pixKey: "7d9f2c1e-4b3a-4f60-9a58-2e61c0b7d345",
  pixKeyType: "EVP",
} as const;

/** One of each end, all longer ago than the 24 hours that a withdrawal blocks the next. */
export const formerWithdrawals = (start: Temporal.Instant): Withdrawal[] => {
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

/** One that was paid this morning: asked for long enough ago that another may be. */
export const brunosWithdrawals = (start: Temporal.Instant): Withdrawal[] => [
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
