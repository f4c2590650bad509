import { type Connection, connectionOfAsker } from "../../accounts/asker.service.ts";
import type { WalletKey } from "../../accounts/wallet-key.ts";
import { readRefundLock } from "../../disputes/refund-lock.service.ts";
import { guardsOf } from "../../money-guards/money-guards.service.ts";
import { byTheService, daysOfSale } from "../../reports/sales-days.ts";
import { isRefusedKey, UserError } from "../../shared/errors.ts";
import { isWireId } from "../../shared/ids.ts";
import { foundOr, problemOf, settled, supportCodesOf, valueOf } from "../../shared/settled.ts";
import type { Transaction } from "../../transactions/transaction.ts";
import type { Actor, MoneyNeeds } from "../money-services.service.ts";
import { mayHaveRefunded, SETTLED_MS } from "../reconcile.ts";
import { refundWaitsUntil, requireCompared } from "../restore/restore-check.service.ts";
import { connectionOfOp, originOf } from "../withdraw-account.service.ts";
import { newDraft, NO_KEY } from "../withdraw-draft.service.ts";
import type { RefundConfirmation } from "../withdraw-facts.ts";
import {
  checkLater,
  type CheckResult,
  countAbsent,
  keepState,
  priorityOf,
  type Reader,
} from "../withdraw-follow.service.ts";
import {
  isDenied,
  isOpen,
  mayBecome,
  type RefundRefusal,
  wasAccepted,
  wasMade,
  type WithdrawOp,
} from "../withdraw-op.ts";
import { requireEnabled, requireFree, requireUnderCap } from "../withdraw-rules.service.ts";
import { currentOf, quietly, takeStep } from "../withdraw-transition.service.ts";

/**
 * Draft of a refund, to be confirmed like a withdrawal. Moves no money.
 * @throws UserError refunds_disabled, txid_unreadable, not_connected, money_locked, restored_database,
 *   refund_after_restore, refund_busy, payment_not_found, not_a_payment, payment_refunded, payment_not_approved,
 *   payment_disputed, disputes_unreadable, daily_cap_exceeded
 * @throws WalletError
 */
export const prepareRefund = async (
  needs: MoneyNeeds,
  actor: Actor,
  typedTxid: string,
): Promise<RefundConfirmation> => {
  const typed = typedTxid.trim();
  if (!isWireId(typed)) throw new UserError({ kind: "txid_unreadable", given: typed });
  const connection = await connectionOfAsker(needs, actor);
  const guards = await guardsOf(needs, actor.userId);
  const accountFp = connection.key.fingerprint;
  await requireCompared(needs, connection);
  // A payment of another account reads as a missing one.
  const read = await settled(needs.wallet.transaction(connection.key, typed, "interactive"));
  const payment = foundOr(read, { kind: "payment_not_found" });
  // The service's own spelling: two spellings of one payment would escape the rule of one open refund.
  const { txid } = payment;
  // Only now, as the answer tells about refunds of other people, and the payment proves to be of this account.
  await requireFree(needs, guards, { accountFp, kind: "refund", targetTxid: txid });
  await requireRefundable(needs, payment);
  const lost = await refundWaitsUntil(needs, payment);
  if (lost !== undefined) throw new UserError({ kind: "refund_after_restore", ...lost });
  await requireUndisputed(needs, connection, txid);
  // Only now: it sends people to the service, where a refund might repeat one in doubt.
  requireEnabled(needs, "refund");
  await requireUnderCap(needs, guards, { amount: payment.amount, isRefund: true });
  const unlistedDisputes = await countUnlistedDisputes(needs, connection.key);
  const draft = await newDraft(needs, {
    ...originOf(actor, connection),
    ...NO_KEY,
    kind: "refund",
    amount: payment.amount,
    targetTxid: txid,
  });
  const pinRequired = guards.pin !== undefined;
  return { kind: "refund", ...draft, pinRequired, payment, unlistedDisputes };
};

