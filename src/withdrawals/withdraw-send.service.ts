import type { Connection } from "../accounts/asker.service.ts";
import { isTurbo, isUncertain, isWithdrawal, type WithdrawOp } from "./withdraw-op.ts";
import { LEASE_MS, type Transition, type WithdrawChange } from "./withdraw-journal.ts";
import type { WalletKey } from "../accounts/wallet-key.ts";
import { SECOND } from "../shared/time.ts";
import { UserError } from "../shared/errors.ts";
import { isDatabaseAway } from "../shared/store-errors.ts";
import type { MoneyNeeds } from "./money-services.service.ts";
import { isReturned } from "./withdrawal.ts";
import { settled, valueOf } from "../shared/settled.ts";
import {
  currentOf,
  opAfter,
  outcomeDelivery,
  type SendAnswer,
  stepOfAnswer,
  retractUncertainNotices,
} from "./withdraw-transition.service.ts";
import { lateRefundRefusal, rereadDenied } from "./refunds/withdraw-refund.service.ts";
import { lateCancelRefusal, lateRefusal } from "./withdraw-rules.service.ts";
import { findEarlierMade, watchExternalWithdrawals } from "./external-withdrawals.service.ts";
import { claim } from "./withdraw-reconcile.service.ts";

/** A process delayed for longer since its commit does not send. */
const MOST_HELD_UP_MS = 30 * SECOND;

/** Answers of the service, in memory only until the database takes them. */
export type Unrecorded = Map<string, { readonly op: WithdrawOp; readonly answer: SendAnswer }>;

/** A confirmed operation that passed every check, with the connection and the key to send it by. */
export interface Confirmed {
  readonly op: WithdrawOp;
  readonly connection: Connection;
  readonly pixKey: string;
}

const HELD_UP = "held_up";

const NOT_SENT = {
  state: "not_sent",
  reason: "paced",
  errorCode: HELD_UP,
  retryAfterMs: undefined,
} as const satisfies SendAnswer;

/** An outcome that only reading can tell. */
const unclear = (errorCode: string, requestId?: string): SendAnswer => ({
  state: "unknown",
  errorCode,
  httpStatus: undefined,
  requestId,
});

/**
 * Takes a confirmed operation through its only request: commit `sending`, send, classify the answer, commit the
 * result. Source: decisions 1.2.
 */
export const sendOnce = async (
  needs: MoneyNeeds,
  { op: confirmed, connection, pixKey }: Confirmed,
  unrecorded: Unrecorded,
): Promise<{ readonly op: WithdrawOp; readonly answer: SendAnswer | undefined }> => {
  const { key } = connection;
  const { facts, denied, declared } = await whileUnsent(() => snapshot(needs, confirmed, key));
  // Before the last readings, so that a dispute opened during the wait is seen.
  if (confirmed.kind === "refund") await needs.wallet.refundTurn(key);
  const refused = await whileUnsent(async () => {
    // A returned one moved since the question all the same.
    const moved = denied.length > 0 ? "sent_meanwhile" : undefined;
    const wasMade = denied.some(({ withdrawal }) => !isReturned(withdrawal.status));
    const earlier = wasMade || declared !== undefined ? "earlier_was_made" : moved;
    const refund = confirmed.kind === "refund";
    const forbidden = refund
      ? await lateRefundRefusal(needs, confirmed, connection)
      : await lateCancelRefusal(needs, confirmed, key);
    const refusal = earlier ?? forbidden ?? (await lateRefusal(needs, confirmed));
    // The readings are of before a sleep of the machine, and so is the person's wish.
    const reason = refusal ?? (isOutlasted(needs, confirmed) ? HELD_UP : undefined);
    return reason && (await refuse(needs, confirmed, reason));
  });
  if (refused !== undefined) {
    await whileUnsent(async () => {
      for (const made of denied) await claim(needs, made.op, made.withdrawal);
      if (declared !== undefined) {
        await watchExternalWithdrawals(needs, connection.account, key.apiKey);
      }
      if (refused.errorCode === "payment_refunded") {
        const earlier = await needs.journal.refundsOf(refused.targetTxid ?? "");
        for (const op of earlier) await rereadDenied(needs, op, key);
      }
    });
    return { op: refused, answer: undefined };
  }
  const isHeldUp = startTimer(needs);
  const step = await whileUnsent(() => stepToSending(needs, confirmed, facts, unrecorded));
  if (step.kind !== "went") {
    return { op: step.kind === "stopped" ? step.op : confirmed, answer: undefined };
  }
  const answer = isHeldUp() ? NOT_SENT : await send(needs, step.op, key, pixKey);
  return { op: await recordAnswer(needs, step.op, answer, unrecorded), answer };
};

