import { type NewDelivery, notice } from "../delivery/delivery.ts";
import type { AcceptedWithdrawal, CancelAnswer, Withdrawal, WithdrawAnswer } from "./withdrawal.ts";
import type { MoveResult, Transition, WithdrawChange } from "./withdraw-journal.ts";
import {
  noticeKey,
  noticeKeys,
  isDespiteRefusal,
  isOpen,
  isUncertain,
  isWithdrawal,
  otherAmount,
  uncertainStates,
  wasTaken,
  type WithdrawOp,
  type WithdrawState,
} from "./withdraw-op.ts";
import { SECOND } from "../shared/time.ts";
import type { ReadFacts, SentFacts, WithdrawStatus } from "./withdraw-facts.ts";
import type { MoneyNeeds } from "./money-services.service.ts";
import { nextAcceptedCheck, nextUnknownCheck } from "./check-schedule.ts";
import { keyOfOp } from "./withdraw-account.service.ts";
import type { Cents } from "../shared/money.ts";

export type SendAnswer = WithdrawAnswer | CancelAnswer;

interface Step extends Pick<Transition, "to" | "change" | "reason"> {
  readonly withdrawal?: Withdrawal | undefined;
  /** Whether it ends the checks for want of a key. */
  readonly withoutKey?: boolean;
  /** Whether the owner gets a direct message, unless the edit of the private reply makes it needless. */
  readonly notify: boolean;
}

/** `op` is the operation as it stands now. */
interface Stepped {
  readonly kind: MoveResult["kind"];
  readonly op: WithdrawOp;
}

/** Takes the visible step of a check: commits the journal with its message first, then edits the private reply. */
export const takeStep = async (needs: MoneyNeeds, op: WithdrawOp, step: Step): Promise<Stepped> => {
  const { to, reason, withdrawal, withoutKey, notify } = step;
  const change = { ...step.change, checks: op.checks + 1 };
  const now = needs.clock.now();
  const notices = notify
    ? [outcomeDelivery(needs, opAfter(op, to, change, now), withdrawal, now, withoutKey)]
    : [];
  const result = await needs.journal.move(op, { to, change, reason, notices }, now);
  if (result.kind !== "moved") {
    return { kind: result.kind, op: await currentOf(needs, op) };
  }
  needs.log.info({ op: op.id, from: op.state, to, reason }, "withdrawal");
  // A silent step keeps the unsent message about the previous state, unless that message expressed a doubt.
  if (notify || isUncertain(op.state)) {
    const retracted = noticeKeys(op).map((key) => needs.retract(key, needs.clock.now()));
    await quietly(needs, op, Promise.all(retracted), "a message could not be taken back");
  }
  await show(needs, result.op, withdrawal, withoutKey);
  needs.wake();
  return { kind: "moved", op: result.op };
};

/**
 * Edits the private reply, and cancels the message with the same content where the withdrawal goes as its owner confirmed.
 * Discord takes the edit also when no client shows the reply any more, and an edit notifies nobody: a failure, a
 * cancellation, a decision to make or another amount is told by message too, and so is the end of an earlier message's
 * doubt or an earlier reply's wrong refusal. After a failure to edit the message is sent.
 */
export const show = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  withdrawal: Withdrawal | undefined,
  withoutKey?: boolean,
): Promise<void> => {
  try {
    const isShown = await needs.show(await statusOf(needs, op, { withdrawal, withoutKey }));
    // An edit that Discord took late spares no message about a later state.
    if (isShown && (await currentOf(needs, op)).state === op.state) await spareNotice(needs, op);
  } catch (error) {
    needs.log.warn({ op: op.id, err: error }, "a withdrawal could not be shown");
  }
};

/** Cancels the message with the content of an answer or an edit that Discord took, where that suffices; see `show`. */
const spareNotice = async (needs: MoneyNeeds, op: WithdrawOp): Promise<void> => {
  if ((await retractUncertainNotices(needs, op)) || !goesAsConfirmed(op)) return;
  await needs.retract(noticeKey(op), needs.clock.now());
};

