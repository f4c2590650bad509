import {
  noticeKey,
  isChecked,
  isDecidedByAnother,
  isLocking,
  isWithdrawal,
  readOpCode,
  subjectOf,
  type WithdrawOp,
} from "./withdraw-op.ts";
import type { WalletKey } from "../accounts/wallet-key.ts";
import { mayAnswerLater, UserError } from "../shared/errors.ts";
import type { WithdrawStatus } from "./withdraw-facts.ts";
import type { Actor, ManualDecision, MoneyNeeds } from "./money-services.service.ts";
import { connectionOfOp } from "./withdraw-account.service.ts";
import { checkCancel } from "./withdraw-cancel.service.ts";
import { checkRefund, markConfirmedSale } from "./refunds/withdraw-refund.service.ts";
import {
  checkAccepted,
  checkLater,
  type CheckResult,
  checkWithoutKey,
  type Reader,
} from "./withdraw-follow.service.ts";
import { reconcile } from "./withdraw-reconcile.service.ts";
import { busyError, hasWorkingKey, mayDecideFor } from "./withdraw-rules.service.ts";
import {
  currentOf,
  opAfter,
  outcomeDelivery,
  quietly,
  statusOf,
  retractUncertainNotices,
} from "./withdraw-transition.service.ts";
import { createClaims, createWorkers } from "../shared/concurrency.ts";
import { DAY, MINUTE } from "../shared/time.ts";
import { isOpenStatus } from "./withdrawal.ts";

/** Reads the outcome of an operation now and updates it. @throws UserError withdrawal_not_found */
export const checkWithdrawal = async (
  needs: MoneyNeeds,
  actor: Actor,
  opId: string,
): Promise<WithdrawStatus> => {
  const result = await checkOp(needs, await ownOp(needs, actor, opId), "person");
  const isChecked = result.withoutKey !== true;
  return { ...(await statusAt(needs, actor, result.op, result)), isChecked };
};

/** The status for a place where the person may have another connection. */
const statusAt = async (
  needs: MoneyNeeds,
  { guildId, userId }: Actor,
  op: WithdrawOp,
  facts?: CheckResult,
): Promise<WithdrawStatus> => {
  const connections = await needs.connectionsOf(op.accountFp);
  const isHere = connections.some((own) => own.guildId === guildId && own.ownerId === userId);
  return { ...(await statusOf(needs, op, facts)), isElsewhere: !isHere };
};

/**
 * Records the decision on a `manual` operation, after a last read of the service. The owner decides, or a
 * person who may in the owner's stead, by typing the code. The journal and its events keep the decision; audited.
 * @throws UserError withdrawal_not_found, wrong_op_code, outcome_unread, still_under_way, left_undecided
 */
export const decideManual = async (
  needs: MoneyNeeds,
  { actor, opId, typedCode, happened }: ManualDecision,
): Promise<WithdrawStatus> => {
  const op = await opToDecide(needs, actor, opId);
  const isOwner = op.ownerId === actor.userId;
  if (op.state !== "manual") return await statusAt(needs, actor, op);
  if (readOpCode(typedCode) !== op.id) throw new UserError({ kind: "wrong_op_code" });
  // "It did not happen" frees the account, so the service is read again before it is believed: by any key that works,
  // with the long waits of a job, as a person's reading gets turns for few withdrawals.
  const read: CheckResult = happened ? { op } : await checkOp(needs, op, "job");
  const { op: latest, problem } = read;
  if (latest.state !== "manual") return await statusAt(needs, actor, latest);
  // A withdrawal under way may be paid any day. It locks no account meanwhile, and is followed for a month.
  const underWay = isOpenStatus(read.withdrawal?.status ?? read.status);
  if (underWay && isWithdrawal(op.kind) && latest.nextCheckAt !== undefined)
    throw new UserError({ kind: "still_under_way" });
  // A refused key, or an answer that no wait improves, leaves the decision to the owner alone.
  if (problem !== undefined && mayAnswerLater(problem) && (await isNewlyManual(needs, latest)))
    throw new UserError({ kind: "outcome_unread" });
  const resolution = happened ? "happened" : "did_not_happen";
  const now = needs.clock.now();
  const to = "resolved_manual";
  const change = { resolvedBy: actor.userId, resolution, nextCheckAt: undefined } as const;
  const notices = [outcomeDelivery(needs, opAfter(latest, to, change, now), undefined, now)];
  const reason = `${isOwner ? "owner" : "next_owner"}_says_${resolution}`;
  const result = await needs.journal.move(latest, { to, change, reason, notices }, now);
  if (result.kind !== "moved") {
    const current = await currentOf(needs, op);
    if (!isOwner && isLocking(current)) throw await busyError(needs, current, actor.userId);
    return await statusAt(needs, actor, current);
  }
  const wasAskedByMessage = await retractUncertainNotices(needs, result.op);
  // An owner who was asked by direct message and decided in a server still gets the direct message, and so does one for
  // whom another decided; otherwise the answer to the click is enough.
  if (isOwner && (!wasAskedByMessage || actor.guildId === ""))
    await needs.retract(noticeKey(result.op), now);
  if (happened && op.kind === "refund")
    await quietly(needs, result.op, markConfirmedSale(needs, result.op));
  needs.wake();
  return await statusAt(needs, actor, result.op);
};

/** A reading may fail for good, as of a single withdrawal; the account would not become free otherwise. */
const MOST_UNREAD_MS = DAY;

