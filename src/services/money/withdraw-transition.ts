import { type NewDelivery, notice } from "../../domain/delivery.ts";
import type {
  AcceptedWithdrawal,
  CancelAnswer,
  Withdrawal,
  WithdrawAnswer,
} from "../../domain/withdrawal.ts";
import type { MoveResult, WithdrawChange } from "../../domain/withdraw-journal.ts";
import { wasTaken, type WithdrawOp, type WithdrawState } from "../../domain/withdraw-op.ts";
import { SECOND } from "../../shared/time.ts";
import type { SentFacts, WithdrawStatus } from "../../domain/withdraw-facts.ts";
import type { MoneyNeeds } from "./money-services.ts";
import { nextFollowCheck, nextUnknownCheck } from "../../domain/check-schedule.ts";
import type { WalletErrorKind } from "../../shared/errors.ts";
import { keyOfOp } from "./withdraw-key.ts";
import type { Cents } from "../../shared/money.ts";

export type SendAnswer = WithdrawAnswer | CancelAnswer;

interface Step {
  readonly to: WithdrawState;
  readonly change: WithdrawChange;
  readonly reason: string;
  readonly withdrawal: Withdrawal | undefined;
  /** Whether the owner gets a direct message unless the reply could be edited. */
  readonly notify: boolean;
}

/** What a step came to; `op` is the operation as it stands now. */
interface Stepped {
  readonly kind: MoveResult["kind"];
  readonly op: WithdrawOp;
}

const DOUBTS: readonly WithdrawState[] = ["unknown", "manual"];

/** Takes a step that people see: the journal and the message that is owed first, then the private reply. */
export const takeStep = async (needs: MoneyNeeds, op: WithdrawOp, step: Step): Promise<Stepped> => {
  const { to, change, reason, withdrawal, notify } = step;
  const now = needs.clock.now();
  const notices = notify
    ? [outcomeNotice(needs, opAfter(op, to, change, now), withdrawal, now)]
    : [];
  const result = await needs.journal.move(op, { to, change, reason, notices }, now);
  if (result.kind !== "moved") {
    return { kind: result.kind, op: await currentOf(needs, op) };
  }
  needs.log.info({ op: op.id, from: op.state, to, reason }, "withdrawal");
  // What says nothing itself leaves standing what is still true: that it was found.
  if (notify || DOUBTS.includes(op.state)) await retractNotice(needs, op);
  await show(needs, result.op, withdrawal);
  needs.wake();
  return { kind: "moved", op: result.op };
};

/**
 * Edits the private reply, and takes the message back that said the same, unless a message told of a doubt: an edit
 * notifies no person, and the last message would be that doubt. A failure costs nothing: the message goes.
 */
export const show = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  withdrawal: Withdrawal | undefined,
): Promise<void> => {
  try {
    if (!(await needs.show(await statusOf(needs, op, { withdrawal })))) return;
    if (await retractUncertainNotices(needs, op)) return;
    await needs.retract(noticeKey(op), needs.clock.now());
  } catch (error) {
    needs.log.warn({ op: op.id, err: error }, "a withdrawal could not be shown");
  }
};

/**
 * Takes back messages which say that the outcome is not known, of states before the one that it is in.
 * @returns whether the owner may have got one of them
 */
export const retractUncertainNotices = async (
  needs: Pick<MoneyNeeds, "retract" | "clock">,
  op: Pick<WithdrawOp, "id" | "state">,
): Promise<boolean> => {
  const now = needs.clock.now();
  let isTold = false;
  for (const state of DOUBTS.filter((doubt) => doubt !== op.state)) {
    if (!(await needs.retract(noticeKey({ id: op.id, state }), now))) isTold = true;
  }
  return isTold;
};

/** What was said of the state before is no longer true: unless it was sent, it stays unsaid. */
const retractNotice = async (needs: MoneyNeeds, before: WithdrawOp): Promise<void> => {
  try {
    await needs.retract(noticeKey(before), needs.clock.now());
  } catch (error) {
    needs.log.warn({ op: before.id, err: error }, "a message could not be taken back");
  }
};

/** Time for the private reply to be edited first, which makes the direct message needless. */
const NOTICE_DELAY_MS = 30 * SECOND;

/** Names the message about one state of an operation, so that it is owed once and can be taken back. */
export const noticeKey = ({ id, state }: Pick<WithdrawOp, "id" | "state">): string =>
  `withdrawal|${id}|${state}`;

/** The direct message about the state that an operation is in. */
export const outcomeNotice = (
  needs: Pick<MoneyNeeds, "notices">,
  op: WithdrawOp,
  withdrawal: Withdrawal | undefined,
  now: Temporal.Instant,
): NewDelivery => {
  const post = {
    dedupeKey: noticeKey(op),
    guildId: op.guildId,
    // Not of the account: its removal would cancel the message, and the owner still has to know.
    accountId: null,
    notBefore: now.add({ milliseconds: NOTICE_DELAY_MS }),
  };
  return notice(op.ownerId, post, (reference) =>
    needs.notices.outcome({ op, withdrawal, reference }),
  );
};