/** After Discord took an answer with the operation as `op`: one that it took late gives way to the present state. */
export const noteAnswered = async (needs: MoneyNeeds, op: WithdrawOp): Promise<void> => {
  const current = await currentOf(needs, op);
  await (current.state === op.state ? spareNotice(needs, op) : show(needs, current, undefined));
};

const goesAsConfirmed = (op: WithdrawOp): boolean =>
  wasTaken(op.state) && !isDespiteRefusal(op) && otherAmount(op) === undefined;

/**
 * Cancels unsent messages that say the outcome is unknown, except that of the current state.
 * @returns whether such a message may have reached the owner
 */
export const retractUncertainNotices = async (
  needs: Pick<MoneyNeeds, "retract" | "clock">,
  { id, state: present }: Pick<WithdrawOp, "id" | "state">,
): Promise<boolean> => {
  const now = needs.clock.now();
  let mayHaveBeenSent = false;
  const doubts = uncertainStates.filter((doubt) => doubt !== present);
  for (const key of doubts.flatMap((state) => noticeKeys({ id, state }))) {
    if (!(await needs.retract(key, now))) mayHaveBeenSent = true;
  }
  return mayHaveBeenSent;
};

/** Delay of the direct message; an edit of the private reply within it may make the message needless. */
const NOTICE_DELAY_MS = 30 * SECOND;

/** Direct message about the operation's current state. */
export const outcomeDelivery = (
  needs: Pick<MoneyNeeds, "notices">,
  op: WithdrawOp,
  withdrawal: Withdrawal | undefined,
  now: Temporal.Instant,
  withoutKey?: boolean,
): NewDelivery => {
  const post = {
    dedupeKey: noticeKey(op, withoutKey),
    guildId: op.guildId,
    // Not of the account: its removal would cancel the message, and the owner still has to know.
    accountId: null,
    // Replaces no question while it goes on: the person may have to answer it after all, and it is asked once.
    opId: isOpen(op.state) && wasTaken(op.state) ? undefined : op.id,
    notBefore: now.add({ milliseconds: NOTICE_DELAY_MS }),
  };
  return notice(op.ownerId, post, (reference) =>
    needs.notices.outcome({ op, withdrawal, withoutKey, reference }),
  );
};

/** The operation as a step will leave it, for the message in the same transaction. */
export const opAfter = (
  op: WithdrawOp,
  to: WithdrawState,
  change: WithdrawChange,
  now: Temporal.Instant,
): WithdrawOp => {
  // Like the journal, an undefined fact keeps the known value.
  const known = Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  ) as typeof change;
  return { ...op, ...known, state: to, version: op.version + 1, updatedAt: now };
};

/** The operation as the journal has it now. */
export const currentOf = async (
  { journal }: Pick<MoneyNeeds, "journal">,
  op: WithdrawOp,
): Promise<WithdrawOp> => (await journal.find(op.id)) ?? op;

/** The step for an answer to the request. */
export const stepOfAnswer = (
  op: WithdrawOp,
  answer: SendAnswer,
  now: Temporal.Instant,
): Required<Pick<Transition, "to" | "change" | "reason">> => {
  if (answer.state === "accepted") {
    const value: AcceptedWithdrawal | undefined = answer.value;
    const facts = {
      txid: value?.txid,
      // Only a split learns its amount from the answer; other amounts stay as confirmed.
      amount: op.amount ?? value?.amount,
      fee: value?.fee,
      net: value?.net,
      scheduledFor: value?.estimatedProcessingAt,
    };
    const after = opAfter(op, "accepted", facts, now);
    // A cancellation and a refund are checked at once by reading their target.
    const nextCheckAt = isWithdrawal(op.kind) ? nextAcceptedCheck(after, now) : now;
    const { httpStatus, requestId } = answer;
    return {
      to: "accepted",
      change: { ...facts, httpStatus, requestId, nextCheckAt },
      reason: "answer_accepted",
    };
  }
  if (answer.state === "rejected") {
    const { httpStatus, requestId, reason } = answer;
    const change = { httpStatus, requestId, errorCode: reason };
    return { to: "rejected", change, reason: `answer_${reason}` };
  }
  if (answer.state === "not_sent") {
    const change = { errorCode: answer.errorCode };
    return { to: "not_sent", change, reason: `not_sent_${answer.reason}` };
  }
  const { httpStatus, requestId, errorCode } = answer;
  const nextCheckAt = nextUnknownCheck(op, now) ?? now;
  const change = { httpStatus, requestId, errorCode, nextCheckAt };
  return { to: "unknown", change, reason: "answer_unclear" };
};

