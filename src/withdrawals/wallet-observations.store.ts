import { sql } from "kysely";
import { instantOf, smallTxid, storedInstant, type StoredInstant } from "../database/columns.ts";
import { createGroupCommit } from "../database/group-commit.ts";
import { compileOnce, inList, lockName, rowLock } from "../database/queries.ts";
import { enqueueDeliveries } from "../delivery/outbox-enqueue.store.ts";
import type { Database } from "../schema.ts";
import { claimantsOf, FOUND_MADE, lockOf } from "./withdraw-queries.store.ts";
import type { WithdrawKind, WithdrawOp } from "./withdraw-op.ts";
import { amongIds, smallForms } from "../shared/ids.ts";
import { cents, type Cents } from "../shared/money.ts";
import type { NewDelivery } from "../delivery/delivery.ts";
import { SET_BACK_MS } from "../shared/time.ts";

/** Listed withdrawals that an operation of unknown outcome cannot have made. */
export interface BesideUndecided {
  readonly opId: string;
  readonly txids: readonly string[];
  /** The same, and those of another moment than its request: of no later connection's time. */
  readonly older: readonly string[];
}

/**
 * Rows of one insert. A remainder is inserted row by row: every other length would be another statement in the
 * connection's cache.
 */
const ROWS_AT_ONCE = 100;

/**
 * Locks a connection of the account, so that its removal deletes the baseline afterwards. False without one: a
 * baseline begun now would stay, and a later connection would be told of the withdrawals in between.
 */
const lockConnection = async (trx: Database, accountFp: string): Promise<boolean> => {
  const connected = await trx
    .selectFrom("account")
    .select("id")
    .where("account_fp", "=", accountFp)
    .limit(1)
    .modifyEnd(rowLock(trx, "for share"))
    .executeTakeFirst();
  return connected !== undefined;
};

/**
 * The baseline of an account that an operation of unknown outcome locks: the list read before its request, while its
 * connection stands; for a later connection, all that are listed but those of its moment. Undefined while these cannot be
 * told.
 */
const baselineBeside = async (
  trx: Database,
  lock: WithdrawOp,
  older: readonly string[] | undefined,
): Promise<readonly string[] | undefined> => {
  const { accountId, preTxids } = lock;
  const connection = await trx
    .selectFrom("account")
    .select("id")
    .where("id", "=", accountId)
    .executeTakeFirst();
  if (connection !== undefined && preTxids !== undefined) return preTxids;
  return older && [...older, ...(preTxids ?? [])];
};

/** False when the account already has a baseline. */
const beginBaseline = async (db: Database, accountFp: string, at: string): Promise<boolean> => {
  const begun = await db
    .insertInto("ghost_baseline")
    .values({ account_fp: accountFp, at })
    .onConflict((conflict) => conflict.column("account_fp").doNothing())
    .returning("account_fp")
    .executeTakeFirst();
  return begun !== undefined;
};

const baselineRows = (db: Database) =>
  compileOnce(db, db.selectFrom("ghost_baseline").select("at").where("account_fp", "=", ""));

type Unseen = (accountFp: string, txids: readonly string[]) => Promise<readonly string[]>;

const unseenOf = (db: Database): Unseen => {
  const rowsOf = compileOnce(
    db,
    db
      .selectFrom("ghost_seen")
      .select("txid")
      .where("account_fp", "=", "")
      .where("txid", "in", inList(db, [])),
  );
  return async (accountFp, txids) => {
    if (txids.length === 0) return [];
    const kept = await rowsOf(accountFp, JSON.stringify(txids));
    const seen = new Set(kept.map(({ txid }) => txid));
    const unseen = [...new Set(txids)].filter((txid) => !seen.has(txid));
    if (unseen.length === 0) return [];
    // Only now, as it reads all rows of the account: the list may write txids in another case since.
    const inOtherCase = await db
      .selectFrom("ghost_seen")
      .select("txid")
      .where("account_fp", "=", accountFp)
      .where(smallTxid, "in", inList(db, smallForms(unseen)))
      .execute();
    const isSeen = amongIds(inOtherCase.map(({ txid }) => txid));
    return unseen.filter((txid) => !isSeen(txid));
  };
};

