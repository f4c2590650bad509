import { type RawBuilder, sql } from "kysely";
import type { WithdrawJournal } from "./withdraw-journal.ts";
import {
  checkedStates,
  heldStates,
  isWithdrawal,
  lockingStates,
  openStates,
  sentStates,
  withdrawKinds,
  type WithdrawState,
} from "./withdraw-op.ts";
import { type Cents, cents } from "../shared/money.ts";
import {
  instantOf,
  optionalInstantOf,
  type StoredInstant,
  storedInstant,
} from "../database/columns.ts";
import type { Database } from "../schema.ts";
import type { Vault } from "../database/vault.ts";
import { inList, lockName } from "../database/queries.ts";
import { withdrawOpOf } from "./money-tables.store.ts";

/** The part that only reads. */
type WithdrawQueries = Omit<
  WithdrawJournal,
  | "leftUnfinished"
  | "draft"
  | "move"
  | "amend"
  | "sweep"
  | "abandonExpired"
  | "claimDue"
  | "makeDue"
  | "purgeEnded"
>;

/** Each costs a query when it is compared with a withdrawal. A seller is refused a few times in a week. */
const MOST_COMPARED = 200;

export const withdrawQueries = (db: Database, vault: Vault): WithdrawQueries => ({
  find: async (id) => {
    const row = await ops(db).where("id", "=", id).executeTakeFirst();
    return row && withdrawOpOf(row);
  },
  findByToken: async (tokenHash) => {
    const row = await ops(db).where("confirm_token_hash", "=", tokenHash).executeTakeFirst();
    return row && withdrawOpOf(row);
  },
  openOf: async (accountFp) => {
    const rows = await withdrawals(db)
      .selectAll()
      .where("account_fp", "=", accountFp)
      .where("state", "in", openStates)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .execute();
    return rows.map(withdrawOpOf);
  },
  lockOf: lockOf(db),
  refundsOf: async (paymentTxid) => {
    const rows = await ops(db)
      .where(isRefundAsWritten)
      .where("target_txid", "=", paymentTxid)
      .where("state", "not in", ["draft", "abandoned"])
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .execute();
    return rows.map(withdrawOpOf);
  },
  refundedSince: (accountFp, since) =>
    grossSum(
      sentOps(db, sentStates)
        .where("kind", "=", sql.lit("refund"))
        .where("account_fp", "=", accountFp)
        // The time of the request does not matter: the service may carry it out much later.
        .where((eb) =>
          eb.or([eb("state", "in", openStates), eb("updated_at", ">=", storedInstant(since))]),
        ),
    ),
  nextDueAt: async () => {
    const next = await db
      .selectFrom("withdraw_op")
      .select(({ fn }) => fn.min("next_check_at").as("at"))
      .where(statesAsWritten(checkedStates))
      .executeTakeFirst();
    return optionalInstantOf(next?.at ?? null);
  },
  list: list(db),
  withoutTxid: async ({ accountFp, ownerIds, states, since }) => {
    const rows = await newestSent(db, accountFp)
      .where((eb) => {
        const owners = inList(db, ownerIds);
        return eb.or([eb("owner_id", "in", owners), eb("resolved_by", "in", owners)]);
      })
      .where("sent_at", ">", storedInstant(since))
      .where("state", "in", [...states])
      .where("txid", "is", null)
      .where(isNotDisowned)
      .execute();
    return rows.map(withdrawOpOf);
  },
  declaredNotMade: async (accountFp) => {
    const rows = await newestSent(db, accountFp)
      .where("resolution", "=", "did_not_happen")
      .execute();
    return rows.map(withdrawOpOf);
  },
  completedBetween: completedBetween(db),
  findByTxid: async (accountFp, txid) => {
    const row = await withdrawals(db)
      .selectAll()
      .where("account_fp", "=", accountFp)
      .where("txid", "=", txid)
      .executeTakeFirst();
    return row && withdrawOpOf(row);
  },
  claimedTxids: claimedTxids(db),
  heldTxids: (accountFp, kinds) => {
    const held = withTxid(db, accountFp);
    return txidsOf(kinds === undefined ? held : held.where("kind", "in", kinds));
  },
  spentSince: (ownerId, since) =>
    grossSum(
      sentOps(db, sentStates)
        .where("kind", "!=", sql.lit("cancel"))
        .where("owner_id", "=", ownerId)
        .where("sent_at", ">=", storedInstant(since)),
    ),
  lastSentAt: async (accountFp, states = [...sentStates, ...RETURNED_STATES]) => {
    const last = await sentOps(db, states)
      .where(isWithdrawalAsWritten)
      .select(({ fn }) => fn.max("sent_at").as("at"))
      .where("account_fp", "=", accountFp)
      .executeTakeFirst();
    return optionalInstantOf(last?.at ?? null);
  },
  wasSentSinceShown: wasSentSinceShown(db),
  pixKeyOf: async (id) => {
    const row = await db
      .selectFrom("withdraw_op")
      .select(["owner_id", "pix_key_enc"])
      .where("id", "=", id)
      .executeTakeFirst();
    if (row === undefined || row.pix_key_enc === null) return undefined;
    return vault.openPixKey({ rowId: id, ownerId: row.owner_id }, row.pix_key_enc);
  },
  events: events(db),
  counts: countOpen(db),
});

