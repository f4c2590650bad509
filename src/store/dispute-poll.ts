import type { DisputeWatch } from "../domain/dispute-stores.ts";
import { MINUTE } from "../shared/duration.ts";
import { readersOf } from "./account-connections.ts";
import { storedInstant } from "./columns.ts";
import { disputePollOf, pollColumns } from "./dispute-row.ts";
import { rowLock } from "./row-lock.ts";
import type { Database } from "./schema.ts";

/** Longer than polls lie apart, and than a claim holds an account. */
const LONGEST_WAIT_MS = 20 * MINUTE;

/** Polls of a watch that somebody wants alerts of, by a key that works. */
const wanted = (db: Database) =>
  db.selectFrom("dispute_poll").where((eb) => {
    const ofWatch = eb
      .selectFrom("account")
      .select("id")
      .whereRef("watch_id", "=", "dispute_poll.account_id");
    return eb.and([
      eb.exists(ofWatch.where("alerts", "!=", "off")),
      eb.exists(ofWatch.where("paused_at", "is", null)),
    ]);
  });

/** Other owners' watches of the same wallet accounts: one reading serves them all. */
const alongside = (trx: Database, ids: readonly string[]) =>
  wanted(trx)
    .selectAll()
    .where("account_id", "in", (eb) =>
      eb
        .selectFrom("account as other")
        .innerJoin("account as due", "due.account_fp", "other.account_fp")
        .select("other.watch_id")
        .where("due.watch_id", "in", ids),
    )
    .where("account_id", "not in", ids)
    .orderBy("account_id")
    .modifyEnd(rowLock(trx, "for update skip locked"))
    .execute();

const claimDue =
  (db: Database): DisputeWatch["duePolls"] =>
  (now, limit, holdMs) =>
    db.transaction().execute(async (trx) => {
      const due = await wanted(trx)
        .selectAll()
        .where((eb) =>
          eb.or([
            eb("next_poll_at", "<=", storedInstant(now)),
            // Nobody waits so long: it was put off by a clock that has gone back since.
            eb("next_poll_at", ">", storedInstant(now.add({ milliseconds: LONGEST_WAIT_MS }))),
          ]),
        )
        .orderBy("next_poll_at")
        .orderBy("account_id")
        .limit(limit)
        .modifyEnd(rowLock(trx, "for update skip locked"))
        .execute();
      if (due.length === 0) return [];
      const first = due.map((row) => row.account_id);
      const taken = [...due, ...(await alongside(trx, first))];
      const held = storedInstant(now.add({ milliseconds: holdMs }));
      const ids = taken.map((row) => row.account_id);
      await trx
        .updateTable("dispute_poll")
        .set({ next_poll_at: held })
        .where("account_id", "in", ids)
        .execute();
      const readers = await readersOf(trx, ids);
      return taken.flatMap((row) => {
        const account = readers.get(row.account_id);
        return account ? [{ account, poll: disputePollOf({ ...row, next_poll_at: held }) }] : [];
      });
    });

/** When each account is to be asked for its disputes, and what the last asking found. */
export const disputePolls = (
  db: Database,
): Pick<DisputeWatch, "pollState" | "savePoll" | "duePolls"> => ({
  pollState: async (accountId) => {
    const row = await db
      .selectFrom("dispute_poll")
      .selectAll()
      .where("account_id", "=", accountId)
      .executeTakeFirst();
    return row && disputePollOf(row);
  },
  savePoll: async (claimed, after) => {
    const { numUpdatedRows } = await db
      .updateTable("dispute_poll")
      .set(pollColumns(after))
      .where("account_id", "=", claimed.accountId)
      .where("next_poll_at", "=", storedInstant(claimed.nextPollAt))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
  duePolls: claimDue(db),
});
