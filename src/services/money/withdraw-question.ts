import { isTurbo, type WithdrawOp } from "../../domain/withdraw-op.ts";
import { UserError } from "../../shared/errors.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { Actor, Confirmation, WithdrawOrder } from "./money-services.ts";
import { answeredKey } from "./withdraw-key.ts";
import { prepareTo } from "./withdraw-prepare.ts";
import { draftOfToken, isQuestion } from "./withdraw-token.ts";

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
): Promise<Confirmation> => {
  const question = await draftOfToken(needs, actor, token);
  if (!isQuestion(question)) throw new UserError({ kind: "confirmation_gone" });
  const digits = await needs.journal.pixKeyOf(question.id);
  if (digits === undefined) throw new UserError({ kind: "pix_key_gone" });
  const step = { to: "abandoned", reason: `key_is_${type}` } as const;
  const left = await needs.journal.move(question, step, needs.clock.now());
  if (left.kind !== "moved") throw new UserError({ kind: "confirmation_gone" });
  return await prepareTo(needs, orderOf(question, actor, digits), answeredKey(digits, type));
};

/** See `WithdrawalsService.abandon`. */
export const abandonDraft = async (
  needs: MoneyNeeds,
  actor: Actor,
  token: string,
): Promise<WithdrawOp> => {
  const draft = await draftOfToken(needs, actor, token);
  const step = { to: "abandoned", reason: "given_up" } as const;
  const left = await needs.journal.move(draft, step, needs.clock.now());
  if (left.kind !== "moved") throw new UserError({ kind: "confirmation_gone" });
  return left.op;
};
