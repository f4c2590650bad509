import { isTurbo, type WithdrawOp } from "../../domain/withdraw-op.ts";
import type { Transition, WithdrawChange } from "../../domain/withdraw-journal.ts";
import type { WalletKey } from "../../domain/wallet-key.ts";
import { SECOND } from "../../shared/time.ts";
import { DatabaseAwayError, UserError } from "../../shared/errors.ts";
import type { MoneyNeeds } from "./money-services.ts";
import { settled, valueOf } from "../wallet-reading.ts";
import {
  currentOf,
  opAfter,
  outcomeNotice,
  type SendAnswer,
  stepOfAnswer,
  retractUncertainNotices,
} from "./withdraw-transition.ts";
import { lateRefusal } from "./withdraw-rules.ts";
import { claim, findDenied } from "./withdraw-reconcile.ts";

/** Longer than all deadlines of the one request together. */
export const LEASE_MS = 90 * SECOND;
/** A process that was held up for longer since its commit leaves the request out. */
const MOST_HELD_UP_MS = 30 * SECOND;

/** Answers of the service that the database did not take yet: this process knows them, the journal does not. */
export type Unrecorded = Map<string, { readonly op: WithdrawOp; readonly answer: SendAnswer }>;

const NOT_SENT = {
  state: "not_sent",
  reason: "paced",
  errorCode: "held_up",
  retryAfterMs: undefined,
} as const satisfies SendAnswer;

/**
 * From `confirmed` through the one request to what it came to: journal first, one request, classified, out of `sending`.
 * Source: decisions 1.2.
 */
export const sendOnce = async (
  needs: MoneyNeeds,
  confirmed: WithdrawOp,
  target: {
    readonly key: WalletKey;
    readonly pixKey: string;
    /** When the person was shown what they confirmed. */
    readonly shownAt: Temporal.Instant;
  },
  unrecorded: Unrecorded,
): Promise<{ readonly op: WithdrawOp; readonly answer: SendAnswer | undefined }> => {
  const { key, pixKey, shownAt } = target;
  const { facts, denied } = await snapshot(needs, confirmed, key);
  const refused = await whileUnsent(async () => {
    const earlier = denied.length > 0 ? "earlier_was_made" : undefined;
    const refusal = earlier ?? (await lateRefusal(needs, confirmed, shownAt));
    return refusal && (await refuse(needs, confirmed, refusal));
  });
  if (refused !== undefined) {
    for (const made of denied) await claim(needs, made.op, made.withdrawal);
    return { op: refused, answer: undefined };
  }
  const isHeldUp = watchOf(needs);
  const step = await whileUnsent(() => stepToSending(needs, confirmed, facts, unrecorded));
  if (step.kind !== "went") {
    return { op: step.kind === "stopped" ? step.op : confirmed, answer: undefined };
  }
  const answer = isHeldUp() ? NOT_SENT : await send(needs, step.op, key, pixKey);
  return { op: await recordAnswer(needs, step.op, answer, unrecorded), answer };
};

/**
 * Work before the one request: when the database goes away in it, no money moved and none will by this confirmation.
 * @throws UserError database_away
 */
export const whileUnsent = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DatabaseAwayError) throw new UserError({ kind: "database_away" });
    throw error;
  }
};

/** What the account shows just before the request; the draft's own snapshot stands when it cannot be read. */
const snapshot = async (needs: MoneyNeeds, op: WithdrawOp, key: WalletKey) => {
  if (op.kind === "cancel") return { facts: {}, denied: [] };
  const [list, balance] = await Promise.all([
    settled(needs.wallet.withdrawals(key, "money")),
    settled(needs.wallet.balance(key, "money")),
  ]);
  const page = valueOf(list);
  const facts = {
    preBalance: valueOf(balance)?.available,
    ...(page && { preTxids: page.items.map(({ txid }) => txid), skewMs: page.skewMs }),
  };
  return { facts, denied: await findDenied(needs, key, page, "money") };
};

/** Ends what was confirmed and must not be sent. */
const refuse = async (needs: MoneyNeeds, op: WithdrawOp, reason: string): Promise<WithdrawOp> => {
  const step = { to: "refused_local", change: { errorCode: reason }, reason } as const;
  const result = await needs.journal.move(op, step, needs.clock.now());
  return result.kind === "moved" ? result.op : await currentOf(needs, op);
};

/** Tells whether it took too long since now, by either clock: the monotonic one stands still while the machine sleeps. */
const watchOf = ({ monotonicMs, clock }: MoneyNeeds): (() => boolean) => {
  const beganMs = monotonicMs();
  const beganAtMs = clock.now().epochMilliseconds;
  return () =>
    monotonicMs() - beganMs > MOST_HELD_UP_MS ||
    clock.now().epochMilliseconds - beganAtMs > MOST_HELD_UP_MS;
};

