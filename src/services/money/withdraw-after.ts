import type { RejectReason } from "../../domain/withdraw-answer.ts";
import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import { watchGhosts } from "./ghost-watch.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { WithdrawStatus } from "./money-services.ts";
import type { Connection } from "./withdraw-account.ts";
import { type SendAnswer, sentFactsOf } from "./withdraw-answer-step.ts";
import { checkOp } from "./withdraw-check.ts";
import { noteKeyUsed, noteSplitBalance, quietly } from "./withdraw-side-notes.ts";
import { statusOf } from "./withdraw-status.ts";

/** After 409 something is pending at the service that may not be ours: a look at the list, while nobody waits. */
const lookWhy = (
  needs: MoneyNeeds,
  op: WithdrawOp,
  reason: RejectReason | undefined,
  { account, key }: Connection,
): void => {
  if (reason !== "conflict") return;
  void quietly(needs, op, watchGhosts(needs, account, key.apiKey));
};

/** What else follows from an answer, and what the person is told of it. */
export const afterSending = async (
  needs: MoneyNeeds,
  { op, answer }: { readonly op: WithdrawOp; readonly answer: SendAnswer | undefined },
  connection: Connection,
): Promise<WithdrawStatus> => {
  needs.wake();
  if (answer === undefined) return await statusOf(needs, op);
  const sent = sentFactsOf(answer);
  await noteSplitBalance(needs, op, sent.newSplitBalance ?? sent.rejected?.shortfall?.available);
  if (answer.state === "accepted") await noteKeyUsed(needs, op);
  lookWhy(needs, op, sent.rejected?.reason, connection);
  if (op.kind !== "cancel" || op.state !== "accepted") return await statusOf(needs, op, { sent });
  const look = await checkOp(needs, op, "person");
  return await statusOf(needs, look.op, { ...look, sent });
};
