import { sql } from "kysely";
import { LEASE_MS } from "./withdraw-journal.ts";
import type { Random } from "../shared/random.ts";
import type { Database } from "../schema.ts";
import { restoredAt, type SendingMark } from "../database/storage-state.ts";
import type { Vault } from "../database/vault.ts";
import { amendOp, keepDraft, moveOp, writeStep } from "./withdraw-steps.store.ts";
import { ops, statesAsWritten, withdrawQueries } from "./withdraw-queries.store.ts";
import {
  checkedStates,
  heldStates,
  isFinal,
  openStates,
  type WithdrawOp,
  type WithdrawState,
  withdrawStates,
} from "./withdraw-op.ts";
import { LONGEST_UNKNOWN_WAIT_MS, LONGEST_WAIT_MS } from "./check-schedule.ts";
import { MINUTE, SET_BACK_MS } from "../shared/time.ts";
import type { Account } from "../accounts/account.ts";
import type { NewDelivery } from "../delivery/delivery.ts";
import { type StoredInstant, storedInstant } from "../database/columns.ts";
import { enqueueDeliveries } from "../delivery/outbox-enqueue.store.ts";
import { lockDueRows, rowLock } from "../database/queries.ts";
import { withdrawOpOf } from "./money-tables.store.ts";

export type WithdrawJournal = ReturnType<typeof withdrawJournal>;

/**
 * The journal of withdrawals. It is authoritative; messages only show it. Source: decisions 1.1.
 * @param leaseNow the clock of leases, one for all processes of the database.
 * @param sending hooks into each request that moves money.
 */
export const withdrawJournal = (
  db: Database,
  vault: Vault,
  random: Random,
  leaseNow: () => Promise<Temporal.Instant>,
  sending?: SendingMark,
) => ({
  ...withdrawQueries(db, vault),
  leftUnfinished: leftUnfinished(db),
  draft: keepDraft(db, vault, random),
  move: moveOp(db, leaseNow, sending),
  amend: amendOp(db),
  sweep: sweepOps(db, leaseNow),
  abandonExpired: abandonExpired(db),
  claimDue: claimDueOps(db),
  /** Makes the checks of a wallet account's operations due. */
  makeDue: async (accountFp: string, at: Temporal.Instant): Promise<void> => {
    await db
      .updateTable("withdraw_op")
      .set({ next_check_at: storedInstant(at) })
      .where("account_fp", "=", accountFp)
      .where(statesAsWritten(checkedStates))
      .where("next_check_at", ">", storedInstant(at))
      .execute();
  },
  purgeEnded: purgeEnded(db),
});

const finalStates: readonly WithdrawState[] = withdrawStates.filter(isFinal);
/** In the order of the partial index. */
const unfinishedStates = ["draft", ...openStates] as const;
const DRAFTS_AT_ONCE = 200;
/** Longer than a draft waits for its confirmation. */
const DRAFT_LIVES_MS = 10 * MINUTE;

const orphanedOps = async (
  db: Database,
  everything: boolean,
  leaseNow: Temporal.Instant,
): Promise<readonly WithdrawOp[]> => {
  const rows = await db
    .selectFrom("withdraw_op")
    .selectAll()
    .where(statesAsWritten(heldStates))
    .$if(!everything, (query) =>
      query.where((eb) =>
        eb.or([
          eb("lease_until", "<=", storedInstant(leaseNow)),
          // Taken before the clock was set back. A step of its process that comes late finds it moved.
          eb(
            "lease_until",
            ">",
            storedInstant(leaseNow.add({ milliseconds: LEASE_MS + SET_BACK_MS })),
          ),
        ]),
      ),
    )
    .orderBy("lease_until")
    .orderBy("id")
    .execute();
  return rows.map(withdrawOpOf);
};

/** Also before a restore that seems to be later than now: the clock may have been set back before the first sweep. */
const isFromBefore = (op: WithdrawOp, restored: Temporal.Instant | undefined): boolean =>
  restored !== undefined && Temporal.Instant.compare(op.updatedAt, restored) <= 0;

