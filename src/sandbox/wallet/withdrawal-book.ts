export type WithdrawalStatus = "scheduled" | "processing" | "completed" | "failed" | "cancelled";

export type PixKeyType = "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP";

/** Who asked for a withdrawal, and how; `history`: it was there before the sandbox started. */
export type WithdrawalSource = "api" | "split" | "dashboard" | "history";

/** A withdrawal with all that will become of it; its state follows from the instant it is read at. */
export interface Withdrawal {
  readonly txid: string;
  readonly source: WithdrawalSource;
  /** Whose split balance it takes; undefined: it takes the account's own balance. */
  readonly recipient: string | undefined;
  /** The request as it came. */
  readonly asked: unknown;
  readonly amountCents: number;
  readonly turbo: boolean;
  readonly pixKey: string;
  readonly pixKeyType: PixKeyType;
  readonly requestedAt: Temporal.Instant;
  /** When a normal one leaves `scheduled`; undefined for turbo. */
  readonly scheduledFor: Temporal.Instant | undefined;
  readonly end: {
    readonly status: "completed" | "failed" | "cancelled";
    readonly at: Temporal.Instant;
    readonly reason?: string;
    readonly code?: string;
  };
}

export const NORMAL_FEE_CENTS = 50;
export const TURBO_FEE_CENTS = 350;

/** Source: service.md 1. */
export const withdrawalFeeCents = (turbo: boolean): number =>
  turbo ? TURBO_FEE_CENTS : NORMAL_FEE_CENTS;

const reached = (instant: Temporal.Instant, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(instant, now) <= 0;

/** Source: service.md 3.1. */
export const withdrawalStatus = (
  withdrawal: Withdrawal,
  now: Temporal.Instant,
): WithdrawalStatus => {
  if (reached(withdrawal.end.at, now)) return withdrawal.end.status;
  const { scheduledFor } = withdrawal;
  return scheduledFor !== undefined && !reached(scheduledFor, now) ? "scheduled" : "processing";
};

/** The last instant, by `now`, at which the withdrawal changed. */
export const withdrawalUpdatedAt = (
  withdrawal: Withdrawal,
  now: Temporal.Instant,
): Temporal.Instant => {
  const steps = [withdrawal.end.at, withdrawal.scheduledFor];
  return steps.find((step) => step !== undefined && reached(step, now)) ?? withdrawal.requestedAt;
};

/**
 * Whether it keeps another from being asked for. The document speaks of one "in processing" and of one "pending";
 * this sandbox takes a scheduled one for pending too.
 */
export const isPending = (withdrawal: Withdrawal, now: Temporal.Instant): boolean => {
  const status = withdrawalStatus(withdrawal, now);
  return status === "scheduled" || status === "processing";
};

/** Whether its value went back to the balance it came from. Source: service.md 3.1. */
export const isReturned = (withdrawal: Withdrawal, now: Temporal.Instant): boolean => {
  const status = withdrawalStatus(withdrawal, now);
  return status === "failed" || status === "cancelled";
};
