import { amounts, type Answer, failure, isoTime, ok, type ResourceRequest } from "./resource.ts";

export type WithdrawalStatus = "scheduled" | "processing" | "completed" | "failed" | "cancelled";

export type PixKeyType = "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP";

/** Origin of a withdrawal; `history`: made before the sandbox started. */
export type WithdrawalSource = "api" | "split" | "dashboard" | "history";

/** A withdrawal with its planned end; its status follows from the time of reading. */
export interface Withdrawal {
  readonly txid: string;
  readonly source: WithdrawalSource;
  /** Owner of the split balance that it takes; undefined for the account's own balance. */
  readonly recipient: string | undefined;
  /** The request as received, or the order of the dashboard. */
  readonly asked: unknown;
  readonly amountCents: number;
  readonly turbo: boolean;
  readonly pixKey: string;
  readonly pixKeyType: PixKeyType;
  readonly requestedAt: Temporal.Instant;
  /** When a normal withdrawal leaves `scheduled`; undefined for turbo. */
  readonly scheduledFor: Temporal.Instant | undefined;
  /** When it ends, or ended, and how. */
  readonly end: {
    readonly status: "completed" | "failed" | "cancelled";
    readonly at: Temporal.Instant;
    readonly reason?: string;
    readonly code?: string;
  };
}

const NORMAL_FEE_CENTS = 50;
const TURBO_FEE_CENTS = 350;

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
 * Whether it blocks another withdrawal. The document speaks of a withdrawal "in processing" and of a "pending" one;
 * this sandbox counts a scheduled withdrawal as pending too.
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

/**
 * `GET /v1/withdrawals`: one page, newest first, as long as the settings say. Shape and paging are not documented.
 * Source: service.md 4.7.
 */
export const withdrawalList = ({ merchant, now, settings }: ResourceRequest): Answer => {
  const rows = merchant.withdrawals
    .toReversed()
    .toSorted((a, b) => Temporal.Instant.compare(b.requestedAt, a.requestedAt))
    .slice(0, settings.withdrawalPageSize)
    .map((each) => row(each, now));
  return ok({ withdrawals: rows });
};

const row = (withdrawal: Withdrawal, now: Temporal.Instant) => {
  const feeCents = withdrawalFeeCents(withdrawal.turbo);
  return {
    txid: withdrawal.txid,
    ...amounts(withdrawal.amountCents, feeCents),
    status: withdrawalStatus(withdrawal, now),
    paymentType: withdrawal.turbo ? "turbo" : "normal",
    requestedAt: isoTime(withdrawal.requestedAt),
  };
};

const PROVIDER = "RedePaga";

/** `GET /v1/withdrawals/{txid}`. Source: service.md 2.4 and 4.3. */
export const withdrawalDetail = ({ merchant, id, now }: ResourceRequest): Answer => {
  const found = merchant.withdrawals.find(({ txid }) => txid === id);
  if (found === undefined) return failure(404, "Saque não encontrado.");
  const status = withdrawalStatus(found, now);
  return ok({
    withdrawal: detail(found, status, now),
    transferStatus: found.turbo ? transferStatus(status) : null,
  });
};

const detail = (found: Withdrawal, status: WithdrawalStatus, now: Temporal.Instant) => {
  const transferId = found.turbo ? `trf_${found.txid.slice(-12)}` : null;
  const bankKnown = status === "completed" || (found.turbo && status === "processing");
  return {
    ...row(found, now),
    pixKey: found.pixKey,
    pixKeyType: found.pixKeyType,
    bankName: bankKnown ? "Cooperativa Serra Clara" : null,
    accountHolder: status === "failed" || status === "cancelled" ? null : "Titular do sandbox",
    transferId,
    isTurbo: found.turbo,
    scheduledFor: found.scheduledFor === undefined ? null : isoTime(found.scheduledFor),
    completedAt: status === "completed" ? isoTime(found.end.at) : null,
    failedAt: status === "failed" ? isoTime(found.end.at) : null,
    failReason: status === "failed" ? (found.end.reason ?? null) : null,
    metadata: metadata(found, status, transferId),
    createdAt: isoTime(found.requestedAt),
    updatedAt: isoTime(withdrawalUpdatedAt(found, now)),
  };
};

const metadata = (found: Withdrawal, status: WithdrawalStatus, transferId: string | null) => ({
  ...(transferId === null ? {} : { provider_transfer_id: transferId }),
  ...(status === "cancelled" ? {} : { balanceAlreadyDeducted: true }),
  ...(status === "failed" && found.end.code !== undefined ? { error_code: found.end.code } : {}),
});

/** Status texts of the processor, invented here: clients must not depend on them. */
const transferStatus = (status: WithdrawalStatus) => {
  if (status === "completed")
    return { status: "DONE", lastStatus: "PROCESSING", provider: PROVIDER };
  if (status === "failed")
    return { status: "FAILED", lastStatus: "PROCESSING", provider: PROVIDER };
  return { status: "PROCESSING", lastStatus: "CREATED", provider: PROVIDER };
};