/**
 * The step for an operation whose process died. An operation older than a restore may have been sent after the copy
 * was made: only the service knows.
 */
const stepFor = (op: WithdrawOp, restored: Temporal.Instant | undefined, at: Temporal.Instant) => {
  if (op.state === "sending")
    return { to: "unknown", change: { nextCheckAt: at }, reason: "left_behind" } as const;
  if (!isFromBefore(op, restored))
    return { to: "refused_local", change: {}, reason: "left_behind" } as const;
  const sentAt = op.sentAt ?? op.confirmedAt ?? op.updatedAt;
  return { to: "unknown", change: { nextCheckAt: at, sentAt }, reason: "restored" } as const;
};

/**
 * Settles operations of dead processes: `sending` becomes `unknown` and is due for a check now; `confirmed` becomes
 * `refused_local`, or `unknown` when the database may be an older copy. Covers ended leases only, with those that
 * were taken before the clock was set back, or all operations with `everything` (when no other process can be alive).
 *
 * Moves each operation by compare-and-set in its own transaction: concurrent sweeps share the work, and a process that
 * was only paused finds its operation moved.
 */
const sweepOps =
  (db: Database, leaseNow: () => Promise<Temporal.Instant>) =>
  async (
    everything: boolean,
    at: Temporal.Instant,
    noticesFor: (op: WithdrawOp) => readonly NewDelivery[],
  ): Promise<readonly WithdrawOp[]> => {
    const swept: WithdrawOp[] = [];
    const leaseAt = await leaseNow();
    const restored = await restoredAt(db);
    for (const op of await orphanedOps(db, everything, leaseAt)) {
      const step = stepFor(op, restored, at);
      const moved = await db.transaction().execute(async (trx) => {
        const taken = await writeStep(trx, op, step, at, null);
        await enqueueDeliveries(trx, taken ? noticesFor(taken) : [], at);
        return taken;
      });
      if (moved !== undefined) swept.push(moved);
    }
    return swept;
  };

const abandonSome = (
  db: Database,
  at: Temporal.Instant,
  restored: StoredInstant | undefined,
): Promise<readonly WithdrawOp[]> =>
  db.transaction().execute(async (trx) => {
    const expired = await trx
      .selectFrom("withdraw_op")
      .selectAll()
      .where("state", "=", sql.lit("draft"))
      .where((eb) =>
        eb.or([
          eb("confirm_expires_at", "<=", storedInstant(at)),
          ...(restored === undefined ? [] : [eb("created_at", "<=", restored)]),
        ]),
      )
      .orderBy("confirm_expires_at")
      .orderBy("id")
      .limit(DRAFTS_AT_ONCE)
      .modifyEnd(rowLock(trx, "for update skip locked"))
      .execute();
    const abandoned: WithdrawOp[] = [];
    for (const row of expired) {
      const step = { to: "abandoned", reason: "expired" } as const;
      const taken = await writeStep(trx, withdrawOpOf(row), step, at, null);
      if (taken !== undefined) abandoned.push(taken);
    }
    return abandoned;
  });

/**
 * Moves drafts with an expired confirmation to `abandoned`. They keep their token for late clicks. Skips drafts that are
 * being confirmed now. Drafts from before a restore are abandoned at once: they may have been
 * confirmed after the copy was made. A restore that a clock ahead has dated leaves them all: all drafts seem to be older.
 */
const abandonExpired =
  (db: Database) =>
  async (at: Temporal.Instant): Promise<readonly WithdrawOp[]> => {
    const restored = await restoredAt(db);
    const sinceMs = restored && at.since(restored).total("milliseconds");
    const isRecent = sinceMs !== undefined && sinceMs >= -SET_BACK_MS && sinceMs < DRAFT_LIVES_MS;
    const before = restored && isRecent ? storedInstant(restored) : undefined;
    const abandoned: WithdrawOp[] = [];
    for (;;) {
      const more = await abandonSome(db, at, before);
      abandoned.push(...more);
      if (more.length < DRAFTS_AT_ONCE) return abandoned;
    }
  };

