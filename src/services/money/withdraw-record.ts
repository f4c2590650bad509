import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import { type SendAnswer, stepOfAnswer } from "./withdraw-answer-step.ts";
import { currentOf, opAfter, outcomeNotice, takeBackDoubts } from "./withdraw-step.ts";

/** Answers of the service that the database did not take yet: this process knows them, the journal does not. */
export type Unrecorded = Map<string, { readonly op: WithdrawOp; readonly answer: SendAnswer }>;

const TRIES = 3;

const isIllegal = (error: unknown): boolean => error instanceof RangeError;

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
  if (await takeBackDoubts(needs, result.op)) {
    await needs.enqueue(outcomeNotice(needs, result.op, undefined, now), now);
  }
  return result.op;
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
      if (tries < TRIES) continue;
      unrecorded.set(sending.id, { op: sending, answer });
      throw error;
    }
  }
};
