import { type RawBuilder, sql } from "kysely";
import type { WithdrawEvent } from "./withdraw-journal.ts";
import {
  checkedStates,
  heldStates,
  isWithdrawal,
  lockingStates,
  openStates,
  sentStates,
  type WithdrawKind,
  withdrawKinds,
  type WithdrawOp,
  type WithdrawState,
} from "./withdraw-op.ts";
import { inSmall, smallForms } from "../shared/ids.ts";
import { type Cents, cents } from "../shared/money.ts";
import {
  instantOf,
  optionalInstantOf,
  smallTxid,
  type StoredInstant,
  storedInstant,
  storedOptionalInstant,
} from "../database/columns.ts";
import type { Database } from "../schema.ts";
import type { Vault } from "../database/vault.ts";
import { inList } from "../database/queries.ts";
import { withdrawOpOf } from "./money-tables.store.ts";

/** Each costs a query when it is compared with a withdrawal. A seller is refused a few times in a week. */
const MOST_COMPARED = 200;

/** The part of the journal that only reads. */
export const withdrawQueries = (db: Database, vault: Vault) => ({
  find: (id: string) => opOf(ops(db).where("id", "=", id)),
  /** Finds an operation by the hash of its current token. */
  findByToken: (tokenHash: string) => opOf(ops(db).where("confirm_token_hash", "=", tokenHash)),
  /** The account's open withdrawals, without cancellations and refunds, newest first: at most one of them locks it. */
  openOf: (accountFp: string) =>
    newestFirst(withdrawals(db, accountFp).where("state", "in", openStates)),
  lockOf: lockOf(db),
  /**
   * The refunds of a payment without drafts, of all people and keys, newest first: at most one of them is open or was
   * made.
   */
  refundsOf: (paymentTxid: string) =>
    newestFirst(ops(db).where(isRefundAsWritten).where("target_txid", "=", paymentTxid)),
  /** Gross sum of the account's refunds that were carried out, or may have been, since then. */
  refundedSince: (accountFp: string, since: Temporal.Instant) =>
    grossSum(
      sentOps(db, sentStates)
        .where("kind", "=", sql.lit("refund"))
        .where("account_fp", "=", accountFp)
        // The time of the request does not matter: the service may carry it out much later.
        .where((eb) =>
          eb.or([eb("state", "in", openStates), eb("updated_at", ">=", storedInstant(since))]),
        ),
    ),
  /** Next due check of all open operations. */
  nextDueAt: async () => {
    const next = await db
      .selectFrom("withdraw_op")
      .select(({ fn }) => fn.min("next_check_at").as("at"))
      .where(statesAsWritten(checkedStates))
      .executeTakeFirst();
    return optionalInstantOf(next?.at ?? null);
  },
  /** Newest first, without drafts and abandoned operations. */
  list: ({
    ownerId,
    states,
    changedSince,
    limit,
  }: {
    readonly ownerId: string;
    readonly states?: readonly WithdrawState[];
    readonly changedSince?: Temporal.Instant;
    readonly limit: number;
  }): Promise<readonly WithdrawOp[]> =>
    newestFirst(
      ops(db)
        .where("owner_id", "=", ownerId)
        .where("state", "not in", ["draft", "abandoned"])
        .$if(states !== undefined, (query) => query.where("state", "in", [...(states ?? [])]))
        .$if(changedSince !== undefined, (query) =>
          query.where("updated_at", ">=", storedOptionalInstant(changedSince)),
        )
        .limit(limit),
    ),
  /**
   * The account's withdrawals without a txid that the owners sent after `since`, or decided, newest first, at most 200.
   * Those that were declared as not made are left out.
   */
  withoutTxid: ({
    accountFp,
    ownerIds,
    states,
    since,
  }: {
    readonly accountFp: string;
    readonly ownerIds: readonly string[];
    readonly states: readonly WithdrawState[];
    readonly since: Temporal.Instant;
  }) =>
    latestSent(
      withdrawals(db, accountFp)
        .where((eb) => {
          const owners = inList(db, ownerIds);
          return eb.or([eb("owner_id", "in", owners), eb("resolved_by", "in", owners)]);
        })
        .where("sent_at", ">", storedInstant(since))
        .where("state", "in", [...states])
        .where("txid", "is", null)
        .where(isNotDisowned),
    ),
  /** The account's withdrawals that their owners declared as not made, newest first, at most 200. */
  declaredNotMade: (accountFp: string) =>
    latestSent(withdrawals(db, accountFp).where("resolution", "=", "did_not_happen")),
  completedBetween: completedBetween(db),
  findByTxid: (accountFp: string, txid: string) =>
    opOf(withdrawals(db, accountFp).where(smallTxid, "in", smallForms([txid]))),
  claimantsOf: claimantsOf(db),
  /** Withdrawals of the account that no other operation may claim: of all operations, of `kinds` if given. */
  heldTxids: async (accountFp: string, kinds?: readonly WithdrawKind[]) => {
    const held = withTxid(db, accountFp);
    const rows = await (kinds === undefined ? held : held.where("kind", "in", kinds)).execute();
    return rows.flatMap(({ txid }) => txid ?? []);
  },
  /** Gross sum that the owner sent or may have sent since then, refunds too. A split of unknown amount counts as 0. */
  spentSince: (ownerId: string, since: Temporal.Instant) => grossSum(spentOps(db, ownerId, since)),
  /** The operations of that sum. */
  sentSince: (ownerId: string, since: Temporal.Instant) =>
    opsOf(spentOps(db, ownerId, since).selectAll()),
  /**
   * Time of the newest withdrawal of the account that the service accepted or may have accepted; by default also of one
   * that failed or was cancelled.
   */
  lastSentAt: async (
    accountFp: string,
    states: readonly WithdrawState[] = [...sentStates, ...RETURNED_STATES],
  ) => {
    const last = await sentOps(db, states)
      .where(isWithdrawalAsWritten)
      .select(({ fn }) => fn.max("sent_at").as("at"))
      .where("account_fp", "=", accountFp)
      .executeTakeFirst();
    return optionalInstantOf(last?.at ?? null);
  },
  wasSentSinceShown: wasSentSinceShown(db),
  /** The PIX key in plain text; undefined once erased. */
  pixKeyOf: async (id: string) => {
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

/** The withdrawal of unknown outcome that locks the account. */
export const lockOf = (db: Database) => (accountFp: string) =>
  opOf(withdrawals(db, accountFp).where(lockAsWritten));

/** The owners, by txid, of those of the given withdrawals that operations stand for: one declared as not made is left out. */
export const claimantsOf =
  (db: Database) =>
  async (accountFp: string, txids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const rows = await withTxid(db, accountFp)
      .select("owner_id")
      .where(smallTxid, "in", inList(db, smallForms(txids)))
      .where(isNotDisowned)
      .execute();
    const owners = new Map(rows.map(({ txid, owner_id }) => [inSmall(txid ?? ""), owner_id]));
    return new Map(
      txids.flatMap((txid) => {
        const ownerId = owners.get(inSmall(txid));
        return ownerId === undefined ? [] : [[txid, ownerId] as const];
      }),
    );
  };

const withTxid = (db: Database, accountFp: string) =>
  db
    .selectFrom("withdraw_op")
    .where(isWithdrawalAsWritten)
    .select("txid")
    .where("account_fp", "=", accountFp)
    .where("txid", "is not", null);

/** Not one that its owner declared as not made. */
const isNotDisowned = sql<boolean>`(resolution is null or resolution <> 'did_not_happen')`;

const opOf = async (some: ReturnType<typeof ops>): Promise<WithdrawOp | undefined> => {
  const row = await some.executeTakeFirst();
  return row && withdrawOpOf(row);
};

const opsOf = async (some: ReturnType<typeof ops>): Promise<readonly WithdrawOp[]> =>
  (await some.execute()).map(withdrawOpOf);

const newestFirst = (some: ReturnType<typeof ops>) =>
  opsOf(some.orderBy("created_at", "desc").orderBy("id", "desc"));

const latestSent = (some: ReturnType<typeof ops>) =>
  opsOf(some.orderBy("sent_at", "desc").orderBy("id", "desc").limit(MOST_COMPARED));

/**
 * Repeats the condition of a partial index word for word: for states in parameters SQLite would ignore the index and
 * scan every operation, while the whole bot waits.
 */
export const statesAsWritten = (states: readonly WithdrawState[]): RawBuilder<boolean> =>
  sql<boolean>`state in (${sql.join(states.map((state) => sql.lit(state)))})`;

/** The service accepted the withdrawal, and the money came back. */
const RETURNED_STATES = ["failed", "cancelled"] as const satisfies readonly WithdrawState[];

/** Reason of the event of an operation that was found made although its owner declared it as not made. */
export const FOUND_MADE = "found_made";
const wasFoundMade = sql<boolean>`exists (select 1 from withdraw_event
  where op_id = withdraw_op.id and reason = ${sql.lit(FOUND_MADE)})`;

export const ops = (db: Database) => db.selectFrom("withdraw_op").selectAll();

const withdrawals = (db: Database, accountFp: string) =>
  ops(db).where("account_fp", "=", accountFp).where(isWithdrawalAsWritten);

/** Operations in one of the states, or which their owner confirmed as having happened, or that were found made. */
const sentOps = (db: Database, states: readonly WithdrawState[]) =>
  db
    .selectFrom("withdraw_op")
    .where("sent_at", "is not", null)
    .where((eb) =>
      eb.or([
        eb("state", "in", [...states]),
        eb.and([eb("state", "=", sql.lit("resolved_manual")), eb("resolution", "=", "happened")]),
        eb.and([eb("state", "=", sql.lit("resolved_manual")), wasFoundMade]),
      ]),
    );

/**
 * Whether another withdrawal of the account was sent, or may have been, after this one's confirmation was last shown, or
 * found made after a denial: by the order of the steps, which a change of the clock does not alter.
 */
const wasSentSinceShown =
  (db: Database) =>
  async ({ id, accountFp }: Pick<WithdrawOp, "accountFp" | "id">): Promise<boolean> => {
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

/** Withdrawals and refunds that the owner sent or may have sent since then. */
const spentOps = (db: Database, ownerId: string, since: Temporal.Instant) =>
  sentOps(db, sentStates)
    .where("kind", "!=", sql.lit("cancel"))
    .where("owner_id", "=", ownerId)
    .where("sent_at", ">=", storedInstant(since));

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

/** Number of operations in each open state, and the start of the oldest one of unknown outcome. */
const countOpen = (db: Database) => async () => {
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
        .where(lockAsWritten),
    )
    .executeTakeFirst();
  const byState: Readonly<Partial<Record<WithdrawState, number>>> = Object.fromEntries(
    counts.map(({ state, ops: count }) => [state, count]),
  );
  return {
    byState,
    oldestUnknownSince: optionalInstantOf(oldest?.since ?? null),
  };
};

/**
 * Operations of a wallet account that were completed in that time, by the journal's step, as an operation may be read
 * again after it; and those sent in that time that their owner confirmed as having happened: when they ended is not known.
 */
export const paidOps = async (
  db: Database,
  accountFp: string,
  ofKind: RawBuilder<boolean>,
  from: StoredInstant,
  to: StoredInstant,
) => {
  const ofAccount = db
    .selectFrom("withdraw_op")
    .selectAll("withdraw_op")
    .where("account_fp", "=", accountFp)
    .where(ofKind);
  const completed = await ofAccount
    .innerJoin("withdraw_event", "withdraw_event.op_id", "withdraw_op.id")
    .select("withdraw_event.at as paid_at")
    .where("state", "=", "completed")
    .where("to_state", "=", "completed")
    .where("withdraw_event.at", ">=", from)
    .where("withdraw_event.at", "<", to)
    .execute();
  const confirmed = await ofAccount
    .select("sent_at as paid_at")
    .where("state", "=", "resolved_manual")
    .where("resolution", "=", "happened")
    .where("sent_at", ">=", from)
    .where("sent_at", "<", to)
    .execute();
  return [...completed, ...confirmed];
};

/**
 * The account's withdrawals that were paid in that time, oldest first: completed ones by when the journal learnt of it,
 * and those that their owner confirmed by hand by when they were sent.
 */
const completedBetween =
  (db: Database) => async (accountFp: string, from: Temporal.Instant, to: Temporal.Instant) => {
    const [after, before] = [storedInstant(from), storedInstant(to)];
    const paid = await paidOps(db, accountFp, isWithdrawalAsWritten, after, before);
    return paid
      .flatMap(({ paid_at: at, ...row }) =>
        at === null ? [] : [{ op: withdrawOpOf(row), at: instantOf(at) }],
      )
      .toSorted((one, other) => Temporal.Instant.compare(one.at, other.at));
  };

const events =
  (db: Database) =>
  async (id: string): Promise<readonly WithdrawEvent[]> => {
    const rows = await db
      .selectFrom("withdraw_event")
      .selectAll()
      .where("op_id", "=", id)
      .orderBy("seq")
      .execute();
    return rows.map((row) => ({
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
