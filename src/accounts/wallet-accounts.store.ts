import type { StoredInstant } from "../database/columns.ts";
import {
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  sql,
  type SqlBool,
} from "kysely";
import { isPostgres, lockName, rowLock } from "../database/queries.ts";
import type { Database, Schema } from "../schema.ts";

/**
 * Serialises changes of the set of connections and of their wallet accounts: two concurrent changes of one account
 * would miss each other. Such changes are rare and short.
 */
export const lockConnections = (trx: Database): Promise<void> => lockName(trx, "connections");

/** Held while an operation of the wallet account is confirmed, and while operations move to the account. */
export const lockWallet = (trx: Database, accountFp: string): Promise<void> =>
  lockName(trx, `wallet|${accountFp}`);

/** Which connections a statement is about. */
export type ConnectionsFilter = (eb: ExpressionBuilder<Schema, "account">) => Expression<SqlBool>;

/**
 * Locks connections in the order of their ids, as every other statement that locks several: an update of several locks
 * them in any order, so that two transactions could deadlock.
 */
export const lockAccounts = async (trx: Database, which: ConnectionsFilter): Promise<void> => {
  if (!isPostgres(trx)) return;
  await trx
    .selectFrom("account")
    .select("id")
    .where(which)
    .orderBy("id")
    .modifyEnd(rowLock(trx, "for update"))
    .execute();
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
    .select(["account_fp", "paused_at"])
    .where(which)
    .where("paused_at", "is not", null)
    .$narrowType<{ paused_at: StoredInstant }>()
    .executeTakeFirst();
  if (paused !== undefined)
    await trx.updateTable("account").set({ paused_at: null }).where(which).execute();
  return paused;
};

/**
 * Every value of `account_fp` that may name one wallet account: the account's own, and the fingerprints of its keys.
 * Some rows written before a key's account was known stay under the key.
 */
export const scopesOf = (accountFp: string): RawBuilder<string> => sql<string>`(
  select cast(${accountFp} as text)
  union select account_fp from wallet_key where key_fingerprint = ${accountFp}
  union select key_fingerprint from wallet_key where account_fp = ${accountFp}
  union select other.key_fingerprint from wallet_key as one
    join wallet_key as other on other.account_fp = one.account_fp
    where one.key_fingerprint = ${accountFp}
)`;

/** The wallet account of a key; the key's own fingerprint while the account is unknown. */
export const walletOfKey = async (db: Database, keyFingerprint: string): Promise<string> => {
  const known = await db
    .selectFrom("wallet_key")
    .select("account_fp")
    .where("key_fingerprint", "=", keyFingerprint)
    .executeTakeFirst();
  return known?.account_fp ?? keyFingerprint;
};

/** Moves a capability's rows from a key to its wallet account. */
export type KeyRowsMover = (
  trx: Database,
  keyFingerprint: string,
  accountFp: string,
  at: Temporal.Instant,
) => Promise<void>;

/**
 * Moves every row kept under a key to the wallet account that the service names for it. Runs in the caller's
 * transaction, which holds `lockConnections`. The first account of a key is final: a service that names another
 * account later must not unlock an open operation.
 * @returns the wallet account of the key
 */
export const adoptKey = async (
  trx: Database,
  keyFingerprint: string,
  accountFp: string,
  at: Temporal.Instant,
  movers: readonly KeyRowsMover[],
): Promise<string> => {
  const known = await walletOfKey(trx, keyFingerprint);
  if (known !== keyFingerprint) return known;
  await lockWallet(trx, accountFp);
  // Without this lock, an operation confirmed meanwhile would move as the draft that it was.
  await lockWallet(trx, keyFingerprint);
  // Those of the account too: the movers below join watches.
  await lockAccounts(trx, (eb) =>
    eb.or([eb("key_fingerprint", "=", keyFingerprint), eb("account_fp", "=", accountFp)]),
  );
  await trx
    .insertInto("wallet_key")
    .values({ key_fingerprint: keyFingerprint, account_fp: accountFp })
    .execute();
  await trx
    .updateTable("account")
    .set({ account_fp: accountFp })
    .where("key_fingerprint", "=", keyFingerprint)
    .execute();
  for (const move of movers) await move(trx, keyFingerprint, accountFp, at);
  return accountFp;
};
