import {
  externalNoticeKey,
  isOpen,
  noticeKeys,
  readOpCode,
  type WithdrawOp,
  type WithdrawState,
} from "./withdraw-op.ts";
import { deliveryPolicies, UNDELIVERED_FOR_MS } from "../delivery/delivery-policies.ts";
import { MOST_OPTIONS, isWireId } from "../shared/ids.ts";
import { UserError } from "../shared/errors.ts";
import type { WithdrawalDetail, WithdrawalList } from "./withdraw-facts.ts";
import type { Actor, MoneyNeeds } from "./money-services.service.ts";
import { questionOf } from "./restore/restore-check.service.ts";
import { foundOr, settled, supportCodesOf } from "../shared/settled.ts";
import { type Connection, connectionOfAsker, resumeJobs } from "../accounts/asker.service.ts";
import type { WalletKey } from "../accounts/wallet-key.ts";
import { connectionOfOp } from "./withdraw-account.service.ts";
import { checkOp, findOp, ownOp } from "./withdraw-check.service.ts";
import { mayBeOpId, mayBeOurs } from "./reconcile.ts";
import type { CheckResult } from "./withdraw-follow.service.ts";
import type { Withdrawal } from "./withdrawal.ts";
import { ownTargetOf } from "./withdraw-transition.service.ts";
import { rereadDenied } from "./refunds/withdraw-refund.service.ts";

/** Operations of two weeks whose messages are asked about. */
const MOST_CHANGED = 1_000;

/** The owner's operations, and withdrawals of the account made elsewhere or by another person. */
export const listWithdrawals = async (
  needs: MoneyNeeds,
  actor: Actor,
  states: readonly WithdrawState[] | undefined,
): Promise<WithdrawalList> => {
  const { journal, wallet, clock } = needs;
  const ops = await journal.list({
    ownerId: actor.userId,
    limit: MOST_OPTIONS,
    ...(states !== undefined && { states }),
  });
  const connection = await connectionIfAny(needs, actor);
  const accountFp = connection?.key.fingerprint;
  const since = clock.now().subtract({ milliseconds: UNDELIVERED_FOR_MS });
  const refusedOf = async (keys: readonly string[]): Promise<number> =>
    await needs.refusedOf(keys, since);
  const changed = await journal.list({
    ownerId: actor.userId,
    // A message that waited for Discord is refused up to seven days after the change.
    changedSince: since.subtract({ milliseconds: deliveryPolicies.notice.obsoleteAfterMs }),
    limit: MOST_CHANGED,
  });
  const ofOps = changed.flatMap(noticeKeys);
  const unread = { ops, accountFp, elsewhere: undefined };
  if (connection === undefined)
    return { ...unread, undelivered: await refusedOf(ofOps), readAt: clock.now() };
  const { account, key } = connection;
  const read = await settled(wallet.withdrawals(key, "interactive"));
  const question = await questionOf(needs, account, async () => read);
  if (!read.ok) {
    const undelivered = await refusedOf(ofOps);
    const failed = { problem: read.error.kind, supportCodes: supportCodesOf([read]) };
    return { ...unread, undelivered, question, ...failed, readAt: clock.now() };
  }
  await resumeJobs(needs, account);
  // In this order: a withdrawal in doubt that is found meanwhile is claimed.
  const lock = await journal.lockOf(key.fingerprint);
  const listed = read.value.items.map(({ txid }) => txid);
  const claimants = await journal.claimantsOf(key.fingerprint, listed);
  const elsewhere = read.value.items
    .filter(({ txid }) => claimants.get(txid) !== actor.userId)
    .map((row) => {
      const byAnother = claimants.has(row.txid);
      const mayBe = byAnother ? undefined : mayBeOpId(lock, actor.userId, row);
      return { ...row, byAnother, mayBeOpId: mayBe };
    });
  const ofOthers = elsewhere.map(({ txid }) =>
    externalNoticeKey(key.fingerprint, txid, actor.userId),
  );
  const undelivered = await refusedOf([...ofOps, ...ofOthers]);
  return { ...unread, undelivered, elsewhere, question, readAt: clock.now() };
};