export const lockOf: (db: Database) => WithdrawJournal["lockOf"] = (db) => async (accountFp) => {
  const row = await db
    .selectFrom("withdraw_op")
    .selectAll()
    .where("account_fp", "=", accountFp)
    .where(isWithdrawalAsWritten)
    .where(lockAsWritten)
    .executeTakeFirst();
  return row && withdrawOpOf(row);
};

export const claimedTxids: (db: Database) => WithdrawJournal["claimedTxids"] =
  (db) => (accountFp) =>
    txidsOf(withTxid(db, accountFp).where(isNotDisowned));

const withTxid = (db: Database, accountFp: string) =>
  withdrawals(db).select("txid").where("account_fp", "=", accountFp).where("txid", "is not", null);

const txidsOf = async (some: ReturnType<typeof withTxid>): Promise<readonly string[]> =>
  (await some.execute()).flatMap(({ txid }) => txid ?? []);

/** Not one that its owner declared as not made. */
const isNotDisowned = sql<boolean>`(resolution is null or resolution <> 'did_not_happen')`;

const newestSent = (db: Database, accountFp: string) =>
  withdrawals(db)
    .selectAll()
    .where("account_fp", "=", accountFp)
    .orderBy("sent_at", "desc")
    .orderBy("id", "desc")
    .limit(MOST_COMPARED);

/**
 * Repeats the condition of a partial index word for word: for states in parameters SQLite would ignore the index and
 * scan every operation, while the whole bot waits.
 */
export const statesAsWritten = (states: readonly WithdrawState[]): RawBuilder<boolean> =>
  sql<boolean>`state in (${sql.join(states.map((state) => sql.lit(state)))})`;

/** The service accepted the withdrawal, and the money came back. */
const RETURNED_STATES = ["failed", "cancelled"] as const satisfies readonly WithdrawState[];

export const ops = (db: Database) => db.selectFrom("withdraw_op").selectAll();

const withdrawals = (db: Database) => db.selectFrom("withdraw_op").where(isWithdrawalAsWritten);

/** Operations in one of the states, or which their owner confirmed as having happened. */
const sentOps = (db: Database, states: readonly WithdrawState[]) =>
  db
    .selectFrom("withdraw_op")
    .where("sent_at", "is not", null)
    .where((eb) =>
      eb.or([
        eb("state", "in", [...states]),
        eb.and([eb("state", "=", sql.lit("resolved_manual")), eb("resolution", "=", "happened")]),
      ]),
    );

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

const wasSentSinceShown: (db: Database) => WithdrawJournal["wasSentSinceShown"] =
  (db) =>
  async ({ id, accountFp }) => {
    const shown = await db
      .selectFrom("withdraw_op")
      .select("shown_turn")
      .where("id", "=", id)
      .executeTakeFirst();
    // Shown by a version that kept no turns.
    if (shown === undefined || shown.shown_turn === null) return true;
    // One that its owner declared as not made has a later turn once it is found made.
    const another = await sentOps(db, [...sentStates, ...RETURNED_STATES, "resolved_manual"])
      .where(isWithdrawalAsWritten)
      .select("id")
      .where("account_fp", "=", accountFp)
      .where("turn", ">", shown.shown_turn)
      .limit(1)
      .executeTakeFirst();
    return another !== undefined;
  };

/** The sum of what the service took; see `takenAmount`. */
const grossSum = async (some: ReturnType<typeof sentOps>): Promise<Cents> => {
  const { gross } = await some
    // PostgreSQL sums bigints to a numeric, which would arrive as text.
    .select(
      sql<number>`cast(coalesce(sum(coalesce(fee_cents + net_cents, amount_cents)), 0) as bigint)`.as(
        "gross",
      ),
    )
    .executeTakeFirstOrThrow();
  return cents(gross);
};

