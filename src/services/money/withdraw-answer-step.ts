import type { AcceptedWithdrawal, CancelAnswer, WithdrawAnswer } from "../../domain/withdrawal.ts";
import type { WithdrawChange } from "../../domain/withdraw-journal.ts";
import type { WithdrawOp, WithdrawState } from "../../domain/withdraw-op.ts";
import { nextFollowCheck, nextUnknownCheck } from "../../domain/check-schedule.ts";
import type { SentFacts } from "./money-services.ts";
import { opAfter } from "./withdraw-step.ts";

export type SendAnswer = WithdrawAnswer | CancelAnswer;

const acceptedFacts = (op: WithdrawOp, value: AcceptedWithdrawal): WithdrawChange => ({
  txid: value.txid,
  // What was confirmed stays as it was confirmed; only a split learns its amount here.
  amount: op.amount ?? value.amount,
  fee: value.fee,
  net: value.net,
  scheduledFor: value.estimatedProcessingAt,
});

export interface AnswerStep {
  readonly to: WithdrawState;
  readonly change: WithdrawChange;
  readonly reason: string;
}

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