/** A withdrawal by the operation's code or by txid. @throws UserError withdrawal_not_found, not_connected */
export const withdrawalDetail = async (
  needs: MoneyNeeds,
  actor: Actor,
  id: string,
): Promise<WithdrawalDetail> => {
  const typed = id.trim();
  const op = await findOp(needs, typed);
  if (op !== undefined) return await detailOfOp(needs, await ownOp(needs, actor, op.id));
  // A button may name an operation that a restored copy of the database lacks: the service has no such code.
  if (!isWireId(typed) || readOpCode(typed) === typed)
    throw new UserError({ kind: "withdrawal_not_found" });
  return await detailOfTxid(needs, actor, typed);
};

/** Suggestions for `/saques txid:`. */
export const suggestWithdrawals = async (
  needs: MoneyNeeds,
  actor: Pick<Actor, "userId">,
  typed: string,
): Promise<readonly WithdrawOp[]> => {
  const ops = await needs.journal.list({ ownerId: actor.userId, limit: 2 * MOST_OPTIONS });
  const wanted = typed.trim().toUpperCase();
  return ops
    .filter(({ id, txid }) => `${id} ${txid ?? ""}`.toUpperCase().includes(wanted))
    .slice(0, MOST_OPTIONS);
};

const connectionIfAny = async (
  needs: MoneyNeeds,
  actor: Actor,
): Promise<Connection | undefined> => {
  try {
    return await connectionOfAsker(needs, actor);
  } catch (error) {
    // The list works without a connection: operations outlive connections.
    if (error instanceof UserError) return undefined;
    throw error;
  }
};

const detailOfOp = async (needs: MoneyNeeds, op: WithdrawOp): Promise<WithdrawalDetail> => {
  const result = isOpen(op.state) ? await checkOp(needs, op, "person") : await readEnded(needs, op);
  return {
    ...result,
    target: await ownTargetOf(needs, result.op),
    events: await needs.journal.events(op.id),
    withdrawEnabled: needs.withdrawEnabled,
    readAt: needs.clock.now(),
  };
};

/** Reads the service's detail of an ended operation: holder, bank, reason. */
const readEnded = async (needs: MoneyNeeds, op: WithdrawOp): Promise<CheckResult> => {
  const connection = await connectionOfOp(needs, op, "person");
  const txid = op.txid ?? op.targetTxid;
  if (connection === undefined || txid === undefined) return { op };
  if (op.kind === "refund") return await rereadDenied(needs, op, connection.key);
  const read = await settled(needs.wallet.withdrawal(connection.key, txid, "interactive"));
  if (!read.ok) return { op, problem: read.error.kind, supportCodes: supportCodesOf([read]) };
  return { op, withdrawal: read.value };
};

/** As for a row of the list; its detail tells the PIX key as well. */
const doubtAbout = async (
  { journal }: MoneyNeeds,
  { userId }: Actor,
  key: WalletKey,
  withdrawal: Withdrawal,
): Promise<string | undefined> => {
  const lock = await journal.lockOf(key.fingerprint);
  const opId = mayBeOpId(lock, userId, withdrawal);
  if (lock === undefined || opId === undefined) return undefined;
  return mayBeOurs(lock, await journal.pixKeyOf(opId), withdrawal) ? opId : undefined;
};

const detailOfTxid = async (
  needs: MoneyNeeds,
  actor: Actor,
  txid: string,
): Promise<WithdrawalDetail> => {
  const { account, key } = await connectionOfAsker(needs, actor);
  const claim = () => needs.journal.findByTxid(key.fingerprint, txid);
  const before = await claim();
  if (before?.ownerId === actor.userId) return await detailOfOp(needs, before);
  const read = await settled(needs.wallet.withdrawal(key, txid, "interactive"));
  const withdrawal = foundOr(read, { kind: "withdrawal_not_found" });
  await resumeJobs(needs, account);
  // Meanwhile it may have been found to be the one in doubt.
  const op = await claim();
  if (op?.ownerId === actor.userId) return await detailOfOp(needs, op);
  const byAnother = op !== undefined;
  return {
    op: undefined,
    byAnother,
    mayBeOpId: byAnother ? undefined : await doubtAbout(needs, actor, key, withdrawal),
    events: [],
    withdrawal,
    withdrawEnabled: needs.withdrawEnabled,
    readAt: needs.clock.now(),
  };
};
