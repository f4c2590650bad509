import type { AcceptedWithdrawal, Withdrawal } from "#src/withdrawals/withdrawal.ts";
import type { Transaction } from "#src/transactions/transaction.ts";
import { quoteOf } from "#src/withdrawals/withdraw-limits.ts";
import { cents } from "#src/shared/money.ts";
import type { TrueWithdrawal } from "./truth.ts";
import { UNTOLD } from "../../withdrawals/plain-wallet.ts";

type Theirs = (ms: number) => Temporal.Instant;

const feesOf = (row: TrueWithdrawal) => {
  const { fee, net } = quoteOf(row.amount, row.turbo);
  return { amount: row.amount, fee, net };
};

const planOf = (row: TrueWithdrawal, theirs: Theirs): Temporal.Instant | undefined =>
  row.plannedMs === undefined ? undefined : theirs(row.plannedMs);

const modalityOf = ({ turbo }: TrueWithdrawal) => (turbo ? "turbo" : "normal");

/** `GET /v1/withdrawals/{txid}` */
export const detailOf = (
  row: TrueWithdrawal,
  theirs: Theirs,
  shownKey: (pixKey: string) => string,
): Withdrawal => ({
  txid: row.txid,
  ...feesOf(row),
  status: row.status,
  modality: modalityOf(row),
  isTurbo: row.turbo,
  pixKey: shownKey(row.pixKey),
  pixKeyType: "EMAIL",
  ...UNTOLD,
  requestedAt: theirs(row.requestedMs),
  scheduledFor: planOf(row, theirs),
  completedAt: row.status === "completed" ? theirs(row.changedMs) : undefined,
  failedAt: row.status === "failed" ? theirs(row.changedMs) : undefined,
  createdAt: theirs(row.requestedMs),
  updatedAt: theirs(row.changedMs),
});

/** `GET /v1/transactions/{txid}`, which never fails. */
export const transactionOf = (row: TrueWithdrawal, theirs: Theirs): Transaction => ({
  txid: row.txid,
  ...feesOf(row),
  type: "withdrawal",
  status: row.status === "completed" ? "approved" : "processing",
  modality: modalityOf(row),
  description: undefined,
  redirectUrl: undefined,
  providerId: undefined,
  payer: undefined,
  withdrawal: undefined,
  createdAt: theirs(row.requestedMs),
  updatedAt: theirs(row.changedMs),
});

const NOTHING_SAID = {
  amount: undefined,
  fee: undefined,
  net: undefined,
  pixKeyOwner: undefined,
  estimatedProcessingAt: undefined,
  previousBalance: undefined,
  newBalance: undefined,
} as const satisfies Omit<AcceptedWithdrawal, "txid">;

/** An answer with only the txid readable. */
export const onlyTxid = ({ txid }: TrueWithdrawal): AcceptedWithdrawal => ({
  ...NOTHING_SAID,
  txid,
});

export const acceptedOf = (row: TrueWithdrawal, theirs: Theirs): AcceptedWithdrawal => ({
  ...NOTHING_SAID,
  txid: row.txid,
  ...feesOf(row),
  estimatedProcessingAt: planOf(row, theirs),
  ...(row.txid.startsWith("SW") && { previousBalance: row.amount, newBalance: cents(0) }),
});
