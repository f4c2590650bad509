import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { WithdrawStatus } from "./money-services.ts";
import { type SendAnswer, sentFactsOf } from "./withdraw-answer-step.ts";
import { checkOp } from "./withdraw-check.ts";
import { noteKeyUsed, noteSplitBalance } from "./withdraw-side-notes.ts";
import { statusOf } from "./withdraw-status.ts";

/** What else follows from an answer, and what the person is told of it. */
export const afterSending = async (
  needs: MoneyNeeds,
  { op, answer }: { readonly op: WithdrawOp; readonly answer: SendAnswer | undefined },
): Promise<WithdrawStatus> => {
  needs.wake();
  if (answer === undefined) return await statusOf(needs, op);
  const sent = sentFactsOf(answer);
  await noteSplitBalance(needs, op, sent.newSplitBalance ?? sent.rejected?.shortfall?.available);
  if (answer.state === "accepted") await noteKeyUsed(needs, op);
  if (op.kind !== "cancel" || op.state !== "accepted") return await statusOf(needs, op, { sent });
  const look = await checkOp(needs, op, "person");
  return await statusOf(needs, look.op, { ...look, sent });
};