export const insertSeen = async (
  db: Database,
  accountFp: string,
  txids: readonly string[],
  at: string,
): Promise<void> => {
  for (let kept = 0; kept < txids.length;) {
    const some = txids.slice(kept, kept + (txids.length - kept < ROWS_AT_ONCE ? 1 : ROWS_AT_ONCE));
    await db
      .insertInto("ghost_seen")
      .values(some.map((txid) => ({ account_fp: accountFp, txid, at })))
      .onConflict((conflict) => conflict.columns(["account_fp", "txid"]).doNothing())
      .execute();
    kept += some.length;
  }
};

/** A withdrawal that an operation claimed was seen as that one's: it is unseen again once its owner disowns it. */
export const forgetSeen = async (
  trx: Database,
  { accountFp, txid }: Pick<WithdrawOp, "accountFp" | "txid">,
): Promise<void> => {
  if (txid === undefined) return;
  await trx
    .deleteFrom("ghost_seen")
    .where("account_fp", "=", accountFp)
    .where(smallTxid, "in", smallForms([txid]))
    .execute();
};

export const unseenSinceBaseline = (db: Database) => {
  const [baselines, unseen] = [baselineRows(db), unseenOf(db)];
  /** The given withdrawals that were never stored. Undefined before the baseline: new ones cannot be told apart yet. */
  return async (
    accountFp: string,
    txids: readonly string[],
  ): Promise<readonly string[] | undefined> =>
    (await baselines(accountFp)).length === 0 ? undefined : await unseen(accountFp, txids);
};

/** Withdrawals of each account that were seen at the service. Observations of one account wait for each other. */
export const externalWithdrawals = (db: Database, groupCommit = createGroupCommit(db)) => ({
  unseen: unseenSinceBaseline(db),
  /**
   * Stores the listed withdrawals; the first reading of an account is its baseline. Skips accounts with an operation of
   * unknown outcome, except for the rows of `beside`, and those without a connection. Returns new withdrawals that
   * belong to no operation and enqueues `noticesFor` them in the same transaction; it is told the time of an earlier
   * baseline. Operations that their owner `declared`
   * as not made, by the withdrawals that fit them, count from then on as sent, and since earlier confirmations were shown.
   */
  observe: (
    accountFp: string,
    txids: readonly string[],
    at: Temporal.Instant,
    noticesFor: (
      external: readonly string[],
      baselineAt: Temporal.Instant | undefined,
    ) => readonly NewDelivery[],
    beside?: BesideUndecided,
    declared?: ReadonlyMap<string, Pick<WithdrawOp, "id">>,
  ): Promise<readonly string[]> =>
    groupCommit(async (trx) => {
      await lockName(trx, `ghosts|${accountFp}`);
      if (!(await lockConnection(trx, accountFp))) return [];
      // The locking operation may have made a withdrawal that it has not claimed yet. Saving the list now would mark it
      // as seen, together with an external one, which would never be reported.
      const lock = await lockOf(trx)(accountFp);
      const others = lock?.id === beside?.opId ? beside : undefined;
      const judged = lock === undefined ? txids : others?.txids;
      const first = lock === undefined ? txids : await baselineBeside(trx, lock, others?.older);
      if (first === undefined) return [];
      const now = storedInstant(at);
      const isBegun = await beginBaseline(trx, accountFp, now);
      if (isBegun) await insertSeen(trx, accountFp, first, now);
      const unseen = await unseenOf(trx)(accountFp, judged ?? []);
      if (unseen.length === 0) return [];
      await insertSeen(trx, accountFp, unseen, now);
      const claimed = await claimantsOf(trx)(accountFp, unseen);
      const external = unseen.filter((txid) => !claimed.has(txid));
      const [baseline] = isBegun ? [] : await baselineRows(trx)(accountFp);
      await enqueueDeliveries(trx, noticesFor(external, baseline && instantOf(baseline.at)), at);
      for (const { id } of external.flatMap((txid) => declared?.get(txid) ?? []))
        await noteFoundMade(trx, accountFp, id, now);
      return external;
    }),
});

