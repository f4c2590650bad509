import { connectionOfAsker } from "../accounts/asker.service.ts";
import type { Withdrawal } from "./withdrawal.ts";
import type { WalletKey } from "../accounts/wallet-key.ts";
import { UserError } from "../shared/errors.ts";
import type { CancelConfirmation } from "./withdraw-facts.ts";
import type { Actor, MoneyNeeds } from "./money-services.service.ts";
import { guardsOf } from "../money-guards/money-guards.service.ts";
import { originOf, ownConnectionOfOp } from "./withdraw-account.service.ts";
import { requireEnabled } from "./withdraw-rules.service.ts";
import { newDraft, NO_KEY } from "./withdraw-draft.service.ts";
import { isUncertain, mayBecome, type WithdrawOp, type WithdrawState } from "./withdraw-op.ts";
import { foundOr, problemOf, settled } from "../shared/settled.ts";
import {
  applyStatus,
  checkLater,
  type CheckResult,
  priorityOf,
  type Reader,
} from "./withdraw-follow.service.ts";
import { ownTargetOf, retractUncertainNotices, takeStep } from "./withdraw-transition.service.ts";

/**
 * Draft of a cancellation, to be confirmed like a withdrawal. `id`: the code of one's own operation, whose wallet account
 * counts wherever it is cancelled, or a txid of the asker's account there.
 * @throws UserError withdrawals_disabled, not_connected, withdrawal_not_found, not_cancellable, not_cancellable_here
 * @throws WalletError
 */
export const prepareCancel = async (
  needs: MoneyNeeds,
  actor: Actor,
  id: string,
): Promise<CancelConfirmation> => {
  requireEnabled(needs, "cancel");
  const begun = await needs.journal.find(id);
  const own = begun?.ownerId === actor.userId ? begun : undefined;
  const connection =
    own === undefined ? await connectionOfAsker(needs, actor) : await ownConnectionOfOp(needs, own);
  const txid = own?.txid ?? own?.targetTxid ?? id;
  const read = await settled(needs.wallet.withdrawal(connection.key, txid, "interactive"));
  // A split that was accepted may have no detail.
  const missing = own === undefined ? "withdrawal_not_found" : "not_cancellable_here";
  const withdrawal = foundOr(read, { kind: missing });
  if (withdrawal.status !== "scheduled") throw new UserError({ kind: "not_cancellable" });
  const guards = await guardsOf(needs, actor.userId);
  const draft = await newDraft(needs, {
    ...originOf(actor, connection),
    ...NO_KEY,
    kind: "cancel",
    amount: withdrawal.amount,
    targetTxid: withdrawal.txid,
  });
  const target = await ownTargetOf(needs, draft.op);
  return { kind: "cancel", ...draft, pinRequired: guards.pin !== undefined, target, withdrawal };
};

/** Reads the withdrawal that a cancellation is about, and derives the outcome of the cancellation. */
export const checkCancel = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  key: WalletKey,
  reader: Reader,
): Promise<CheckResult> => {
  const { targetTxid = "" } = op;
  const read = await settled(needs.wallet.withdrawal(key, targetTxid, priorityOf(reader)));
  if (!read.ok) {
    const problem = problemOf(read.error);
    return { op: await checkLater(needs, op, {}, problem), problem };
  }
  const withdrawal = read.value;
  const to = endOfCancel(op, withdrawal);
  if (to === undefined || !mayBecome(op.state, to)) {
    // A withdrawal that is still scheduled may yet be cancelled late.
    return { op: await checkLater(needs, op), withdrawal };
  }
  const reason = `target_${withdrawal.status}`;
  const target = await needs.journal.findByTxid(op.accountFp, targetTxid);
  const moved = target && (await applyStatus(needs, target, withdrawal.status, withdrawal));
  const told = moved ?? target;
  const isTold = told?.state === "cancelled" && told.ownerId === op.ownerId;
  // The withdrawal's message tells that it was cancelled; a doubt about the cancelling needs an end of its own.
  const notify =
    to !== "completed" ||
    !isTold ||
    isUncertain(op.state) ||
    (await retractUncertainNotices(needs, op));
  return { op: (await takeStep(needs, op, { to, reason, withdrawal, notify })).op, withdrawal };
};

/** The final state of a cancellation, from its withdrawal; undefined while both outcomes are possible. */
const endOfCancel = (op: WithdrawOp, withdrawal: Withdrawal): WithdrawState | undefined => {
  const { status } = withdrawal;
  if (status === "cancelled") return "completed";
  const tooLate = status === "completed" || status === "failed";
  if (op.state === "unknown")
    return tooLate || status === "processing" ? "not_executed" : undefined;
  return tooLate ? "failed" : undefined;
};