/**
 * Wraps work before the request: when the database fails, no money moved and this confirmation will move none.
 * @throws UserError database_away
 */
export const whileUnsent = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work();
  } catch (error) {
    if (isDatabaseAway(error)) throw new UserError({ kind: "database_away" });
    throw error;
  }
};

/** The account just before the request; unreadable parts keep the draft's values. */
const snapshot = async (needs: MoneyNeeds, op: WithdrawOp, key: WalletKey) => {
  if (op.kind === "refund") {
    // Only the answer's clock is of use: a later reading compares it with ours.
    const page = valueOf(await settled(needs.wallet.withdrawals(key, "money")));
    return { facts: { skewMs: page?.skewMs }, denied: [], declared: undefined };
  }
  if (!isWithdrawal(op.kind)) return { facts: {}, denied: [], declared: undefined };
  const [list, balance] = await Promise.all([
    settled(needs.wallet.withdrawals(key, "money")),
    settled(needs.wallet.balance(key, "money")),
  ]);
  const page = valueOf(list);
  const facts = {
    preBalance: valueOf(balance)?.available,
    ...(page && { preTxids: page.items.map(({ txid }) => txid), skewMs: page.skewMs }),
  };
  return { facts, ...(await findEarlierMade(needs, key, page, "money")) };
};

/**
 * Whether the lease of the confirmation is over, as after a machine slept: a sweep may not have come yet, and the reply may
 * take no edit any more.
 */
const isOutlasted = ({ clock }: MoneyNeeds, { confirmedAt, updatedAt }: WithdrawOp): boolean =>
  clock.now().epochMilliseconds - (confirmedAt ?? updatedAt).epochMilliseconds > LEASE_MS;

/** Ends a confirmed operation that must not be sent, also by message where its reply may be past its last edit. */
const refuse = async (needs: MoneyNeeds, op: WithdrawOp, reason: string): Promise<WithdrawOp> => {
  const now = needs.clock.now();
  const step = { to: "refused_local", change: { errorCode: reason }, reason } as const;
  const after = opAfter(op, step.to, step.change, now);
  const notices = isOutlasted(needs, op) ? [outcomeDelivery(needs, after, undefined, now)] : [];
  const result = await needs.journal.move(op, { ...step, notices }, now);
  return result.kind === "moved" ? result.op : await currentOf(needs, op);
};

/**
 * A timer by two clocks, because the monotonic clock stands still while the machine sleeps. The result tells whether
 * the time is over.
 */
const startTimer = ({ monotonicMs, clock }: MoneyNeeds): (() => boolean) => {
  const beganMs = monotonicMs();
  const beganAtMs = clock.now().epochMilliseconds;
  return () =>
    monotonicMs() - beganMs > MOST_HELD_UP_MS ||
    clock.now().epochMilliseconds - beganAtMs > MOST_HELD_UP_MS;
};

