import { readOpCode } from "../../domain/op-code.ts";
import { UserError } from "../../shared/errors.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { ManualDecision, WithdrawStatus } from "./money-services.ts";
import { ownOp } from "./withdraw-check.ts";
import { statusOf } from "./withdraw-status.ts";
import { noticeKey, opAfter, outcomeNotice, takeBackDoubts } from "./withdraw-step.ts";

/**
 * See `WithdrawalsService.decide`. Only whoever asked for the operation decides, in their own words: the typed code. Who
 * decided what is kept with the operation and its events.
 */
export const decideManual = async (
  needs: MoneyNeeds,
  { actor, opId, typedCode, happened }: ManualDecision,
): Promise<WithdrawStatus> => {
  const op = await ownOp(needs, actor, opId);
  if (op.state !== "manual") return await statusOf(needs, op);
  if (readOpCode(typedCode) !== op.id) throw new UserError({ kind: "wrong_op_code" });
  const resolution = happened ? "happened" : "did_not_happen";
  const now = needs.clock.now();
  const to = "resolved_manual";
  const change = { resolvedBy: actor.userId, resolution, nextCheckAt: undefined } as const;
  const notices = [outcomeNotice(needs, opAfter(op, to, change, now), undefined, now)];
  const reason = `owner_says_${resolution}`;
  const result = await needs.journal.move(op, { to, change, reason, notices }, now);
  if (result.kind !== "moved") return await statusOf(needs, await ownOp(needs, actor, op.id));
  const isAskedThere = await takeBackDoubts(needs, result.op);
  // Decided in a server, the question would stay the last direct message; decided there, the answer takes its place.
  if (!isAskedThere || actor.guildId === "") await needs.retract(noticeKey(result.op), now);
  needs.wake();
  return await statusOf(needs, result.op);
};
