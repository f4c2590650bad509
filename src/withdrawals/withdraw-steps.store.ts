import {
  isChecked,
  isDenied,
  isFinal,
  isHeld,
  isUnderWay,
  isWithdrawal,
  mayBecome,
  newOpCode,
  type NewWithdrawOp,
  otherSpeed,
  type WithdrawOp,
} from "./withdraw-op.ts";
import type { Random } from "../shared/random.ts";
import { storedInstant, type StoredInstant } from "../database/columns.ts";
import type { Database } from "../schema.ts";
import type { Vault } from "../database/vault.ts";
import { columnsOf, storedCode, withdrawOpOf, type WithdrawOpRow } from "./money-tables.store.ts";
import {
  type DraftChange,
  LEASE_MS,
  type MoveResult,
  type Transition,
} from "./withdraw-journal.ts";
import { recordAudit } from "../database/audit.ts";
import { enqueueDeliveries } from "../delivery/outbox-enqueue.store.ts";
import type { SendingMark } from "../database/storage-state.ts";
import { forgetSeen, forgetSplitBalance, lastTurn, nextTurn } from "./wallet-observations.store.ts";
import { rowLock } from "../database/queries.ts";
import { codeOf, StoreError } from "../shared/store-errors.ts";
import { holdFinder } from "./restore/restore-holds.store.ts";

/** A code of five characters has 33 million values: with a million in use one try in 33 fails. */
const MOST_CODES_TRIED = 30;

const rowFor = (vault: Vault, id: string, op: NewWithdrawOp, at: Temporal.Instant) => ({
  id,
  account_fp: op.accountFp,
  account_id: op.accountId,
  guild_id: op.guildId,
  channel_id: op.channelId,
  owner_id: op.ownerId,
  locale: op.locale,
  kind: op.kind,
  pix_key_enc:
    op.pixKey === "" ? null : vault.sealPixKey({ rowId: id, ownerId: op.ownerId }, op.pixKey),
  pix_key_kid: op.pixKey === "" ? null : vault.currentKid,
  pix_key_masked: op.pixKeyMasked,
  pix_key_hash: op.pixKeyHash,
  recipient_id: op.recipientId,
  target_txid: op.targetTxid,
  state: "draft" as const,
  version: 0,
  confirmations_left: op.confirmationsLeft,
  absences: 0,
  checks: 0,
  ...columnsOf(op),
  created_at: storedInstant(at),
  updated_at: storedInstant(at),
});

/** @throws RangeError for a cancellation or a refund without its target. */
export const keepDraft =
  (db: Database, vault: Vault, random: Random) =>
  async (op: NewWithdrawOp, at: Temporal.Instant, reason = "asked"): Promise<WithdrawOp> => {
    // Without a target the row would escape the rules of one open cancellation and one open refund.
    if (isWithdrawal(op.kind) !== (op.targetTxid === undefined)) {
      throw new RangeError("Cancellations and refunds have a target, withdrawals have none");
    }
    for (let tried = 0; tried < MOST_CODES_TRIED; tried += 1) {
      const row = rowFor(vault, newOpCode(random), op, at);
      const kept = await db.transaction().execute(async (trx) => {
        const added = await trx
          .insertInto("withdraw_op")
          .values({ ...row, shown_turn: lastTurn(trx, op.accountFp) })
          .onConflict((conflict) => conflict.column("id").doNothing())
          .returningAll()
          .executeTakeFirst();
        if (added === undefined) return undefined;
        const event = { op_id: added.id, seq: 0, at: added.created_at, to_state: added.state };
        await trx
          .insertInto("withdraw_event")
          .values({ ...event, reason })
          .execute();
        return withdrawOpOf(added);
      });
      if (kept !== undefined) return kept;
    }
    throw new Error("No code is free for a withdrawal");
  };

/** A step of before a fail-over that gave the question back: it ran out after its request had left. */
const isTakenAgain = ({ state }: WithdrawOp, { to, reason }: Transition): boolean =>
  state === "abandoned" && to === "confirmed" && reason === "restored";

/**
 * Refuses an illegal step before the database is asked.
 * @throws RangeError
 */
