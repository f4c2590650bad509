import type { GhostWatch } from "../domain/money-stores.ts";
import { storedInstant } from "./columns.ts";
import { builtOnce } from "./built-once.ts";
import { enqueueDelivery } from "./outbox-enqueue.ts";
import { lockName } from "./row-lock.ts";
import type { Database } from "./schema.ts";
import { claimedTxids, lockOf } from "./withdraw-queries.ts";

/** Kept at once, or else one by one: each length would be a statement of its own, which the connection remembers. */
const ROWS_AT_ONCE = 100;

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

const baselineRows = (db: Database) =>
  builtOnce(db, db.selectFrom("ghost_baseline").select("at").where("account_fp", "=", ""));

type Unseen = (accountFp: string, txids: readonly string[]) => Promise<readonly string[]>;

const unseenOf = (db: Database): Unseen => {
  const rowsOf = builtOnce(
    db,
    db.selectFrom("ghost_seen").select("txid").where("account_fp", "=", ""),
  );
  return async (accountFp, txids) => {
    if (txids.length === 0) return [];
    const seen = new Set((await rowsOf(accountFp)).map(({ txid }) => txid));
    return [...new Set(txids)].filter((txid) => !seen.has(txid));
  };
};

const keep = async (
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
      .execute();
    kept += some.length;
  }
};

const withoutClaimed = async (
  db: Database,
  accountFp: string,
  txids: readonly string[],
): Promise<readonly string[]> => {
  const claimed = new Set(await claimedTxids(db)(accountFp));
  return txids.filter((txid) => !claimed.has(txid));
};

const unseenSinceBaseline = (db: Database): GhostWatch["unseen"] => {
  const [baselines, unseen] = [baselineRows(db), unseenOf(db)];
  return async (accountFp, txids) =>
    (await baselines(accountFp)).length === 0 ? undefined : await unseen(accountFp, txids);
};

/** Which withdrawals of an account were seen at the service. Observations of one account wait for each other. */
export const ghostWatch = (db: Database): GhostWatch => ({
  unseen: unseenSinceBaseline(db),
  observe: (accountFp, txids, at, noticesFor) =>
    db.transaction().execute(async (trx) => {
      await lockName(trx, `ghosts|${accountFp}`);
      // It may have made a withdrawal that it has not claimed yet: kept now, all of them would count as seen, and a
      // stranger's among them would never be told.
      if ((await lockOf(trx, accountFp)) !== undefined) return [];
      const now = storedInstant(at);
      const isFirst = await beginBaseline(trx, accountFp, now);
      const unseen = await unseenOf(trx)(accountFp, txids);
      await keep(trx, accountFp, unseen, now);
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
