import type { Withdrawal } from "../../domain/withdrawal.ts";
import { type WithdrawOp, wasTaken } from "../../domain/withdraw-op.ts";
import type { WalletErrorKind } from "../../shared/errors.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { SentFacts, WithdrawStatus } from "./money-services.ts";
import { keyOfOp } from "./withdraw-key.ts";

/** What was learnt of an operation beside the journal. */
export interface StatusFacts {
  readonly withdrawal?: Withdrawal | undefined;
  readonly problem?: WalletErrorKind | undefined;
  readonly supportCodes?: readonly string[] | undefined;
  readonly sent?: SentFacts | undefined;
}

/** A key is worth keeping once a withdrawal to it was taken. */
const keySavable = async (needs: MoneyNeeds, op: WithdrawOp): Promise<boolean> => {
  if (op.kind === "cancel" || !wasTaken(op.state)) return false;
  if ((await keyOfOp(needs, op)) === undefined) return false;
  return !(await needs.pixKeys.isSaved(op.ownerId, op.pixKeyHash));
};

/** An operation as the person reads it now. */
export const statusOf = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  facts: StatusFacts = {},
): Promise<WithdrawStatus> => ({
  kind: "status",
  op,
  withdrawal: facts.withdrawal,
  problem: facts.problem,
  supportCodes: facts.supportCodes,
  readAt: needs.clock.now(),
  sent: facts.sent,
  keySavable: await keySavable(needs, op),
});
