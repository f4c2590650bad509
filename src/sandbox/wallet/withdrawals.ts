import { failure, isoTime, ok, reais, type Answer } from "./answer.ts";
import type { ResourceRequest } from "./resource.ts";
import {
  withdrawalFeeCents,
  withdrawalStatus,
  withdrawalUpdatedAt,
  type Withdrawal,
  type WithdrawalStatus,
} from "./withdrawal-book.ts";

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
  const feeCents = withdrawalFeeCents(found.turbo);
  const transferId = found.turbo ? `trf_${found.txid.slice(-12)}` : null;
  const bankKnown = status === "completed" || (found.turbo && status === "processing");
  return {
    txid: found.txid,
    amount: reais(found.amountCents),
    netAmount: reais(found.amountCents - feeCents),
    fee: reais(feeCents),
    status,
    paymentType: found.turbo ? "turbo" : "normal",
    pixKey: found.pixKey,
    pixKeyType: found.pixKeyType,
    bankName: bankKnown ? "Cooperativa Serra Clara" : null,
    accountHolder: status === "failed" || status === "cancelled" ? null : "Titular do sandbox",
    transferId,
    isTurbo: found.turbo,
    requestedAt: isoTime(found.requestedAt),
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

/** The processor's own words; the document shows none, so nothing may depend on them. */
const transferStatus = (status: WithdrawalStatus) => {
  if (status === "completed")
    return { status: "DONE", lastStatus: "PROCESSING", provider: PROVIDER };
  if (status === "failed")
    return { status: "FAILED", lastStatus: "PROCESSING", provider: PROVIDER };
  return { status: "PROCESSING", lastStatus: "CREATED", provider: PROVIDER };
};
