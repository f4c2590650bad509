import type { StoredInstant } from "../database/columns.ts";
import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { isPostgres, lockName, rowLock } from "../database/queries.ts";
import { deleteRefusal } from "../delivery/outbox-cancel.store.ts";
import type { Database, Schema } from "../schema.ts";

/**
 * Serialises changes of the set of connections and of their wallet accounts: two concurrent changes of one account
 * would miss each other. Such changes are rare and short.
 */
export const lockConnections = (trx: Database): Promise<void> => lockName(trx, "connections");

/** Whether the owner has a connection until the transaction ends. A removal of the last one that began is waited for. */
export const lockConnected = async (trx: Database, ownerId: string): Promise<boolean> => {
  await lockConnections(trx);
  return await isConnected(trx, "owner_id", ownerId);
};

/** Whether the owner, or the wallet account, has a connection. */
export const isConnected = async (
  db: Database,
  column: "owner_id" | "account_fp",
  value: string,
): Promise<boolean> => {
  const row = await db
    .selectFrom("account")
    .select("id")
    .where(column, "=", value)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

/** Which connections a statement is about. */
export type ConnectionsFilter = (eb: ExpressionBuilder<Schema, "account">) => Expression<SqlBool>;

/**
 * Ids of connections, locked in their order, as by every other statement that locks several: an update of several locks
 * them in any order, so that two transactions could deadlock.
 */
export const lockedAccounts = async (
  trx: Database,
  which: ConnectionsFilter,
  lock: "for share" | "for update",
): Promise<readonly string[]> => {
  const connections = await trx
    .selectFrom("account")
    .select("id")
    .where(which)
    .orderBy("id")
    .modifyEnd(rowLock(trx, lock))
    .execute();
  return connections.map(({ id }) => id);
};

/** Locks them alone: SQLite's transactions lock the whole file. */
export const lockAccounts = async (
  trx: Database,
  which: ConnectionsFilter,
  lock: "for share" | "for update" = "for update",
): Promise<void> => {
  if (isPostgres(trx)) await lockedAccounts(trx, which, lock);
};

/**
 * The owner's connections with the same key, in every guild: the service accepts or refuses the key for all of them.
 */
export const hasTheKeyOf =
  (accountId: string): ConnectionsFilter =>
  (eb) =>
    eb(eb.refTuple("owner_id", "key_fingerprint"), "in", (inner) =>
      inner
        .selectFrom("account as one")
        .select(["one.owner_id", "one.key_fingerprint"])
        .where("one.id", "=", accountId)
        .$asTuple("owner_id", "key_fingerprint"),
    );

/** Ends the pause of every connection that `hasTheKeyOf` finds, in the caller's transaction; gives one that was paused. */
export const resumeKey = async (trx: Database, accountId: string) => {
  const which = hasTheKeyOf(accountId);
  await lockAccounts(trx, which);
  const paused = await trx
    .selectFrom("account")
    .select(["id", "account_fp", "paused_at"])
    .where(which)
    .where("paused_at", "is not", null)
    .$narrowType<{ paused_at: StoredInstant }>()
    .execute();
  let isTold = true;
  for (const each of paused) if (await deleteRefusal(trx, each)) isTold = false;
  if (paused.length > 0)
    await trx.updateTable("account").set({ paused_at: null }).where(which).execute();
  return paused[0] && { ...paused[0], isTold };
};

/**
 * The wallet account of a key, which is `accountFp` where the key is new. The first one is final: a service that names
 * another account later must not unlock an open operation. Runs in the caller's transaction, which holds
 * `lockConnections`.
 */
export const walletOfKey = async (
  trx: Database,
  keyFingerprint: string,
  accountFp: string,
): Promise<string> => {
  await trx
    .insertInto("wallet_key")
    .values({ key_fingerprint: keyFingerprint, account_fp: accountFp })
    .onConflict((conflict) => conflict.column("key_fingerprint").doNothing())
    .execute();
  return (await knownWallet(trx, keyFingerprint)) ?? accountFp;
};

/** The wallet account that a key was first seen to be of; undefined for a key that was never connected. */
export const knownWallet = async (
  db: Database,
  keyFingerprint: string,
): Promise<string | undefined> => {
  const row = await db
    .selectFrom("wallet_key")
    .select("account_fp")
    .where("key_fingerprint", "=", keyFingerprint)
    .executeTakeFirst();
  return row?.account_fp;
};
