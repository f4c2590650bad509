import { insertSeen, unseenSinceBaseline } from "../wallet-observations.store.ts";
import type { Selectable } from "kysely";
import {
  answerIdOf,
  type AskedQuestion,
  type DatabaseRestore,
  HOLDS_NEW_ACCOUNTS_MS,
  type RestoreHold,
} from "./restore-hold.ts";
import { recordAudit } from "../../database/audit.ts";
import { compileOnce, lockName } from "../../database/queries.ts";
import { optionalInstantOf, storedInstant } from "../../database/columns.ts";
import { createGroupCommit } from "../../database/group-commit.ts";
import { enqueueDeliveries } from "../../delivery/outbox-enqueue.store.ts";
import type { Database, DatabaseRestoreTable, RestoreCheckTable } from "../../schema.ts";
import { uncertainStates } from "../withdraw-op.ts";
import { latestRestore, restoreOf } from "../../database/storage-state.ts";
import type { NewDelivery } from "../../delivery/delivery.ts";
import { amongIds } from "../../shared/ids.ts";
import { earlierInstant, earliestOf, SET_BACK_MS } from "../../shared/time.ts";

/** A message with the question to one owner. */
export interface QuestionNotice {
  readonly delivery: NewDelivery;
  /** Keys of the messages about single withdrawals that it makes needless. */
  readonly covers: readonly string[];
}

/** Wallet accounts with withdrawals on hold, because the database may be an older copy. */
export const restoreHolds = (db: Database, groupCommit = createGroupCommit(db)) => {
  const find = holdFinder(db);
  return {
    find,
    latestRestore: () => latestRestore(db),
    /** The hold with this open question. Undefined when a later restore may have lost more than the question lists. */
    findAsked: async (answerId: string): Promise<RestoreHold | undefined> => {
      const check = await db
        .selectFrom("restore_check")
        .select("account_fp")
        .where("answer_id", "=", answerId)
        .executeTakeFirst();
      const hold = check && (await find(check.account_fp));
      if (hold?.asked === undefined) return undefined;
      return answerIdOf(hold, hold.asked.why, hold.asked.txids) === answerId ? hold : undefined;
    },
    /**
     * Ends the hold, and enqueues messages: the journal knows all listed withdrawals. False, and the hold stays, when
     * another question was stored since the hold was read. After a restore every account is cleared once, within minutes.
     */
    clear: (
      hold: RestoreHold,
      at: Temporal.Instant,
      messages: readonly NewDelivery[],
    ): Promise<boolean> =>
      groupCommit(async (trx) => {
        if (!(await isStanding(trx, hold))) return false;
        await keepCheck(trx, unasked(hold, hold.number, at));
        await enqueueDeliveries(trx, messages, at);
        return true;
      }),
    /** Stores the owner's question and enqueues its notices, each once until the question is answered. */
    ask: (
      hold: RestoreHold,
      { why, txids, answerId }: AskedQuestion,
      at: Temporal.Instant,
      notices: readonly QuestionNotice[],
    ): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const check = await openCheck(trx, hold, at);
        if (check === undefined) return;
        // Restores before the first never concern the account, though its connection may be another one later.
        const cleared = wasCompared(check) ? check.cleared : hold.first - 1;
        const asked = { cleared, why, shown: JSON.stringify(txids), answer_id: answerId };
        await tell(trx, { ...check, ...asked, at: storedInstant(at) }, notices, at);
      }),
    /**
     * Enqueues messages about single withdrawals that came after the question was sent, or before it can be, each once
     * until it is answered.
     * @returns how many; 0 once it is answered
     */
    tellBeside: (
      hold: RestoreHold,
      messages: readonly NewDelivery[],
      at: Temporal.Instant,
    ): Promise<number> =>
      db.transaction().execute(async (trx) => {
        const check = await openCheck(trx, hold, at);
        if (check === undefined) return 0;
        if (hold.asked !== undefined && askedOf(check) === undefined) return 0;
        const notices = messages.map((delivery) => ({ delivery, covers: [] }));
        return await tell(trx, check, notices, at);
      }),
    /**
     * Records, with an audit event, that the owner checked `hold.asked`, and enqueues messages. A withdrawal stays unseen
     * while one of the messages that `owed` names for it was not sent, so that the next look tells it. False, and the
     * hold stays, when another question was stored since the hold was read.
     */
    acknowledge: (
      hold: RestoreHold,
      actor: string,
      at: Temporal.Instant,
      owed: (txid: string) => readonly string[],
      messages: readonly NewDelivery[],
    ): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const { accountFp, asked } = hold;
        if (!(await isStanding(trx, hold))) return false;
        const isTold = amongIds(toldOf(await checkOf(trx, accountFp)));
        const seen = asked?.txids.filter((txid) => owed(txid).every(isTold)) ?? [];
        await keepCheck(trx, unasked(hold, hold.number, at));
        await enqueueDeliveries(trx, messages, at);
        // Seen from now on, so that no other message reports them. Without a baseline the next observation counts them so.
        const unseen = await unseenSinceBaseline(trx)(accountFp, seen);
        if (unseen !== undefined) await insertSeen(trx, accountFp, unseen, storedInstant(at));
        await recordAudit(trx, { at, actor, action: "restore_acknowledged", subject: accountFp });
        return true;
      }),
  };
};