/** Facts of the answer that the journal does not keep. */
export const sentFactsOf = (answer: SendAnswer): SentFacts => {
  const value: AcceptedWithdrawal | undefined =
    answer.state === "accepted" ? answer.value : undefined;
  return {
    rejected: answer.state === "rejected" ? answer : undefined,
    pacedForMs: answer.state === "not_sent" ? answer.retryAfterMs : undefined,
    pixKeyOwner: value?.pixKeyOwner,
    previousSplitBalance: value?.previousBalance,
    newSplitBalance: value?.newBalance,
  };
};

/** The owner's withdrawal that a cancellation is about; undefined if it was made elsewhere or by another person. */
export const ownTargetOf = async (
  { journal }: Pick<MoneyNeeds, "journal">,
  { kind, accountFp, ownerId, targetTxid }: WithdrawOp,
): Promise<WithdrawOp | undefined> => {
  if (kind !== "cancel" || targetTxid === undefined) return undefined;
  const target = await journal.findByTxid(accountFp, targetTxid);
  return target?.ownerId === ownerId ? target : undefined;
};

/** An operation as people see it now, with `facts` that the journal does not keep. */
export const statusOf = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  facts: Pick<WithdrawStatus, keyof ReadFacts | "sent"> = {},
): Promise<WithdrawStatus> => ({
  ...facts,
  kind: "status",
  op,
  readAt: needs.clock.now(),
  target: await ownTargetOf(needs, op),
  keySavable: await keySavable(needs, op),
  withdrawEnabled: needs.withdrawEnabled,
});

/** A key is offered for saving once the service accepted a withdrawal to it. */
const keySavable = async (needs: MoneyNeeds, op: WithdrawOp): Promise<boolean> => {
  if (!isWithdrawal(op.kind) || !wasTaken(op.state)) return false;
  if ((await keyOfOp(needs, op)) === undefined) return false;
  return !(await needs.pixKeys.isSaved(op.ownerId, op.pixKeyHash));
};

/** For work beside the journal: a failure is logged and costs only a convenience. */
export const quietly = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  work: Promise<unknown>,
  failure = "something after a withdrawal failed",
): Promise<void> => {
  try {
    await work;
  } catch (error) {
    needs.log.warn({ op: op.id, err: error }, failure);
  }
};

/** Ends the key's status as new, after the service accepted a withdrawal to it. */
export const noteKeyUsed = async (needs: MoneyNeeds, op: WithdrawOp): Promise<void> => {
  if (!isWithdrawal(op.kind)) return;
  const { pixKeys, clock } = needs;
  await quietly(needs, op, pixKeys.markUsed(op.ownerId, op.pixKeyHash, clock.now()));
};

/** Notes the split balance from the service's answer: the service has no request for it. */
export const noteSplitBalance = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  balance: Cents | undefined,
): Promise<void> => {
  if (op.recipientId === undefined || balance === undefined) return;
  const { splitBalances, clock } = needs;
  const noted = splitBalances.note(op.accountFp, op.recipientId, balance, clock.now());
  await quietly(needs, op, noted);
};
