import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import type { Cents } from "../../shared/money.ts";
import type { MoneyNeeds } from "./money-needs.ts";

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
