import { mayBecome, type WithdrawOp, type WithdrawState } from "../../domain/withdraw-op.ts";
import type { Withdrawal } from "../../domain/withdrawal.ts";
import type { WalletKey } from "../../domain/wallet-key.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import { reading } from "../wallet-reading.ts";
import { laneOf } from "./withdraw-follow.ts";
import {
  type Look,
  nextManualCheck,
  readAgain,
  type Reader,
  stillUnclear,
} from "./withdraw-look.ts";
import { takeStep } from "./withdraw-step.ts";

/** How a cancellation ends by what its withdrawal has become; undefined: it may still go either way. */
const endOf = (op: WithdrawOp, withdrawal: Withdrawal): WithdrawState | undefined => {
  const { status } = withdrawal;
  if (status === "cancelled") return "completed";
  const tooLate = status === "completed" || status === "failed";
  if (op.state === "unknown")
    return tooLate || status === "processing" ? "not_executed" : undefined;
  return tooLate ? "failed" : undefined;
};

/** It may still be carried out late: that it is scheduled now proves nothing. */
const later = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  keyRefused: boolean,
): Promise<WithdrawOp> => {
  if (op.state !== "manual") return await stillUnclear(needs, op, keyRefused);
  return await readAgain(needs, op, nextManualCheck(op, needs.clock.now()));
};

/** The withdrawal that was cancelled is followed at once, not in its own time. */
const hurryTarget = async (needs: MoneyNeeds, op: WithdrawOp): Promise<void> => {
  const target =
    op.targetTxid === undefined
      ? undefined
      : await needs.journal.findByTxid(op.accountFp, op.targetTxid);
  if (target === undefined || target.nextCheckAt === undefined) return;
  const now = needs.clock.now();
  await needs.journal.amend(target, { nextCheckAt: now }, now);
  needs.wake();
};

/** Finds out by reading its withdrawal what became of a cancellation. */
export const checkCancel = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  key: WalletKey,
  reader: Reader,
): Promise<Look> => {
  const read = await reading(needs.wallet.withdrawal(key, op.targetTxid ?? "", laneOf(reader)));
  if (!read.ok) {
    const keyRefused = read.error.kind === "unauthorized";
    const unread = { withdrawal: undefined, problem: read.error.kind };
    return { op: await later(needs, op, keyRefused), ...unread };
  }
  const withdrawal = read.value;
  const seen = { withdrawal, problem: undefined };
  const to = endOf(op, withdrawal);
  if (to === undefined || !mayBecome(op.state, to)) {
    return { op: await later(needs, op, false), ...seen };
  }
  const change = { checks: op.checks + 1, nextCheckAt: undefined };
  const reason = `target_${withdrawal.status}`;
  const stepped = await takeStep(needs, op, { to, change, reason, withdrawal, tell: true });
  if (stepped.kind === "moved") await hurryTarget(needs, op);
  return { op: stepped.op, ...seen };
};