/** Commits `sending`. After an uncertain commit, this process remembers that it did not send. */
const stepToSending = async (
  needs: MoneyNeeds,
  confirmed: WithdrawOp,
  seen: WithdrawChange,
  unrecorded: Unrecorded,
): ReturnType<typeof stepBeforeSending> => {
  const now = needs.clock.now();
  const change = { ...seen, sentAt: now };
  try {
    const step = { to: "sending", change, reason: "sending" } as const;
    return await stepBeforeSending(needs, confirmed, step);
  } catch (error) {
    if (isDatabaseAway(error)) {
      const answer = { ...NOT_SENT, errorCode: "commit_uncertain" };
      unrecorded.set(confirmed.id, { op: opAfter(confirmed, "sending", change, now), answer });
    }
    throw error;
  }
};

/**
 * Commits a step before the request. After an uncertain commit the request is not sent: the journal is read again, and
 * an operation that this step left open is ended at once instead of at the end of its lease.
 * @returns `stopped`: the operation ended before the request
 * @throws the database's error when the journal is unreadable too; the sweep ends the operation later
 */
export const stepBeforeSending = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  step: Transition & { readonly to: "confirmed" | "sending" },
): Promise<
  | { readonly kind: "went" | "stopped"; readonly op: WithdrawOp }
  | { readonly kind: "account_busy" }
  | { readonly kind: "not_connected" }
> => {
  const { journal, clock, log } = needs;
  try {
    const result = await journal.move(op, step, clock.now());
    if (result.kind === "moved") return { kind: "went", op: result.op };
    const { kind } = result;
    if (kind === "account_busy" || kind === "not_connected") return { kind };
    return { kind: "stopped", op: await currentOf(needs, op) };
  } catch (error) {
    if (error instanceof RangeError) throw error;
    log.error({ op: op.id, to: step.to, err: error }, "a step could not be committed for sure");
    const current = await journal.find(op.id);
    if (current === undefined || current.state === "draft") throw error;
    const to = endWithoutSending(op, step.to, current);
    if (to === undefined) return { kind: "stopped", op: current };
    const change = { errorCode: "commit_uncertain", nextCheckAt: undefined };
    const end = { to, change, reason: "commit_uncertain" } as const;
    const ended = await journal.move(current, end, clock.now());
    const after = ended.kind === "moved" ? ended.op : await currentOf(needs, current);
    return { kind: "stopped", op: after };
  }
};

/**
 * The state that ends an operation without a request; undefined: leave it alone. Only the confirming process commits
 * `sending`, so exactly the next version is our own step.
 */
const endWithoutSending = (
  before: WithdrawOp,
  to: "confirmed" | "sending",
  current: WithdrawOp,
): "refused_local" | "not_sent" | undefined => {
  if (current.state === "confirmed") return "refused_local";
  const ours = to === "sending" && current.version === before.version + 1;
  return current.state === "sending" && ours ? "not_sent" : undefined;
};

/** The only request. An unexpected error counts as an unclear outcome. */
const send = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  key: WalletKey,
  pixKey: string,
): Promise<SendAnswer> => {
  const { wallet } = needs;
  const turbo = isTurbo(op.kind);
  try {
    switch (op.kind) {
      case "normal":
      case "turbo":
        if (op.amount === undefined) return { ...NOT_SENT, reason: "invalid_request" };
        return await wallet.withdraw(key, { amount: op.amount, pixKey, turbo });
      case "split_normal":
      case "split_turbo": {
        const { recipientId: recipientUserId = "" } = op;
        return await wallet.splitWithdraw(key, { recipientUserId, pixKey, turbo });
      }
      case "cancel":
        return await wallet.cancelWithdrawal(key, op.targetTxid ?? "");
      case "refund":
        return await wallet.refund(key, op.targetTxid ?? "");
      default:
        return op.kind satisfies never;
    }
  } catch (error) {
    needs.log.error({ op: op.id, err: error }, "the one request failed unexpectedly");
    return unclear("unexpected");
  }
};

const RECORD_TRIES = 3;

const isIllegal = (error: unknown): boolean => error instanceof RangeError;