/** @throws UserError not_a_payment, payment_refunded, payment_not_approved */
const requireRefundable = async (needs: MoneyNeeds, payment: Transaction): Promise<void> => {
  const { type, status } = payment;
  if (type !== "payment") throw new UserError({ kind: "not_a_payment" });
  if (status === "refunded") {
    await correctDenied(needs, payment);
    throw new UserError({ kind: "payment_refunded" });
  }
  if (status !== "approved") throw new UserError({ kind: "payment_not_approved", status });
};

/** @throws WalletError unauthorized; UserError payment_disputed, disputes_unreadable */
const requireUndisputed = async (
  needs: MoneyNeeds,
  connection: Connection,
  txid: string,
): Promise<void> => {
  const lock = await readRefundLock(needs, connection, txid, "interactive");
  if (lock.refused === false) return;
  if (lock.refused === "unreadable")
    throw new UserError({ kind: "disputes_unreadable" }, lock.error);
  const { why, infractionId } = lock;
  throw new UserError({ kind: "payment_disputed", why, infractionId });
};

/** Disputes that the service counts and does not list; undefined when either reading failed. */
const countUnlistedDisputes = async (
  { wallet }: Pick<MoneyNeeds, "wallet">,
  key: WalletKey,
): Promise<number | undefined> => {
  const [summary, list] = await Promise.all([
    settled(wallet.disputeSummary(key, "interactive")),
    settled(wallet.disputes(key, "interactive")),
  ]);
  const [total, listed] = [valueOf(summary)?.byStatus.total, valueOf(list)?.items.length];
  return total === undefined || listed === undefined ? undefined : Math.max(0, total - listed);
};

/**
 * Reads the payment and its disputes once more, after the confirmation and just before the request: a dispute may have
 * been opened, or the dashboard may have refunded it.
 * @returns why the refund must not be sent
 */
export const lateRefundRefusal = async (
  needs: MoneyNeeds,
  { targetTxid = "", amount }: Pick<WithdrawOp, "targetTxid" | "amount">,
  connection: Connection,
): Promise<RefundRefusal | undefined> => {
  const read = await settled(needs.wallet.transaction(connection.key, targetTxid, "money"));
  if (!read.ok && isRefusedKey(read.error)) return "key_refused";
  // Last, because the payment may be read slowly, and a dispute be opened meanwhile.
  const disputes = await settled(readRefundLock(needs, connection, targetTxid, "money"));
  if (!disputes.ok) return "key_refused";
  const lock = disputes.value;
  if (lock.refused === "unreadable") return "disputes_unreadable";
  if (lock.refused) return lock.why === "open" ? "dispute_open" : "dispute_returned";
  if (!read.ok) return "payment_unreadable";
  const payment = read.value;
  if (payment.status === "refunded") return "payment_refunded";
  if ((await refundWaitsUntil(needs, payment)) !== undefined) return "refund_after_restore";
  const same = payment.type === "payment" && payment.amount === amount;
  return same && payment.status === "approved" ? undefined : "payment_changed";
};

/** Reads the payment that a refund is about, and derives the outcome of the refund from its status alone. */
export const checkRefund = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  key: WalletKey,
  reader: Reader,
): Promise<CheckResult> => {
  const readAt = needs.clock.now();
  const read = await settled(
    needs.wallet.transaction(key, op.targetTxid ?? "", priorityOf(reader)),
  );
  if (read.ok && read.value.status === "refunded")
    return { op: await complete(needs, op, "payment_refunded", read.value) };
  const problem = read.ok ? undefined : problemOf(read.error);
  const unread = { problem, supportCodes: supportCodesOf([read]) };
  if (op.state === "accepted")
    return { op: await keepState(needs, op, undefined, problem), ...unread };
  // The service said yes: only the owner can say that it never happened.
  if (read.ok && read.value.status === "approved" && !wasAccepted(op))
    return { op: await countUnrefunded(needs, op, key, reader, readAt) };
  return { op: await checkLater(needs, op, {}, problem), ...unread };
};

