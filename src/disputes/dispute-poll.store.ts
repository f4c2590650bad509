import { sql } from "kysely";
import { MINUTE } from "../shared/time.ts";
import { readersOf } from "../accounts/account-connections.store.ts";
import { type StoredInstant, storedInstant } from "../database/columns.ts";
import { disputePollOf, pollColumns } from "./dispute-tables.store.ts";
import { inList, lockDueRows, rowLock } from "../database/queries.ts";
import type { Database } from "../schema.ts";
import type { DisputePoll } from "./dispute-watch.ts";
import type { Account } from "../accounts/account.ts";

/** Result of a claimed poll. */
export interface DonePoll {
  readonly claimed: DisputePoll;
  readonly after: Omit<DisputePoll, "watchId">;
}

/** A claimed poll, and the connection with the key that reads it. */
export interface DuePoll {
  readonly account: Account;
  readonly poll: DisputePoll;
  /** True when the watch has no dispute awaiting an answer and no unlisted pending dispute. */
  readonly isQuiet: boolean;
}

/** When the watches are polled. A new account is due from its connection on. */
export const disputePolls = (db: Database) => ({
  /** Makes the polls of a wallet account due. False when it has none. */
  makeDue: async (accountFp: string, now: Temporal.Instant): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable("dispute_poll")
      .set((eb) => ({
        // A poll that is due already keeps its place.
        next_poll_at: eb
          .case()
          .when("next_poll_at", ">", storedInstant(now))
          .then(storedInstant(now))
          .else(eb.ref("next_poll_at"))
          .end(),
      }))
      .where("account_id", "in", (eb) =>
        eb.selectFrom("account").select("watch_id").where("account_fp", "=", accountFp),
      )
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },
  /** Counts by the index alone: polls that are due for longer are unwanted, and may be many. */
  countDue: async (now: Temporal.Instant): Promise<number> => {
    const { polls } = await db
      .selectFrom("dispute_poll")
      .where("next_poll_at", "<=", storedInstant(now))
      .where("next_poll_at", ">", storedInstant(now.subtract({ milliseconds: LONGEST_WAIT_MS })))
      .select(({ fn }) => fn.countAll<number>().as("polls"))
      .executeTakeFirstOrThrow();
    return polls;
  },
  /**
   * Claims due polls of watches with a working key and alerts wanted, longest overdue first, together with the watches
   * of other owners of the same wallet accounts. Each claim moves `nextPollAt` by `holdMs`, so that other processes
   * skip the poll.
   */
  duePolls: (now: Temporal.Instant, limit: number, holdMs: number): Promise<readonly DuePoll[]> =>
    db.transaction().execute(async (trx) => {
      const due = await lockDueRows(
        trx,
        { next: "next_poll_at", id: "account_id" },
        { rows: wantedPolls(trx).selectAll(), longestWaitMs: LONGEST_WAIT_MS },
        now,
        limit,
      );
      if (due.length === 0) return [];
      const first = due.map((row) => row.account_id);
      const taken = [...due, ...(await otherOwnersPolls(trx, first))];
      const held = storedInstant(now.add({ milliseconds: holdMs }));
      const ids = taken.map((row) => row.account_id);
      await putOff(trx, ids, held);
      const readers = await readersOf(trx, ids);
      const busy = await watchesWithDisputes(trx, ids);
      return taken.flatMap((row) => {
        const account = readers.get(row.account_id);
        const poll = disputePollOf({ ...row, next_poll_at: held });
        return account ? [{ account, poll, isQuiet: !busy.has(row.account_id) }] : [];
      });
    }),
  /**
   * Stores the results of polls and their next due times in one transaction. Returns the stored polls; skips a poll
   * that another process has claimed since (its `nextPollAt` differs), that another transaction has locked, or whose
   * account is gone.
   */
  savePolls: (polls: readonly DonePoll[]): Promise<readonly DonePoll[]> =>
    db.transaction().execute(async (trx) => {
      const ids = polls.map(({ claimed }) => claimed.watchId);
      // Locked rows are skipped: two transactions that each wait for several rows could deadlock.
      const rows = await trx
        .selectFrom("dispute_poll")
        .select(["account_id", "next_poll_at"])
        .where("account_id", "in", inList(trx, ids))
        .modifyEnd(rowLock(trx, "for update skip locked"))
        .execute();
      const heldUntil = new Map(rows.map((row) => [row.account_id, row.next_poll_at]));
      const kept = polls.filter(
        ({ claimed }) => heldUntil.get(claimed.watchId) === storedInstant(claimed.nextPollAt),
      );
      const unchanged = Map.groupBy(kept.filter(isUnchanged), ({ after }) =>
        storedInstant(after.nextPollAt),
      );
      for (const [next, same] of unchanged) {
        const put = same.map(({ claimed }) => claimed.watchId);
        await putOff(trx, put, next);
      }
      for (const { claimed, after } of kept.filter((done) => !isUnchanged(done))) {
        await trx
          .updateTable("dispute_poll")
          .set(pollColumns(after))
          .where("account_id", "=", claimed.watchId)
          .execute();
      }
      return kept;
    }),
});