/**
 * Takes the operation out of `sending` exactly once, by the service's answer. Safe to repeat after an uncertain
 * commit, because the step applies only to `sending`.
 * @throws the database's error when it stays away, or where another withdrawal locks the account of one that a fail-over
 * gave back; `unrecorded` then keeps the answer
 */
export const recordAnswer = async (
  needs: MoneyNeeds,
  sending: WithdrawOp,
  answer: SendAnswer,
  unrecorded: Unrecorded,
): Promise<WithdrawOp> => {
  for (let tries = 1; ; tries++) {
    try {
      const op =
        (await recordUnclear(needs, sending, answer)) ?? (await recordLate(needs, sending, answer));
      unrecorded.delete(sending.id);
      return op;
    } catch (error) {
      if (isIllegal(error)) throw error;
      needs.log.error({ op: sending.id, err: error, tries }, "an answer could not be recorded");
      if (tries < RECORD_TRIES) continue;
      unrecorded.set(sending.id, { op: sending, answer });
      throw error;
    }
  }
};

const recordUnclear = async (
  needs: MoneyNeeds,
  sending: WithdrawOp,
  answer: SendAnswer,
): Promise<WithdrawOp | undefined> => {
  const now = needs.clock.now();
  const step = stepOfAnswer(sending, answer, now);
  const after = opAfter(sending, step.to, step.change, now);
  const isTold = step.to === "unknown" || isOutlasted(needs, sending);
  const notices = isTold ? [outcomeDelivery(needs, after, undefined, now)] : [];
  const result = await needs.journal.move(sending, { ...step, notices }, now);
  if (result.kind === "moved") return result.op;
  if (result.kind !== "txid_taken") return undefined;
  // Another operation already has this txid: only reading can tell who owns the withdrawal.
  const requestId = answer.state === "accepted" ? answer.requestId : undefined;
  return await recordUnclear(needs, sending, unclear("txid_taken", requestId));
};

/**
 * Another process took the operation out of `sending` first, or a fail-over lost the steps to it, which are taken again, also
 * where its question has run out since. A late answer adds only its txid; reading settles the rest.
 */
const recordLate = async (
  needs: MoneyNeeds,
  sending: WithdrawOp,
  answer: SendAnswer,
): Promise<WithdrawOp> => {
  const { journal, clock } = needs;
  const current = await currentOf(needs, sending);
  if (answer.state !== "accepted" && answer.state !== "unknown") return current;
  const now = clock.now();
  if (current.state === "draft" || current.state === "abandoned") {
    const result = await journal.move(current, { to: "confirmed", reason: "restored" }, now);
    if (result.kind !== "account_busy") return await recordLate(needs, sending, answer);
    // Another withdrawal took its lock meanwhile: the answer waits in memory until that one ends.
    if (isWithdrawal(sending.kind)) throw new Error("Another withdrawal locks the account");
    return current;
  }
  if (current.state === "confirmed") {
    const change = { sentAt: sending.sentAt, nextCheckAt: now };
    const after = opAfter(current, "unknown", change, now);
    const notices =
      answer.state === "unknown" ? [outcomeDelivery(needs, after, undefined, now)] : [];
    await journal.move(current, { to: "unknown", change, reason: "restored", notices }, now);
    return await recordLate(needs, sending, answer);
  }
  // Its owner may have been asked meanwhile. One with a txid was found by reading.
  const isUnclear = isUncertain(current.state) && current.txid === undefined;
  if (!isUnclear || answer.state === "unknown") return current;
  const result = await journal.move(current, stepOfAnswer(current, answer, now), now);
  if (result.kind !== "moved") return await currentOf(needs, current);
  // The reply to the click shows the result, unless a sleep outlasted it; a message about the doubt needs a message that
  // settles it.
  if ((await retractUncertainNotices(needs, result.op)) || isOutlasted(needs, sending)) {
    await needs.enqueue(outcomeDelivery(needs, result.op, undefined, now), now);
  }
  return result.op;
};