const checkOf = (
  db: Database,
  accountFp: string,
): Promise<Selectable<RestoreCheckTable> | undefined> =>
  db.selectFrom("restore_check").selectAll().where("account_fp", "=", accountFp).executeTakeFirst();

/** Restores after which the account was not compared with the service, oldest first. */
const uncomparedRows = (db: Database) =>
  compileOnce(
    db,
    db
      .selectFrom("database_restore")
      .selectAll()
      .where("number", ">", (eb) =>
        eb.fn.coalesce(
          eb.selectFrom("restore_check").select("cleared").where("account_fp", "=", ""),
          eb.lit(0),
        ),
      )
      .orderBy("number"),
  );

/**
 * An account connected long after a restore lost no data by it. An account lost in a restore may be connected again
 * soon after it.
 */
const concerns = (restore: DatabaseRestore, connectedAt: Temporal.Instant): boolean =>
  connectedAt.epochMilliseconds <=
  restore.noticedAt.epochMilliseconds + (restore.cause === "gap" ? 0 : HOLDS_NEW_ACCOUNTS_MS);

/**
 * Until when the copy certainly knew all. A clock ahead may have dated its newest event: each sign of life is dated anew.
 * Undefined for an empty journal, and where both seem to be later than the restore.
 */
const knownUntil = ({
  lastEventAt,
  aliveAt,
  noticedAt,
}: DatabaseRestore): Temporal.Instant | undefined => {
  const known = lastEventAt && earlierInstant(lastEventAt, aliveAt);
  const aheadMs = known && known.epochMilliseconds - noticedAt.epochMilliseconds;
  return aheadMs === undefined || aheadMs > SET_BACK_MS ? undefined : known;
};

const earliest = (restores: readonly DatabaseRestore[]): Temporal.Instant | undefined => {
  const instants = restores.map(knownUntil);
  return instants.includes(undefined) ? undefined : earliestOf(instants);
};

const askedOf = (check: Selectable<RestoreCheckTable> | undefined): AskedQuestion | undefined => {
  if (check === undefined || check.why === null || check.answer_id === null) return undefined;
  const { why, answer_id: answerId } = check;
  return { why, answerId, txids: JSON.parse(check.shown ?? "[]") as string[] };
};

const toldOf = (check: Selectable<RestoreCheckTable> | undefined): Set<string> =>
  new Set(JSON.parse(check?.told ?? "[]") as string[]);

/** Two writers of one account's check wait for each other, even before its row exists. */
const lockOfCheck = ({ accountFp }: RestoreHold): string => `restore_check|${accountFp}`;

/** Whether the hold's question is still the stored one; other writers of the check wait until the commit. */
const isStanding = async (trx: Database, hold: RestoreHold): Promise<boolean> => {
  await lockName(trx, lockOfCheck(hold));
  return askedOf(await checkOf(trx, hold.accountFp))?.answerId === hold.asked?.answerId;
};

const unasked = (
  { accountFp }: RestoreHold,
  cleared: number,
  at: Temporal.Instant,
): RestoreCheckTable => ({
  account_fp: accountFp,
  cleared,
  why: null,
  shown: null,
  answer_id: null,
  told: null,
  at: storedInstant(at),
});