const assertStep = (op: WithdrawOp, step: Transition): void => {
  if (!mayBecome(op.state, step.to) && !isTakenAgain(op, step)) {
    throw new RangeError(`A withdrawal cannot go from ${op.state} to ${step.to}`);
  }
};

const consequences = (
  op: WithdrawOp,
  { to, change }: Transition,
  at: Temporal.Instant,
  leaseUntil: StoredInstant | null,
): Partial<WithdrawOpRow> => ({
  state: to,
  lease_until: leaseUntil,
  // An abandoned operation keeps its token, so that a late click gets an explanation.
  ...(to !== "abandoned" && { confirm_token_hash: null }),
  ...(to === "confirmed" && { confirmations_left: 0, confirmed_at: storedInstant(at) }),
  ...(to === "sending" && { sent_at: storedInstant(at) }),
  // Without a time for its next check the operation would never be checked again.
  ...(isChecked(to) && op.nextCheckAt === undefined && { next_check_at: storedInstant(at) }),
  ...columnsOf(change ?? {}),
  ...(isFinal(to) && { next_check_at: null }),
});

/** Changes the operation if its state and version are still as given. @returns the changed operation */
const changeUnmoved = async (
  db: Database,
  op: WithdrawOp,
  columns: Partial<WithdrawOpRow>,
  at: Temporal.Instant,
): Promise<WithdrawOp | undefined> => {
  // `unknown` follows `confirmed` after a restore alone: then it may have been sent. A denied one moves once it is found
  // made: a confirmation that was shown before does not show it.
  const isSent =
    columns.state === "sending" ||
    (op.state === "confirmed" && columns.state === "unknown") ||
    (isDenied(op) && columns.state !== undefined);
  const isShown = typeof columns.confirm_token_hash === "string";
  const turn = isSent ? { turn: await nextTurn(db, op.accountFp) } : {};
  const row = await db
    .updateTable("withdraw_op")
    .set({ ...columns, ...turn, version: op.version + 1, updated_at: storedInstant(at) })
    .$if(isShown, (query) => query.set({ shown_turn: lastTurn(db, op.accountFp) }))
    .where("id", "=", op.id)
    .where("state", "=", op.state)
    .where("version", "=", op.version)
    .returningAll()
    .executeTakeFirst();
  return row && withdrawOpOf(row);
};

/** Whether money has left or come back with the step. The balance after an accepted request is noted from its answer. */
const movesMoney = ({ state }: WithdrawOp, { to, change }: Transition): boolean =>
  to === "accepted" ||
  to === "failed" ||
  to === "cancelled" ||
  (to === "completed" && !isUnderWay(state)) ||
  change?.resolution === "happened";

/**
 * Takes a step in the given transaction, if the operation is still as given. Check the step with `assertStep` before.
 * @returns undefined when another process changed the operation first.
 */
export const writeStep = async (
  trx: Database,
  op: WithdrawOp,
  step: Transition,
  at: Temporal.Instant,
  leaseUntil: StoredInstant | null,
): Promise<WithdrawOp | undefined> => {
  // Before the operation, as a removal does: the opposite order could deadlock.
  if (movesMoney(op, step)) await forgetSplitBalance(trx, op);
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
  await enqueueDeliveries(trx, step.notices ?? [], at);
  if (step.change?.resolution === "did_not_happen" && isWithdrawal(op.kind))
    await forgetSeen(trx, op);
  const actor = step.change?.resolvedBy;
  if (actor !== undefined) {
    await recordAudit(trx, { at, actor, action: "withdrawal_decided", subject: op.id });
  }
  return moved;
};

/** Whether the owner still has the wallet account connected, and then until the transaction ends. */
const holdConnection = async (
  trx: Database,
  { kind, guildId, ownerId, accountFp }: WithdrawOp,
): Promise<boolean> => {
  const row = await trx
    .selectFrom("account")
    .select("id")
    .where("owner_id", "=", ownerId)
    .where("account_fp", "=", accountFp)
    // A cancellation may be asked for in another server than that of the connection.
    .$if(kind !== "cancel", (query) => query.where("guild_id", "=", guildId))
    .limit(1)
    .modifyEnd(rowLock(trx, "for share"))
    .executeTakeFirst();
  return row !== undefined;
};