/** The owner's word stays, with an event by which `sentOps` counts the operation. */
const noteFoundMade = async (
  trx: Database,
  accountFp: string,
  id: string,
  at: StoredInstant,
): Promise<void> => {
  const turn = await nextTurn(trx, accountFp);
  const { version, state } = await trx
    .updateTable("withdraw_op")
    .set((eb) => ({ turn, version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .returning(["version", "state"])
    .executeTakeFirstOrThrow();
  const event = { op_id: id, seq: version, at, from_state: state, to_state: state };
  await trx
    .insertInto("withdraw_event")
    .values({ ...event, reason: FOUND_MADE })
    .execute();
};

/**
 * Deletes the baseline of an account without connections: while it is disconnected its withdrawals are not observed,
 * so a new connection must start with a new baseline.
 */
export const deleteExternalBaseline = async (db: Database, accountFp: string): Promise<void> => {
  await db.deleteFrom("ghost_baseline").where("account_fp", "=", accountFp).execute();
};

const nameOf = (accountFp: string, kind: WithdrawKind): string =>
  `open_listed|${kind}|${accountFp}`;

/** Rows of `meta`, one for each account and kind whose open withdrawals the service was seen to list. */
export const openListings = (db: Database) => ({
  note: async (accountFp: string, kind: WithdrawKind): Promise<void> => {
    await db
      .insertInto("meta")
      .values({ name: nameOf(accountFp, kind), value: "seen" })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
  },
  isKnown: async (accountFp: string, kind: WithdrawKind): Promise<boolean> => {
    const row = await db
      .selectFrom("meta")
      .select("name")
      .where("name", "=", nameOf(accountFp, kind))
      .executeTakeFirst();
    return row !== undefined;
  },
});

/** The service's last statement of each split balance. A late answer does not replace a newer one. */
export const splitBalances = (db: Database) => ({
  note: async (
    accountFp: string,
    recipientId: string,
    balance: Cents,
    at: Temporal.Instant,
  ): Promise<void> => {
    const said = { balance_cents: balance, at: storedInstant(at) };
    await db.transaction().execute(async (trx) => {
      // The answer may come after the last connection was removed, whose balances went with it.
      if (!(await lockConnection(trx, accountFp))) return;
      await trx
        .insertInto("split_balance")
        .values({ account_fp: accountFp, recipient_id: recipientId, ...said })
        .onConflict((conflict) =>
          conflict
            .columns(["account_fp", "recipient_id"])
            .doUpdateSet(said)
            .where((eb) =>
              eb.or([
                eb("split_balance.at", "<=", said.at),
                // Said before the clock was set back.
                eb("split_balance.at", ">", storedInstant(at.add({ milliseconds: SET_BACK_MS }))),
              ]),
            ),
        )
        .execute();
    });
  },
  last: async (accountFp: string, recipientId: string) => {
    const row = await db
      .selectFrom("split_balance")
      .select(["balance_cents", "at"])
      .where("account_fp", "=", accountFp)
      .where("recipient_id", "=", recipientId)
      .executeTakeFirst();
    return row && { balance: cents(row.balance_cents), at: instantOf(row.at) };
  },
});

/**
 * A split that was found made, or came back, leaves another balance, which the service does not tell. Of one that another
 * process has moved the balance may be newer, and stays.
 */
export const forgetSplitBalance = async (
  trx: Database,
  { id, version, accountFp, recipientId }: WithdrawOp,
): Promise<void> => {
  if (recipientId === undefined) return;
  await trx
    .deleteFrom("split_balance")
    .where("account_fp", "=", accountFp)
    .where("recipient_id", "=", recipientId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("withdraw_op")
          .select("id")
          .where("id", "=", id)
          .where("version", "=", version),
      ),
    )
    .execute();
};

/** Deletes the balances of an account without connections, which are other people's. */
export const deleteSplitBalances = async (db: Database, accountFp: string): Promise<void> => {
  await db.deleteFrom("split_balance").where("account_fp", "=", accountFp).execute();
};

/** The account's last turn, for a statement about one of its operations. */
export const lastTurn = (db: Database, accountFp: string) =>
  db
    .selectFrom("withdraw_op as other")
    .select(sql<number>`coalesce(max(other.turn), 0)`.as("last"))
    .where("other.account_fp", "=", accountFp);

/** The account is locked until the transaction ends: two steps at once would take one turn, and one of them be missed. */
export const nextTurn = async (trx: Database, accountFp: string): Promise<number> => {
  await lockName(trx, `turn|${accountFp}`);
  const { last } = await lastTurn(trx, accountFp).executeTakeFirstOrThrow();
  return last + 1;
};