/** Takes the states of one partial index: no index covers all open states. */
const countByState = (db: Database, states: readonly WithdrawState[]) =>
  db
    .selectFrom("withdraw_op")
    .select(["state", ({ fn }) => fn.countAll<number>().as("ops")])
    .where(statesAsWritten(states))
    .groupBy("state")
    .execute();

const countOpen: (db: Database) => WithdrawJournal["counts"] = (db) => async () => {
  const counts = [
    ...(await countByState(db, heldStates)),
    ...(await countByState(db, checkedStates)),
  ];
  const oldest = await db
    .selectFrom("withdraw_event")
    .select(({ fn }) => fn.min("at").as("since"))
    .where("to_state", "=", "unknown")
    .where("op_id", "in", (eb) =>
      eb
        .selectFrom("withdraw_op")
        .select("id")
        .where(statesAsWritten(checkedStates))
        .where("state", "=", "unknown"),
    )
    .executeTakeFirst();
  return {
    byState: Object.fromEntries(counts.map(({ state, ops: count }) => [state, count])),
    oldestUnknownSince: optionalInstantOf(oldest?.since ?? null),
  };
};

const list: (db: Database) => WithdrawJournal["list"] =
  (db) =>
  async ({ ownerId, states, limit }) => {
    if (states?.length === 0) return [];
    const rows = await ops(db)
      .where("owner_id", "=", ownerId)
      .where("state", "not in", ["draft", "abandoned"])
      .$if(states !== undefined, (query) => query.where("state", "in", [...(states ?? [])]))
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
    return rows.map(withdrawOpOf);
  };

/**
 * Operations of a wallet account that were completed in that time, by the journal's step: an operation may be read again
 * after it.
 */
export const completedOps = (
  db: Database,
  accountFp: string,
  from: StoredInstant,
  to: StoredInstant,
) =>
  db
    .selectFrom("withdraw_op")
    .innerJoin("withdraw_event", "withdraw_event.op_id", "withdraw_op.id")
    .selectAll("withdraw_op")
    .select("withdraw_event.at as paid_at")
    .where("account_fp", "=", accountFp)
    .where("state", "=", "completed")
    .where("to_state", "=", "completed")
    .where("withdraw_event.at", ">=", from)
    .where("withdraw_event.at", "<", to);

/**
 * Operations of a wallet account that their owner confirmed as having happened, sent in that time: when they ended is
 * not known.
 */
export const confirmedOps = (
  db: Database,
  accountFp: string,
  from: StoredInstant,
  to: StoredInstant,
) =>
  db
    .selectFrom("withdraw_op")
    .selectAll("withdraw_op")
    .where("account_fp", "=", accountFp)
    .where("state", "=", "resolved_manual")
    .where("resolution", "=", "happened")
    .where("sent_at", ">=", from)
    .where("sent_at", "<", to);

const completedBetween: (db: Database) => WithdrawJournal["completedBetween"] =
  (db) => async (accountFp, from, to) => {
    const [after, before] = [storedInstant(from), storedInstant(to)];
    const completed = await completedOps(db, accountFp, after, before)
      .where(isWithdrawalAsWritten)
      .execute();
    const confirmed = await confirmedOps(db, accountFp, after, before)
      .where(isWithdrawalAsWritten)
      .execute();
    const paid = [...completed, ...confirmed.map((row) => ({ ...row, paid_at: row.sent_at }))];
    return paid
      .flatMap(({ paid_at: at, ...row }) =>
        at === null ? [] : [{ op: withdrawOpOf(row), at: instantOf(at) }],
      )
      .toSorted((one, other) => Temporal.Instant.compare(one.at, other.at));
  };

const events: (db: Database) => WithdrawJournal["events"] = (db) => async (id) => {
  const rows = await db
    .selectFrom("withdraw_event")
    .selectAll()
    .where("op_id", "=", id)
    .orderBy("seq")
    .execute();
  return rows.map((row) => ({
    seq: row.seq,
    at: instantOf(row.at),
    from: row.from_state ?? undefined,
    to: row.to_state,
    reason: row.reason,
  }));
};

/**
 * Repeats the states of the index `one_lock_per_account` word for word; `isWithdrawalAsWritten` repeats its kinds. See
 * `isLocking`.
 */
const lockAsWritten = sql<boolean>`(${statesAsWritten(lockingStates)}
  or (state = 'manual' and txid is null))`;

const isWithdrawalAsWritten = sql.join<boolean>(
  withdrawKinds.filter((kind) => !isWithdrawal(kind)).map((kind) => sql`kind <> ${sql.lit(kind)}`),
  sql` and `,
);

/** Repeats the condition of the index `withdraw_op_refunds`. */
const isRefundAsWritten = sql<boolean>`kind = 'refund' and state <> 'draft'`;