/** The step to `sending`. What this process left out because its commit cannot be told, it remembers as not sent. */
const stepToSending = async (
  needs: MoneyNeeds,
  confirmed: WithdrawOp,
  seen: WithdrawChange,
  unrecorded: Unrecorded,
): ReturnType<typeof stepBeforeSending> => {
  const now = needs.clock.now();
  const change = { ...seen, sentAt: now };
  try {
    return await stepBeforeSending(needs, confirmed, {
      to: "sending",
      change,
      lease: { owner: needs.owner, ms: LEASE_MS },
      reason: "sending",
    });
  } catch (error) {
    if (error instanceof DatabaseAwayError) {
      const answer = { ...NOT_SENT, errorCode: "commit_uncertain" };
      unrecorded.set(confirmed.id, { op: opAfter(confirmed, "sending", change, now), answer });
    }
    throw error;
  }
};

/** How the way to the request ended before it: `op` is the operation as it stands, and nothing was sent. */
type Stopped = { readonly kind: "stopped"; readonly op: WithdrawOp };
type Went = { readonly kind: "went"; readonly op: WithdrawOp };

/**
 * One step on the way to the request. When its commit cannot be told, nothing is sent: the journal is read again, and
 * an operation that would only wait for its lease to end is ended at once.
 * @throws what the database throws when it cannot be read either; the sweep ends the operation then.
 */
export const stepBeforeSending = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  step: Transition & { readonly to: "confirmed" | "sending" },
): Promise<Went | Stopped | { readonly kind: "account_busy" }> => {
  const { journal, clock, log } = needs;
  try {
    const result = await journal.move(op, step, clock.now());
    if (result.kind === "moved") return { kind: "went", op: result.op };
    if (result.kind === "account_busy") return { kind: "account_busy" };
    return { kind: "stopped", op: await currentOf(needs, op) };
  } catch (error) {
    if (error instanceof RangeError) throw error;
    log.error({ op: op.id, to: step.to, err: error }, "a step could not be committed for sure");
    const current = await journal.find(op.id);
    if (current === undefined || current.state === "draft") throw error;
    const to = endWithoutSending(op, step.to, current);
    if (to === undefined) return { kind: "stopped", op: current };
    const change = { errorCode: "commit_uncertain", nextCheckAt: undefined };
    const ended = await journal.move(
      current,
      { to, change, reason: "commit_uncertain" },
      clock.now(),
    );
    return {
      kind: "stopped",
      op: ended.kind === "moved" ? ended.op : await currentOf(needs, current),
    };
  }
};

/**
 * How an operation ends of which we sent nothing. Only whoever confirmed it takes it to `sending`, so that one version
 * on it can only be our own step; anything further is somebody else's, and left alone.
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

/** The one request. Nothing that goes wrong with it is an error: it would be an unclear outcome. */
const send = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  key: WalletKey,
  pixKey: string,
): Promise<SendAnswer> => {
  const { wallet } = needs;
  const turbo = isTurbo(op.kind);
  try {
    if (op.kind === "cancel") return await wallet.cancelWithdrawal(key, op.targetTxid ?? "");
    if (op.recipientId !== undefined) {
      return await wallet.splitWithdraw(key, { recipientUserId: op.recipientId, pixKey, turbo });
    }
    if (op.amount === undefined) return { ...NOT_SENT, reason: "invalid_request" };
    return await wallet.withdraw(key, { amount: op.amount, pixKey, turbo });
  } catch (error) {
    needs.log.error({ op: op.id, err: error }, "the one request failed unexpectedly");
    return {
      state: "unknown",
      errorCode: "unexpected",
      httpStatus: undefined,
      requestId: undefined,
    };
  }
};

const RECORD_TRIES = 3;

const isIllegal = (error: unknown): boolean => error instanceof RangeError;

/**
 * Takes the operation out of `sending` by what the service answered, exactly once. Repeating it after a commit that
 * cannot be told is harmless, because the step is taken only from `sending`.
 * @throws what the database throws when it stays away; the answer is then kept in `unrecorded`.
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
  const notices = step.to === "unknown" ? [outcomeNotice(needs, after, undefined, now)] : [];
  const result = await needs.journal.move(sending, { ...step, notices }, now);
  if (result.kind === "moved") return result.op;
  if (result.kind !== "txid_taken") return undefined;
  // The service named a withdrawal that is another operation's: whose it is, only reading can tell.
  return await recordUnclear(needs, sending, {
    state: "unknown",
    errorCode: "txid_taken",
    httpStatus: undefined,
    requestId: answer.state === "accepted" ? answer.requestId : undefined,
  });
};

/**
 * Somebody took the operation out of `sending` before us. What we know and they do not is the txid: it is kept. Any
 * other answer comes too late, and reading tells the truth.
 */
const recordLate = async (
  needs: MoneyNeeds,
  sending: WithdrawOp,
  answer: SendAnswer,
): Promise<WithdrawOp> => {
  const { journal, clock } = needs;
  const current = await currentOf(needs, sending);
  if (current.state !== "unknown" || answer.state !== "accepted") return current;
  const now = clock.now();
  const result = await journal.move(current, stepOfAnswer(current, answer, now), now);
  if (result.kind !== "moved") return await currentOf(needs, current);
  // The reply to the click shows it; a message that told of the doubt is answered by a message.
  if (await retractUncertainNotices(needs, result.op)) {
    await needs.enqueue(outcomeNotice(needs, result.op, undefined, now), now);
  }
  return result.op;
};