/**
 * Claims operations with a due check (`accepted`, `scheduled`, `processing`, `unknown`, `manual`), oldest first, and those
 * that a clock that was set back put off. Each claim moves the next check by `holdMs`, so that other processes skip the
 * operation.
 */
const claimDueOps =
  (db: Database) =>
  (at: Temporal.Instant, limit: number, holdMs: number): Promise<readonly WithdrawOp[]> =>
    db.transaction().execute(async (trx) => {
      const due = await lockDueRows(
        trx,
        { next: "next_check_at", id: "id" },
        { rows: ops(trx).where(statesAsWritten(checkedStates)), longestWaitMs: LONGEST_WAIT_MS },
        at,
        limit,
        {
          rows: ops(trx).where(sql<boolean>`state = 'unknown'`),
          longestWaitMs: LONGEST_UNKNOWN_WAIT_MS,
        },
      );
      if (due.length === 0) return [];
      const held = storedInstant(at.add({ milliseconds: holdMs }));
      const ids = due.map(({ id }) => id);
      await trx
        .updateTable("withdraw_op")
        .set({ next_check_at: held })
        .where("id", "in", ids)
        .execute();
      return due.map((row) => withdrawOpOf({ ...row, next_check_at: held }));
    });

const eraseKeys = (db: Database) =>
  db
    .updateTable("withdraw_op")
    .set({ pix_key_enc: null, pix_key_kid: null })
    .where("pix_key_kid", "is not", null);

/**
 * Erases clear keys of operations that ended before then. Deletes drafts abandoned before then as whole rows: they never
 * moved money.
 */
const purgeEnded =
  (db: Database) =>
  async (before: Temporal.Instant): Promise<void> => {
    await eraseKeys(db)
      .where("state", "in", finalStates)
      .where("updated_at", "<", storedInstant(before))
      .execute();
    await db
      .deleteFrom("withdraw_op")
      .where("state", "=", sql.lit("abandoned"))
      .where("updated_at", "<", storedInstant(before))
      .execute();
  };

/** Erases an owner's clear keys, but those by which an operation without a txid is found. */
export const eraseNeedlessKeysOf = async (db: Database, ownerId: string): Promise<void> => {
  await eraseKeys(db)
    .where("owner_id", "=", ownerId)
    .where((eb) => eb.or([eb("state", "in", finalStates), eb("txid", "is not", null)]))
    .execute();
};

/**
 * Operations that this connection's key alone can check, oldest first; empty when the account has another key that does
 * as well.
 */
export const leftUnfinished =
  (db: Database) =>
  async ({
    id,
    accountFp,
    pausedAt,
  }: Pick<Account, "id" | "accountFp" | "pausedAt">): Promise<
    readonly Pick<WithdrawOp, "id" | "ownerId" | "kind">[]
  > => {
    const another = await db
      .selectFrom("account")
      .select("id")
      .where("account_fp", "=", accountFp)
      .where("id", "!=", id)
      // A refused key reads no state, so that it replaces only another refused key.
      .$if(pausedAt === undefined, (query) => query.where("paused_at", "is", null))
      .limit(1)
      .executeTakeFirst();
    if (another !== undefined) return [];
    return await db
      .selectFrom("withdraw_op")
      .select(["id", "owner_id as ownerId", "kind"])
      .where("account_fp", "=", accountFp)
      .where("state", "in", openStates)
      .orderBy("created_at")
      .orderBy("id")
      .execute();
  };

/** Hands a connection's unfinished operations to another connection of the same wallet account. */
export const handOverOperations = async (
  trx: Database,
  fromAccountId: string,
  to: { readonly id: string },
): Promise<void> => {
  await trx
    .updateTable("withdraw_op")
    .set({ account_id: to.id })
    .where("account_id", "=", fromAccountId)
    .where(statesAsWritten(unfinishedStates))
    .execute();
};