/** The operation as it will be after a step, for what is said of it in the same transaction. */
export const opAfter = (
  op: WithdrawOp,
  to: WithdrawState,
  change: WithdrawChange,
  now: Temporal.Instant,
): WithdrawOp => {
  const { confirmTokenHash: _, ...facts } = change;
  // As the journal does: a fact that is not known now leaves the known one standing.
  const known = Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  ) as typeof facts;
  return { ...op, ...known, state: to, version: op.version + 1, updatedAt: now };
};

/** The operation as the journal has it now, after somebody else may have moved it on. */
export const currentOf = async (
  { journal }: Pick<MoneyNeeds, "journal">,
  op: WithdrawOp,
): Promise<WithdrawOp> => (await journal.find(op.id)) ?? op;

/** The step that follows from the answer to the one request. */
export const stepOfAnswer = (
  op: WithdrawOp,
  answer: SendAnswer,
  now: Temporal.Instant,
): AnswerStep => {
  if (answer.state === "accepted") {
    const value: AcceptedWithdrawal | undefined = answer.value;
    const facts: WithdrawChange = value === undefined ? {} : acceptedFacts(op, value);
    const after = opAfter(op, "accepted", facts, now);
    // A cancellation is followed by reading what became of its withdrawal, at once.
    const nextCheckAt = op.kind === "cancel" ? now : nextFollowCheck(after, now);
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

interface AnswerStep {
  readonly to: WithdrawState;
  readonly change: WithdrawChange;
  readonly reason: string;
}

const acceptedFacts = (op: WithdrawOp, value: AcceptedWithdrawal): WithdrawChange => ({
  txid: value.txid,
  // What was confirmed stays as it was confirmed; only a split learns its amount here.
  amount: op.amount ?? value.amount,
  fee: value.fee,
  net: value.net,
  scheduledFor: value.estimatedProcessingAt,
});

/** What the answer said beyond what the journal keeps. */
export const sentFactsOf = (answer: SendAnswer): SentFacts => {
  const value: AcceptedWithdrawal | undefined =
    answer.state === "accepted" ? answer.value : undefined;
  const rejected =
    answer.state === "rejected"
      ? {
          reason: answer.reason,
          message: answer.message,
          retryAfterMs: answer.retryAfterMs,
          shortfall: answer.shortfall,
        }
      : undefined;
  return {
    rejected,
    pacedForMs: answer.state === "not_sent" ? answer.retryAfterMs : undefined,
    pixKeyOwner: value?.pixKeyOwner,
    previousSplitBalance: value?.previousBalance,
    newSplitBalance: value?.newBalance,
  };
};

/** What was learnt of an operation beside the journal. */
interface StatusFacts {
  readonly withdrawal?: Withdrawal | undefined;
  readonly problem?: WalletErrorKind | undefined;
  readonly supportCodes?: readonly string[] | undefined;
  readonly sent?: SentFacts | undefined;
}

/** An operation as the person reads it now. */
export const statusOf = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  facts: StatusFacts = {},
): Promise<WithdrawStatus> => ({
  kind: "status",
  op,
  withdrawal: facts.withdrawal,
  problem: facts.problem,
  supportCodes: facts.supportCodes,
  readAt: needs.clock.now(),
  sent: facts.sent,
  keySavable: await keySavable(needs, op),
});

/** A key is worth keeping once a withdrawal to it was taken. */
const keySavable = async (needs: MoneyNeeds, op: WithdrawOp): Promise<boolean> => {
  if (op.kind === "cancel" || !wasTaken(op.state)) return false;
  if ((await keyOfOp(needs, op)) === undefined) return false;
  return !(await needs.pixKeys.isSaved(op.ownerId, op.pixKeyHash));
};

/** Beside the journal nothing here is the truth: a failure is logged and costs a convenience. */
export const quietly = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  work: Promise<unknown>,
): Promise<void> => {
  try {
    await work;
  } catch (error) {
    needs.log.warn({ op: op.id, err: error }, "something after a withdrawal failed");
  }
};

/** A key to which the service took a withdrawal is no new one any more. */
export const noteKeyUsed = async (needs: MoneyNeeds, op: WithdrawOp): Promise<void> => {
  if (op.kind === "cancel") return;
  const { pixKeys, clock } = needs;
  await quietly(needs, op, pixKeys.markUsed(op.ownerId, op.pixKeyHash, clock.now()));
};

/** What the service last said of a recipient, whose balance cannot be asked for. */
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
