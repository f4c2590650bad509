import { readOpCode } from "../../domain/op-code.ts";
import { UserError } from "../../shared/errors.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { ManualDecision, WithdrawStatus } from "./money-services.ts";
import { checkOp, ownOp } from "./withdraw-check.ts";
import { statusOf } from "./withdraw-status.ts";
import { noticeKey } from "./withdraw-step.ts";

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
  const result = await needs.journal.move(
    latest,
    {
      to: "resolved_manual",
      change: { resolvedBy: actor.userId, resolution, nextCheckAt: undefined },
      reason: `owner_says_${resolution}`,
    },
    now,
  );
  if (result.kind !== "moved") return await statusOf(needs, await ownOp(needs, actor, op.id));
  // The message that asks for the decision is no longer true.
  await needs.retract(noticeKey(op), now);
  return await statusOf(needs, result.op);
};
