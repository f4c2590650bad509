import { isChecked, readOpCode, type WithdrawOp } from "../../domain/withdraw-op.ts";
import type { WalletKey } from "../../domain/wallet-key.ts";
import { UserError } from "../../shared/errors.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { Actor, WithdrawStatus } from "./money-services.ts";
import { connectionOfOp } from "./withdraw-account.ts";
import { checkCancel } from "./withdraw-cancel-check.ts";
import { follow } from "./withdraw-follow.ts";
import { type Look, lookWithoutKey, type Reader } from "./withdraw-look.ts";
import { reconcile } from "./withdraw-reconcile.ts";
import { statusOf } from "./withdraw-status.ts";

const read = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  key: WalletKey,
  reader: Reader,
): Promise<Look> => {
  if (op.kind === "cancel") return await checkCancel(needs, op, key, reader);
  const { txid } = op;
  if (txid !== undefined) return await follow(needs, { ...op, txid }, key, reader);
  return await reconcile(needs, op, key, reader);
};

/** Reads what became of an operation and moves it on; one that waits for nothing of the service is left as it is. */
export const checkOp = async (needs: MoneyNeeds, op: WithdrawOp, reader: Reader): Promise<Look> => {
  if (!isChecked(op.state)) return { op, withdrawal: undefined, problem: undefined };
  const connection = await connectionOfOp(needs, op, reader);
  if (connection === undefined) return await lookWithoutKey(needs, op, reader);
  return await read(needs, op, connection.key, reader);
};

/** An operation of whoever acts, wherever it was begun. @throws UserError withdrawal_not_found */
export const ownOp = async (
  needs: Pick<MoneyNeeds, "journal">,
  actor: Pick<Actor, "userId">,
  opId: string,
): Promise<WithdrawOp> => {
  const code = readOpCode(opId);
  const op = code === undefined ? undefined : await needs.journal.find(code);
  const hidden = op === undefined || op.ownerId !== actor.userId || op.state === "draft";
  if (hidden) throw new UserError({ kind: "withdrawal_not_found" });
  return op;
};

/** See `WithdrawalsService.check`. */
export const checkWithdrawal = async (
  needs: MoneyNeeds,
  actor: Actor,
  opId: string,
): Promise<WithdrawStatus> => {
  const look = await checkOp(needs, await ownOp(needs, actor, opId), "person");
  return await statusOf(needs, look.op, look);
};