/** Whether the operation became its owner's to decide so lately that a failed reading may yet be repeated. */
const isNewlyManual = async (
  { journal, clock }: MoneyNeeds,
  { id }: WithdrawOp,
): Promise<boolean> => {
  const since = (await journal.events(id)).findLast(
    ({ from, to }) => to === "manual" && from !== to,
  );
  const sinceMs = since?.at.epochMilliseconds ?? -Infinity;
  return clock.now().epochMilliseconds - sinceMs < MOST_UNREAD_MS;
};

/**
 * Reads the outcome of an operation and updates it. An operation that does not wait for the service is left alone.
 * For a job, a key that proves refused is paused, and another key of the account that works reads in its place.
 */
export const checkOp = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  reader: Reader,
): Promise<CheckResult> => {
  if (!isChecked(op.state)) return { op };
  const connection = await connectionOfOp(needs, op, reader);
  if (connection === undefined) return await checkWithoutKey(needs, op, reader);
  const result = await read(needs, op, connection.key, reader);
  const { account } = connection;
  const { problem, supportCodes } = result;
  if (reader === "job" && problem !== undefined)
    needs.log.warn({ op: op.id, problem, supportCodes }, "a withdrawal cannot be read now");
  if (reader !== "job" || problem !== "unauthorized" || account.pausedAt !== undefined)
    return result;
  await needs.pauseRefusedKey(account);
  const other = await connectionOfOp(needs, result.op, reader);
  const isRead = other !== undefined && other.account.pausedAt === undefined;
  return isRead ? await checkOp(needs, result.op, reader) : result;
};

const read = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  key: WalletKey,
  reader: Reader,
): Promise<CheckResult> => {
  const { txid } = op;
  const subject = subjectOf(op);
  switch (subject) {
    case "own":
    case "split":
      if (txid !== undefined) return await checkAccepted(needs, { ...op, txid }, key, reader);
      return await reconcile(needs, op, key, reader);
    case "cancel":
      return await checkCancel(needs, op, key, reader);
    case "refund":
      return await checkRefund(needs, op, key, reader);
    default:
      return subject satisfies never;
  }
};

/** An operation of the actor, from any guild. @throws UserError withdrawal_not_found */
export const ownOp = async (
  needs: Pick<MoneyNeeds, "journal">,
  actor: Pick<Actor, "userId">,
  opId: string,
): Promise<WithdrawOp> => {
  const op = await findOp(needs, opId);
  const hidden = op === undefined || op.ownerId !== actor.userId || op.state === "draft";
  if (hidden) throw new UserError({ kind: "withdrawal_not_found" });
  return op;
};

/** The same, or one that the actor may decide in its owner's stead, or that another did. @throws UserError withdrawal_not_found */
export const opToDecide = async (
  needs: Pick<MoneyNeeds, "journal" | "connectionsOf">,
  actor: Pick<Actor, "userId">,
  opId: string,
): Promise<WithdrawOp> => {
  const op = await findOp(needs, opId);
  if (op !== undefined && (await mayDecideFor(needs, op, actor.userId))) return op;
  const readers = op && isDecidedByAnother(op) ? await needs.connectionsOf(op.accountFp) : [];
  if (op !== undefined && hasWorkingKey(readers, actor.userId)) return op;
  return await ownOp(needs, actor, opId);
};

/** The operation of a typed code. */
export const findOp = async (
  { journal }: Pick<MoneyNeeds, "journal">,
  opId: string,
): Promise<WithdrawOp | undefined> => {
  const code = readOpCode(opId);
  return code === undefined ? undefined : await journal.find(code);
};

/** Checks under way at the same time, over all runs. */
const CONCURRENCY = 8;
/** Longer than any check takes; until then no other process claims the operation. */
const HOLD_MS = 2 * MINUTE;

/**
 * Checks due operations until no more are due. Overlapping runs share their workers.
 * @returns when the next check is due; undefined when none is, or the first free worker claims it
 */
export const createCheckDue = (needs: MoneyNeeds) => {
  const { journal, clock, log } = needs;
  const workers = createWorkers(CONCURRENCY);
  const dueOps = createClaims(() => journal.claimDue(clock.now(), CONCURRENCY, HOLD_MS));
  let working = 0;

  /** A failed check affects its own operation alone, and is handed over to the owner in time as any other. */
  const checkOne = async (op: WithdrawOp): Promise<void> => {
    const { nextCheckAt: heldUntil = clock.now() } = op;
    // The claim has ended while the operation waited: it is due again.
    if (Temporal.Instant.compare(clock.now(), heldUntil) >= 0) return;
    working++;
    try {
      await checkOp(needs, op, "job").catch(async (error: unknown) => {
        log.error({ op: op.id, err: error }, "a withdrawal could not be checked");
        if (op.state === "unknown") await checkLater(needs, op);
      });
    } catch (error) {
      log.error({ op: op.id, err: error }, "a withdrawal is checked again when its hold ends");
    } finally {
      working--;
    }
  };

  return async (stopping: AbortSignal): Promise<Temporal.Instant | undefined> => {
    await workers(dueOps(stopping), checkOne, stopping);
    const next = await journal.nextDueAt();
    const isOverdue = next !== undefined && Temporal.Instant.compare(next, clock.now()) <= 0;
    return isOverdue && working === CONCURRENCY ? undefined : next;
  };
};
