import type { DisputeWatch } from "../domain/dispute-stores.ts";
import { MINUTE } from "../shared/duration.ts";
import { accountOf } from "./account-row.ts";
import { storedInstant } from "./columns.ts";
import { disputePollOf, pollColumns } from "./dispute-row.ts";
import { rowLock } from "./row-lock.ts";
import type { Database } from "./schema.ts";

/** Longer than polls lie apart, and than a claim holds an account. */
const LONGEST_WAIT_MS = 20 * MINUTE;

const claimDue =
  (db: Database): DisputeWatch["duePolls"] =>
  (now, limit, holdMs) =>
    db.transaction().execute(async (trx) => {
      const due = await trx
        .selectFrom("dispute_poll")
        .selectAll()
        .where((eb) =>
          eb.or([
            eb("next_poll_at", "<=", storedInstant(now)),
            // Nobody waits so long: it was put off by a clock that has gone back since.
            eb("next_poll_at", ">", storedInstant(now.add({ milliseconds: LONGEST_WAIT_MS }))),
          ]),
        )
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom("account")
              .select("id")
              .whereRef("id", "=", "dispute_poll.account_id")
              .where("alerts", "!=", "off")
              .where("paused_at", "is", null),
          ),
        )
        .orderBy("next_poll_at")
        .orderBy("account_id")
        .limit(limit)
        .modifyEnd(rowLock(trx, "for update skip locked"))
        .execute();
      if (due.length === 0) return [];
      const held = storedInstant(now.add({ milliseconds: holdMs }));
      const ids = due.map((row) => row.account_id);
      await trx
        .updateTable("dispute_poll")
        .set({ next_poll_at: held })
        .where("account_id", "in", ids)
        .execute();
      const accounts = await trx.selectFrom("account").selectAll().where("id", "in", ids).execute();
      const byId = new Map(accounts.map((row) => [row.id, accountOf(row)]));
      return due.flatMap((row) => {
        const account = byId.get(row.account_id);
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
