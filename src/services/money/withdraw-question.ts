import { isTurbo, type WithdrawOp } from "../../domain/withdraw-op.ts";
import { UserError } from "../../shared/errors.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type {
  Actor,
  Confirmation,
  KeyQuestion,
  WithdrawOrder,
  WithdrawStatus,
} from "./money-services.ts";
import { prepareCancel } from "./withdraw-cancel.ts";
import { answeredKey, keyOfOp } from "./withdraw-key.ts";
import { prepareTo, prepareWithdrawal } from "./withdraw-prepare.ts";
import { statusOf } from "./withdraw-status.ts";
import {
  draftOfToken,
  expired,
  gone,
  isLive,
  isQuestion,
  ranOut,
  requireOwnButton,
} from "./withdraw-token.ts";

const orderOf = (op: WithdrawOp, actor: Actor, digits: string): WithdrawOrder => ({
  actor,
  what:
    op.recipientId === undefined
      ? { kind: "own", amount: op.amount ?? "all" }
      : { kind: "split", recipientId: op.recipientId },
  pixKey: digits,
  turbo: isTurbo(op.kind),
});

/** See `WithdrawalsService.chooseKeyType`. */
export const chooseKeyType = async (
  needs: MoneyNeeds,
  actor: Actor,
  token: string,
  type: "cpf" | "phone",
): Promise<Confirmation | WithdrawStatus> => {
  const question = await draftOfToken(needs, actor, token);
  if (!isQuestion(question)) throw gone();
  if (ranOut(question)) return await statusOf(needs, question);
  if (question.state !== "draft") throw gone();
  if (!isLive(question, needs.clock.now()))
    return await statusOf(needs, await expired(needs, question));
  const digits = await needs.journal.pixKeyOf(question.id);
  if (digits === undefined) throw new UserError({ kind: "pix_key_gone" });
  const step = { to: "abandoned", reason: `key_is_${type}` } as const;
  const left = await needs.journal.move(question, step, needs.clock.now());
  if (left.kind !== "moved") throw gone();
  return await prepareTo(needs, orderOf(question, actor, digits), answeredKey(digits, type));
};

/** See `WithdrawalsService.abandon`. */
export const abandonDraft = async (
  needs: MoneyNeeds,
  actor: Actor,
  token: string,
): Promise<WithdrawOp> => {
  const draft = await draftOfToken(needs, actor, token);
  if (draft.state !== "draft") return draft;
  const step = { to: "abandoned", reason: "given_up" } as const;
  const left = await needs.journal.move(draft, step, needs.clock.now());
  if (left.kind !== "moved") throw gone();
  return left.op;
};

/** See `WithdrawalsService.redo`. */
export const redoOrder = async (
  needs: MoneyNeeds,
  actor: Actor,
  opId: string,
): Promise<Confirmation | KeyQuestion> => {
  const op = await needs.journal.find(opId);
  if (op?.state !== "abandoned") throw gone();
  requireOwnButton(op, actor);
  if (op.targetTxid !== undefined) return await prepareCancel(needs, actor, op.targetTxid);
  if (isQuestion(op)) {
    const digits = (await needs.journal.pixKeyOf(opId)) ?? "";
    return await prepareWithdrawal(needs, orderOf(op, actor, digits));
  }
  const key = await keyOfOp(needs, op);
  if (key === undefined) throw new UserError({ kind: "pix_key_gone" });
  return await prepareTo(needs, orderOf(op, actor, key.value), key);
};