type RefundedSale = Pick<Transaction, "createdAt" | "skewMs">;

const complete = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  reason: string,
  payment: RefundedSale,
): Promise<WithdrawOp> => {
  if (!mayBecome(op.state, "completed")) return op;
  // Before the step: a process that ends in between does both again.
  await quietly(needs, op, markSale(needs, op, payment));
  return (await takeStep(needs, op, { to: "completed", reason, notify: true })).op;
};

/** Has the days of the refunded sale read again. */
const markSale = async (
  { salesDays, clock }: Pick<MoneyNeeds, "clock" | "salesDays">,
  { accountFp }: Pick<WithdrawOp, "accountFp">,
  payment: RefundedSale,
): Promise<void> => {
  const { from, to } = daysOfSale(payment.createdAt);
  await salesDays.readAgain(accountFp, from, to, byTheService(clock.now(), payment));
};

/** The same for a refund that its owner confirmed by hand, if the payment can be read: the journal keeps no day of it. */
export const markConfirmedSale = async (needs: MoneyNeeds, op: WithdrawOp): Promise<void> => {
  const connection = await connectionOfOp(needs, op, "job");
  if (connection === undefined) return;
  const { key } = connection;
  const payment = await needs.wallet.transaction(key, op.targetTxid ?? "", "interactive");
  await markSale(needs, op, payment);
};

/**
 * A payment that is still approved days after the request, read twice, was not refunded. The days have to have passed
 * by the service's clock as well: a step of ours proves nothing.
 */
const countUnrefunded = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  key: WalletKey,
  reader: Reader,
  readAt: Temporal.Instant,
): Promise<WithdrawOp> => {
  const { sentAt, skewMs } = op;
  if (sentAt === undefined || skewMs === undefined) return await checkLater(needs, op);
  if (readAt.epochMilliseconds - sentAt.epochMilliseconds < SETTLED_MS)
    return await checkLater(needs, op);
  const list = await settled(needs.wallet.withdrawals(key, priorityOf(reader)));
  const skewNowMs = valueOf(list)?.skewMs;
  if (skewNowMs === undefined) return await checkLater(needs, op);
  return await countAbsent(needs, op, readAt, skewNowMs, "still_approved");
};

/** Whether the service, readings or its owner denied it. */
const isSaidNotMade = (op: WithdrawOp): boolean =>
  isDenied(op) || (op.state === "resolved_manual" && !wasMade(op));

/**
 * Corrects the latest denied refund that may have refunded a payment by the time of the payment's change, unless another refund of it is
 * open or has ended well.
 */
const correctDenied = async (
  needs: MoneyNeeds,
  payment: RefundedSale & Pick<Transaction, "txid" | "updatedAt">,
): Promise<void> => {
  const { txid, updatedAt } = payment;
  const refunds = await needs.journal.refundsOf(txid);
  const isExplained = refunds.some((refund) => isOpen(refund.state) || wasMade(refund));
  const denied = refunds.find(
    (refund) => isSaidNotMade(refund) && mayHaveRefunded(refund, updatedAt),
  );
  if (!isExplained && denied !== undefined)
    await complete(needs, denied, "found_refunded", payment);
};

/** Reads the payment of a denied refund, for a person: the service may show it as refunded after all. */
export const rereadDenied = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  key: WalletKey,
): Promise<CheckResult> => {
  if (!isSaidNotMade(op)) return { op };
  const read = await settled(needs.wallet.transaction(key, op.targetTxid ?? "", "interactive"));
  if (!read.ok) return { op, problem: read.error.kind, supportCodes: supportCodesOf([read]) };
  if (read.value.status !== "refunded") return { op };
  await correctDenied(needs, read.value);
  return { op: await currentOf(needs, op) };
};
