import { readOpCode } from "../../domain/withdraw-op.ts";
import { UserError } from "../../shared/errors.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { ManualDecision, WithdrawStatus } from "./money-services.ts";
import { checkOp, ownOp } from "./withdraw-check.ts";
import { statusOf } from "./withdraw-status.ts";
import { noticeKey, opAfter, outcomeNotice, takeBackDoubts } from "./withdraw-step.ts";

/**
 * See `WithdrawalsService.decide`. Only whoever asked for the operation decides, in their own words: the typed code. Who
 * decided what is kept with the operation and its events. What the service shows by then is read first.
 */
export const decideManual = async (
  needs: MoneyNeeds,
  { actor, opId, typedCode, happened }: ManualDecision,
): Promise<WithdrawStatus> => {
  const op = await ownOp(needs, actor, opId);
  if (op.state !== "manual") return await statusOf(needs, op);
  if (readOpCode(typedCode) !== op.id) throw new UserError({ kind: "wrong_op_code" });
  // Freeing an account is believed only of what one more reading does not show to have happened.
  const { op: latest } = happened ? { op } : await checkOp(needs, op, "person");
  if (latest.state !== "manual") return await statusOf(needs, latest);
  const resolution = happened ? "happened" : "did_not_happen";
  const now = needs.clock.now();
  const to = "resolved_manual";
  const change = { resolvedBy: actor.userId, resolution, nextCheckAt: undefined } as const;
  const notices = [outcomeNotice(needs, opAfter(latest, to, change, now), undefined, now)];
  const reason = `owner_says_${resolution}`;
  const result = await needs.journal.move(latest, { to, change, reason, notices }, now);
  if (result.kind !== "moved") return await statusOf(needs, await ownOp(needs, actor, op.id));
  const isAskedThere = await takeBackDoubts(needs, result.op);
  // Decided in a server, the question would stay the last direct message; decided there, the answer takes its place.
  if (!isAskedThere || actor.guildId === "") await needs.retract(noticeKey(result.op), now);
  needs.wake();
  return await statusOf(needs, result.op);
};