/** Repeats the words of the partial index: SQLite uses no partial index for a parameter. */
export const awaitingAnswer = (db: Database) =>
  db
    .selectFrom("dispute_watch")
    .where("closed_at", "is", null)
    .where("status", "=", sql.lit("pending"))
    .where("analysis_status", "=", sql.lit("pending"));

/** Longer than the time between polls, and than a claim holds an account. */
const LONGEST_WAIT_MS = 20 * MINUTE;

/** Polls of watches that have a connection with alerts on and an unpaused connection. */
const wantedPolls = (db: Database) =>
  db.selectFrom("dispute_poll").where((eb) => {
    const unpaused = eb
      .selectFrom("account as other")
      .select("other.id")
      .whereRef("other.watch_id", "=", "dispute_poll.account_id")
      .where("other.paused_at", "is", null);
    // Nearly every watch has one connection, so that a single search of the index decides.
    return eb.exists(
      eb
        .selectFrom("account")
        .select("id")
        .whereRef("watch_id", "=", "dispute_poll.account_id")
        .where("alerts", "!=", "off")
        .where((alerted) =>
          alerted.or([alerted("paused_at", "is", null), alerted.exists(unpaused)]),
        ),
    );
  });

/** Watches among `ids` with a dispute that awaits an answer, or with unlisted disputes. */
const watchesWithDisputes = async (
  trx: Database,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const unlisted = trx.selectFrom("dispute_unlisted").where("pending_count", ">", 0);
  const rows = await awaitingAnswer(trx)
    .select("account_id")
    .where("account_id", "in", inList(trx, ids))
    .union(unlisted.select("account_id").where("account_id", "in", inList(trx, ids)))
    .execute();
  return new Set(rows.map((row) => row.account_id));
};

/** Other owners' watches of the same wallet accounts: one request to the service serves them all. */
const otherOwnersPolls = (trx: Database, ids: readonly string[]) =>
  wantedPolls(trx)
    .selectAll()
    .where("account_id", "in", (eb) =>
      eb
        .selectFrom("account as other")
        .innerJoin("account as due", "due.account_fp", "other.account_fp")
        .select("other.watch_id")
        .where("due.watch_id", "in", inList(trx, ids)),
    )
    .where("account_id", "not in", inList(trx, ids))
    .orderBy("account_id")
    .modifyEnd(rowLock(trx, "for update skip locked"))
    .execute();

/** Moves the next polls of these watches. */
const putOff = async (
  trx: Database,
  ids: readonly string[],
  next: StoredInstant,
): Promise<void> => {
  await trx
    .updateTable("dispute_poll")
    .set({ next_poll_at: next })
    .where("account_id", "in", inList(trx, ids))
    .execute();
};

/** Nearly every poll changes only the time of the next poll. */
const isUnchanged = ({ claimed, after }: DonePoll): boolean =>
  after.counts === claimed.counts &&
  after.listReadAt === claimed.listReadAt &&
  after.baselineAt === claimed.baselineAt;
