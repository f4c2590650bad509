import type { GhostWatch } from "../domain/money-stores.ts";
import type { WithdrawState } from "../domain/withdraw-op.ts";
import { storedInstant } from "./columns.ts";
import { enqueueDelivery } from "./outbox-enqueue.ts";
import { lockName } from "./row-lock.ts";
import type { Database } from "./schema.ts";

/** An operation may have made a withdrawal that it has not claimed yet. */
const UNDECIDED = [
  "confirmed",
  "sending",
  "unknown",
  "manual",
] as const satisfies readonly WithdrawState[];

/** Few enough parameters for one statement on either database. */
const ROWS_AT_ONCE = 500;

const isUndecided = async (db: Database, accountFp: string): Promise<boolean> => {
  const op = await db
    .selectFrom("withdraw_op")
    .select("id")
    .where("account_fp", "=", accountFp)
    .where("kind", "!=", "cancel")
    .where("state", "in", UNDECIDED)
    .limit(1)
    .executeTakeFirst();
  return op !== undefined;
};

/** False when the account has a baseline already. */
const beginBaseline = async (db: Database, accountFp: string, at: string): Promise<boolean> => {
  const begun = await db
    .insertInto("ghost_baseline")
    .values({ account_fp: accountFp, at })
    .onConflict((conflict) => conflict.column("account_fp").doNothing())
    .returning("account_fp")
    .executeTakeFirst();
  return begun !== undefined;
};

/** Those of the listed that were never seen before, now kept. */
const keepUnseen = async (
  db: Database,
  accountFp: string,
  txids: readonly string[],
  at: string,
): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom("ghost_seen")
    .select("txid")
    .where("account_fp", "=", accountFp)
    .execute();
  const seen = new Set(rows.map(({ txid }) => txid));
  const unseen = [...new Set(txids)].filter((txid) => !seen.has(txid));
  for (let start = 0; start < unseen.length; start += ROWS_AT_ONCE) {
    const some = unseen.slice(start, start + ROWS_AT_ONCE);
    await db
      .insertInto("ghost_seen")
      .values(some.map((txid) => ({ account_fp: accountFp, txid, at })))
      .execute();
  }
  return unseen;
};

const withoutClaimed = async (
  db: Database,
  accountFp: string,
  txids: readonly string[],
): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom("withdraw_op")
    .select("txid")
    .where("account_fp", "=", accountFp)
    .where("txid", "is not", null)
    .execute();
  const claimed = new Set(rows.map(({ txid }) => txid));
  return txids.filter((txid) => !claimed.has(txid));
};

/** Which withdrawals of an account were seen at the service. Observations of one account wait for each other. */
export const ghostWatch = (db: Database): GhostWatch => ({
  observe: (accountFp, txids, at, noticesFor) =>
    db.transaction().execute(async (trx) => {
      await lockName(trx, `ghosts|${accountFp}`);
      // Kept now they would count as seen, and a stranger's among them would never be told.
      if (await isUndecided(trx, accountFp)) return [];
      const now = storedInstant(at);
      const isFirst = await beginBaseline(trx, accountFp, now);
      const unseen = await keepUnseen(trx, accountFp, txids, now);
      const ghosts = isFirst ? [] : await withoutClaimed(trx, accountFp, unseen);
      if (ghosts.length === 0) return [];
      for (const notice of noticesFor(ghosts)) await enqueueDelivery(trx, notice, at);
      return ghosts;
    }),
});

/** Forgets an account that nobody has connected any more: the next reading of it is a baseline again. */
export const dropGhosts = async (db: Database, accountFp: string): Promise<void> => {
  await db.deleteFrom("ghost_baseline").where("account_fp", "=", accountFp).execute();
};