/** The check of a hold that is not answered yet; other writers of it wait until the commit. */
const openCheck = async (
  trx: Database,
  hold: RestoreHold,
  at: Temporal.Instant,
): Promise<RestoreCheckTable | undefined> => {
  await lockName(trx, lockOfCheck(hold));
  const check = (await checkOf(trx, hold.accountFp)) ?? unasked(hold, 0, at);
  return check.cleared >= hold.number ? undefined : check;
};

/** Keeps the check with the messages that were not told before, and enqueues these. @returns how many */
const tell = async (
  trx: Database,
  check: RestoreCheckTable,
  notices: readonly QuestionNotice[],
  at: Temporal.Instant,
): Promise<number> => {
  const told = toldOf(check);
  const isTold = amongIds(told);
  const untold = notices.filter(({ delivery }) => !isTold(delivery.dedupeKey));
  const keys = untold.flatMap(({ delivery, covers }) => [delivery.dedupeKey, ...covers]);
  await keepCheck(trx, { ...check, told: JSON.stringify([...told.union(new Set(keys))]) });
  const deliveries = untold.map(({ delivery }) => delivery);
  await enqueueDeliveries(trx, deliveries, at);
  return untold.length;
};

export const holdFinder = (db: Database) => {
  const rowsOf = uncomparedRows(db);
  /**
   * Undefined when the account was compared since the restore. `connectedAt`, or a sign of an earlier connection to it,
   * decides whether a restore concerns an account that was never compared; without it every restore does.
   */
  return async (
    accountFp: string,
    connectedAt?: Temporal.Instant,
  ): Promise<RestoreHold | undefined> => {
    const rows = await rowsOf(accountFp);
    return rows.length === 0 ? undefined : await holdOf(db, accountFp, connectedAt, rows);
  };
};

/**
 * Restores that an earlier connection than the one that reads the account may have lost data by. One that was removed
 * since has left the operation that had no end yet.
 */
const concerningOf = async (
  db: Database,
  accountFp: string,
  connectedAt: Temporal.Instant,
  restores: readonly DatabaseRestore[],
): Promise<readonly DatabaseRestore[]> => {
  const { at } = await db
    .selectFrom("account")
    .select(({ fn }) => fn.min<string | null>("connected_at").as("at"))
    .where("account_fp", "=", accountFp)
    .executeTakeFirstOrThrow();
  const first = earlierInstant(connectedAt, optionalInstantOf(at));
  const hadOpen = await hadOpenAt(db, accountFp);
  return restores.filter((each) => concerns(each, first) || hadOpen.has(each.number));
};

/** Numbers of the restores at which an operation had no end. In one query: a bot of years has hundreds of stops. */
const hadOpenAt = async (db: Database, accountFp: string): Promise<ReadonlySet<number>> => {
  const rows = await db
    .selectFrom("database_restore")
    .select("number")
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("withdraw_op")
          .select("id")
          .where("account_fp", "=", accountFp)
          .whereRef("sent_at", "<", "noticed_at")
          .where((op) =>
            op.or([
              op("state", "in", uncertainStates),
              op("updated_at", ">=", op.ref("noticed_at")),
            ]),
          ),
      ),
    )
    .execute();
  return new Set(rows.map(({ number }) => number));
};

/** A row may keep only keys that were told before the first question. */
const wasCompared = (check: Selectable<RestoreCheckTable> | undefined): boolean =>
  check !== undefined && (check.cleared > 0 || check.answer_id !== null);

const holdOf = async (
  db: Database,
  accountFp: string,
  connectedAt: Temporal.Instant | undefined,
  rows: readonly Selectable<DatabaseRestoreTable>[],
): Promise<RestoreHold | undefined> => {
  const restores = rows.map(restoreOf);
  const check = await checkOf(db, accountFp);
  const known = wasCompared(check) || connectedAt === undefined;
  const concerning = known ? restores : await concerningOf(db, accountFp, connectedAt, restores);
  const [first] = concerning;
  const last = restores.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return {
    accountFp,
    first: first.number,
    number: last.number,
    cause: concerning.some(({ cause }) => cause === "restored") ? "restored" : "gap",
    noticedAt: first.noticedAt,
    renewedAt: last.noticedAt,
    since: earliest(concerning),
    asked: askedOf(check),
    told: toldOf(check),
  };
};

const keepCheck = async (db: Database, check: RestoreCheckTable): Promise<void> => {
  await db
    .insertInto("restore_check")
    .values(check)
    .onConflict((conflict) => conflict.column("account_fp").doUpdateSet(check))
    .execute();
};