/**
 * Refuses a withdrawal whose account was compared before a restore that came since, and not after it.
 * @throws StoreError database_rolled_back
 */
const assertCompared = async (
  trx: Database,
  { kind, accountFp }: WithdrawOp,
  at: Temporal.Instant,
): Promise<void> => {
  if (!isWithdrawal(kind) || (await holdFinder(trx)(accountFp, at)) === undefined) return;
  throw new StoreError("database_rolled_back", "An account waits to be compared after a restore");
};

/**
 * Makes one step and adds its event in one transaction, if state and version are unchanged. `confirmed` and `sending`
 * set `confirmedAt` and `sentAt` to `at`, `sentAt` unless the change gives another value. A state that is checked by reading is
 * due at once unless the operation has a check time. After an exception the outcome is unknown: read again before
 * acting.
 * @throws RangeError for an illegal step, StoreError as `assertCompared` and `SendingMark.raise`
 */
export const moveOp =
  (db: Database, leaseNow: () => Promise<Temporal.Instant>, sending: SendingMark | undefined) =>
  async (op: WithdrawOp, step: Transition, at: Temporal.Instant): Promise<MoveResult> => {
    assertStep(op, step);
    const leaseUntil = isHeld(step.to)
      ? storedInstant((await leaseNow()).add({ milliseconds: LEASE_MS }))
      : null;
    try {
      let sequence: number | undefined;
      const moved = await db.transaction().execute(async (trx) => {
        // Before the operation, as a removal does: the opposite order could deadlock.
        if (step.whileConnected && !(await holdConnection(trx, op))) return "not_connected";
        const taken = await writeStep(trx, op, step, at, leaseUntil);
        if (taken?.state === "sending") {
          await assertCompared(trx, taken, at);
          sequence = await sending?.raise(trx);
        }
        return taken ?? "lost";
      });
      if (typeof moved === "string") return { kind: moved };
      if (sequence !== undefined) sending?.keep(sequence);
      return { kind: "moved", op: moved };
    } catch (error) {
      // The transaction was rolled back, with its event and its notices.
      const rule = brokenRule(error);
      if (rule === undefined) throw error;
      return { kind: rule === "txid_once" ? "txid_taken" : "account_busy" };
    }
  };

/**
 * Sets facts without a step. Undefined: another process changed the operation first.
 * @throws RangeError for the token of an operation that is not a draft, and for a kind that is not its other speed
 */
export const amendOp =
  (db: Database) =>
  async (
    op: WithdrawOp,
    change: Omit<DraftChange, "txid">,
    at: Temporal.Instant,
  ): Promise<WithdrawOp | undefined> => {
    if (change.confirmTokenHash !== undefined && op.state !== "draft") {
      throw new RangeError("Only a draft waits for a token");
    }
    const { kind } = change;
    if (kind !== undefined && (op.state !== "draft" || kind !== otherSpeed(op.kind))) {
      throw new RangeError("Only a draft changes its speed");
    }
    return await changeUnmoved(db, op, columnsOf(change), at);
  };

/** Rules that the database enforces, with the columns by which SQLite names each. */
const COLUMNS_OF = {
  one_lock_per_account: "withdraw_op.account_fp",
  one_open_cancel: "withdraw_op.account_fp, withdraw_op.target_txid",
  one_refund_per_payment: "withdraw_op.target_txid",
  txid_once: "withdraw_op.account_fp, withdraw_op.txid",
} as const;

type JournalRule = keyof typeof COLUMNS_OF;

const RULES = Object.keys(COLUMNS_OF) as readonly JournalRule[];

/**
 * The rule that the statement broke; undefined for any other error. Source: PostgreSQL's error 23505 with the name of
 * the index, SQLite's constraint error with its columns.
 */
const brokenRule = (error: unknown): JournalRule | undefined => {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  if (code === "23505") return RULES.find((rule) => rule === Reflect.get(error, "constraint"));
  if (code !== "SQLITE_CONSTRAINT") return undefined;
  const [, what = ""] = /^UNIQUE constraint failed: (.*)$/.exec(error.message) ?? [];
  return RULES.find((rule) => what === COLUMNS_OF[rule] || what === `index '${rule}'`);
};
