import type { MoveResult, Transition, WithdrawChange } from "../domain/withdraw-journal.ts";
import {
  isChecked,
  isFinal,
  isHeld,
  mayBecome,
  otherSpeed,
  type WithdrawOp,
} from "../domain/withdraw-op.ts";
import { recordAudit } from "./audit.ts";
import { type StoredInstant, storedInstant } from "./columns.ts";
import { enqueueDelivery } from "./outbox-enqueue.ts";
import type { Database } from "./schema.ts";
import type { SendingMark } from "./storage-state.ts";
import { brokenRule } from "./unique-violation.ts";
import { lockWallet } from "./wallet-accounts.ts";
import { lockOf } from "./withdraw-queries.ts";
import { columnsOf, storedCode, type WithdrawOpRow, withdrawOpOf } from "./withdraw-op-row.ts";

/**
 * Refuses a step that is not legal, before the database is asked.
 * @throws RangeError
 */
export const assertStep = (op: WithdrawOp, step: Transition): void => {
  if (!mayBecome(op.state, step.to)) {
    throw new RangeError(`A withdrawal cannot go from ${op.state} to ${step.to}`);
  }
  if (isHeld(step.to) !== (step.lease !== undefined)) {
    throw new RangeError(`A lease goes with confirmed and sending, and ${step.to} was asked for`);
  }
  const { confirmTokenHash, kind } = step.change ?? {};
  if (confirmTokenHash !== undefined) throw new RangeError("Only a draft waits for a token");
  if (kind !== undefined) throw new RangeError("Only a draft changes its speed");
};

/** Facts that follow from the step itself. */
const consequences = (
  op: WithdrawOp,
  { to, change, lease }: Transition,
  at: Temporal.Instant,
  leaseUntil: StoredInstant | null,
): Partial<WithdrawOpRow> => ({
  state: to,
  lease_owner: lease?.owner ?? null,
  lease_until: leaseUntil,
  // What was given up cannot be confirmed, and a late click is told so.
  ...(to !== "abandoned" && { confirm_token_hash: null }),
  ...(to === "confirmed" && { confirmations_left: 0, confirmed_at: storedInstant(at) }),
  ...(to === "sending" && { sent_at: storedInstant(at) }),
  // Nobody would ever look at an operation again that has no time for its next check.
  ...(isChecked(to) && op.nextCheckAt === undefined && { next_check_at: storedInstant(at) }),
  ...columnsOf(change ?? {}),
  ...(isFinal(to) && { next_check_at: null }),
});

/** Changes the operation only if it still is as given, state and version. @returns it as it stands then. */
const changeUnmoved = async (
  db: Database,
  op: WithdrawOp,
  columns: Partial<WithdrawOpRow>,
  at: Temporal.Instant,
): Promise<WithdrawOp | undefined> => {
  const row = await db
    .updateTable("withdraw_op")
    .set({ ...columns, version: op.version + 1, updated_at: storedInstant(at) })
    .where("id", "=", op.id)
    .where("state", "=", op.state)
    .where("version", "=", op.version)
    .returningAll()
    .executeTakeFirst();
  return row && withdrawOpOf(row);
};

/**
 * One step in the given transaction, if the operation still is as given. The step must have been asserted.
 * @returns undefined when somebody else changed it first.
 */
export const takeStep = async (
  trx: Database,
  op: WithdrawOp,
  step: Transition,
  at: Temporal.Instant,
  leaseUntil: StoredInstant | null,
): Promise<WithdrawOp | undefined> => {
  const moved = await changeUnmoved(trx, op, consequences(op, step, at, leaseUntil), at);
  if (moved === undefined) return undefined;
  await trx
    .insertInto("withdraw_event")
    .values({
      op_id: op.id,
      seq: moved.version,
      at: storedInstant(at),
      from_state: op.state,
      to_state: moved.state,
      reason: storedCode(step.reason),
    })
    .execute();
  for (const notice of step.notices ?? []) await enqueueDelivery(trx, notice, at);
  const actor = step.change?.resolvedBy;
  if (actor !== undefined) {
    await recordAudit(trx, { at, actor, action: "withdrawal_decided", subject: op.id });
  }
  return moved;
};

/**
 * Whether another operation locks the wallet account under the key that it began with, where the index does not see it.
 * Operations come under the account, and are confirmed, one after another.
 */
const isHeldElsewhere = async (
  trx: Database,
  { id, kind, accountFp }: WithdrawOp,
  { to }: Transition,
): Promise<boolean> => {
  if (to !== "confirmed" || kind === "cancel") return false;
  await lockWallet(trx, accountFp);
  const lock = await lockOf(trx, accountFp);
  return lock !== undefined && lock.id !== id;
};

/** `WithdrawJournal.move`. @throws RangeError for a step that is not legal. */
export const moveOp = async (
  db: Database,
  leaseNow: () => Promise<Temporal.Instant>,
  op: WithdrawOp,
  step: Transition,
  at: Temporal.Instant,
  sending?: SendingMark,
): Promise<MoveResult> => {
  assertStep(op, step);
  const leaseUntil =
    step.lease && storedInstant((await leaseNow()).add({ milliseconds: step.lease.ms }));
  try {
    let sequence: number | undefined;
    const moved = await db.transaction().execute(async (trx) => {
      if (await isHeldElsewhere(trx, op, step)) return "account_busy";
      const taken = await takeStep(trx, op, step, at, leaseUntil ?? null);
      if (taken?.state === "sending") sequence = await sending?.raise(trx);
      return taken;
    });
    if (moved === "account_busy") return { kind: moved };
    if (moved === undefined) return { kind: "lost" };
    if (sequence !== undefined) sending?.keep(sequence);
    return { kind: "moved", op: moved };
  } catch (error) {
    // The whole transaction was rolled back: neither event nor notice is left of it.
    const rule = brokenRule(error);
    if (rule === undefined) throw error;
    return { kind: rule === "txid_once" ? "txid_taken" : "account_busy" };
  }
};

/** `WithdrawJournal.amend`. @throws RangeError for a token of what is no draft, and for what is not its other speed. */
export const amendOp = async (
  db: Database,
  op: WithdrawOp,
  change: WithdrawChange,
  at: Temporal.Instant,
): Promise<WithdrawOp | undefined> => {
  if (change.confirmTokenHash !== undefined && op.state !== "draft") {
    throw new RangeError("Only a draft waits for a token");
  }
  const { kind } = change;
  if (kind !== undefined && (op.state !== "draft" || kind !== otherSpeed(op.kind))) {
    throw new RangeError("Only a draft changes its speed");
  }
  try {
    return await changeUnmoved(db, op, columnsOf(change), at);
  } catch (error) {
    if (brokenRule(error) === "txid_once") return undefined;
    throw error;
  }
};
