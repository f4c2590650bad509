import { type RawBuilder, sql } from "kysely";
import { lockingStates, openStates } from "../domain/withdraw-op.ts";
import { lockName } from "./queries.ts";
import type { Database } from "./schema.ts";
import type { AlertStep } from "../domain/dispute-alert.ts";
import { storedInstant } from "./columns.ts";
import type { WatchedDisputeRow } from "./dispute-tables.ts";
import { cancelWaitingAlerts } from "./outbox-cancel.ts";

/**
 * Serialises changes of the set of connections and of their wallet accounts: two concurrent changes of one account
 * would miss each other. Such changes are rare and short.
 */
export const lockConnections = (trx: Database): Promise<void> => lockName(trx, "connections");

/** Held while an operation of the wallet account is confirmed, and while operations move to the account. */
export const lockWallet = (trx: Database, accountFp: string): Promise<void> =>
  lockName(trx, `wallet|${accountFp}`);

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
): Promise<string> => {
  const known = await walletOfKey(trx, keyFingerprint);
  if (known !== keyFingerprint) return known;
  await lockWallet(trx, accountFp);
  // Without this lock, an operation confirmed meanwhile would move as the draft that it was.
  await lockWallet(trx, keyFingerprint);
  await trx
    .insertInto("wallet_key")
    .values({ key_fingerprint: keyFingerprint, account_fp: accountFp })
    .execute();
  await trx
    .updateTable("account")
    .set({ account_fp: accountFp })
    .where("key_fingerprint", "=", keyFingerprint)
    .execute();
  await moveOperations(trx, keyFingerprint, accountFp);
  await moveExternalWithdrawals(trx, keyFingerprint, accountFp);
  await moveSplitBalances(trx, keyFingerprint, accountFp);
  await mergeWatchesOfOwners(trx, accountFp, at);
  return accountFp;
};

const lockingIn = (table: string): RawBuilder<boolean> => {
  const states = sql.join(lockingStates.map((state) => sql.lit(state)));
  const [state, txid] = [sql.ref(`${table}.state`), sql.ref(`${table}.txid`)];
  return sql`(${state} in (${states}) or (${state} = 'manual' and ${txid} is null))`;
};

/**
 * Moves the operations of a key to its wallet account. An operation that would break a rule of the journal there stays
 * under the key: two may have unknown outcomes if each began under its own key. `scopesOf` finds them, and they block
 * other confirmations.
 */
const moveOperations = async (trx: Database, from: string, to: string): Promise<void> => {
  const open = sql.join(openStates.map((state) => sql.lit(state)));
  await sql`
    update withdraw_op set account_fp = ${to} where account_fp = ${from} and not exists (
      select 1 from withdraw_op as other where other.account_fp = ${to}
        and (other.kind = 'cancel') = (withdraw_op.kind = 'cancel')
        and (
          (other.kind <> 'cancel' and (
            other.txid = withdraw_op.txid or (${lockingIn("other")} and ${lockingIn("withdraw_op")})
          ))
          or (
            other.kind = 'cancel' and other.target_txid = withdraw_op.target_txid
            and other.state in (${open}) and withdraw_op.state in (${open})
          )
        )
    )
  `.execute(trx);
};

/** Withdrawals seen under the key or the account count as seen under the account. */
const moveExternalWithdrawals = async (trx: Database, from: string, to: string): Promise<void> => {
  await sql`
    insert into ghost_baseline (account_fp, at) select ${to}, at from ghost_baseline where account_fp = ${from}
    on conflict (account_fp) do nothing
  `.execute(trx);
  await sql`
    insert into ghost_seen (account_fp, txid, at) select ${to}, txid, at from ghost_seen where account_fp = ${from}
    on conflict (account_fp, txid) do nothing
  `.execute(trx);
  await trx.deleteFrom("ghost_baseline").where("account_fp", "=", from).execute();
};

const moveSplitBalances = async (trx: Database, from: string, to: string): Promise<void> => {
  await sql`
    insert into split_balance (account_fp, recipient_id, balance_cents, at)
    select ${to}, recipient_id, balance_cents, at from split_balance where account_fp = ${from}
    on conflict (account_fp, recipient_id) do update
      set balance_cents = excluded.balance_cents, at = excluded.at where split_balance.at < excluded.at
  `.execute(trx);
  await trx.deleteFrom("split_balance").where("account_fp", "=", from).execute();
};

/** Merges each owner's watches of the account into one. */
const mergeWatchesOfOwners = async (trx: Database, accountFp: string, at: Temporal.Instant) => {
  const rows = await trx
    .selectFrom("account")
    .select(["owner_id", "watch_id"])
    .distinct()
    .where("account_fp", "=", accountFp)
    .orderBy("watch_id")
    .execute();
  for (const watches of Map.groupBy(rows, (row) => row.owner_id).values()) {
    const [kept, ...others] = watches.map((row) => row.watch_id);
    for (const other of others) if (kept !== undefined) await mergeWatches(trx, other, kept, at);
  }
};

const latest = <Value extends string>(one: Value | null, other: Value | null): Value | null =>
  (one ?? "") > (other ?? "") ? one : other;

const stepsOf = ({ done_steps: told }: WatchedDisputeRow): readonly AlertStep[] =>
  JSON.parse(told) as AlertStep[];

/** Steps sent by either watch count as sent, so that no alert repeats. */
const mergedDispute = (
  kept: WatchedDisputeRow,
  other: WatchedDisputeRow,
): Partial<WatchedDisputeRow> => ({
  done_steps: JSON.stringify([...new Set([...stepsOf(kept), ...stepsOf(other)])]),
  answered_by_owner_at: latest(kept.answered_by_owner_at, other.answered_by_owner_at),
  snoozed_until: latest(kept.snoozed_until, other.snoozed_until),
  closed_at: kept.closed_at === null ? null : (other.closed_at ?? null),
  version: kept.version + 1,
});

const mergeDispute = async (
  trx: Database,
  other: WatchedDisputeRow,
  into: string,
): Promise<void> => {
  const { account_id: from, infraction_id: infractionId } = other;
  const kept = await trx
    .selectFrom("dispute_watch")
    .selectAll()
    .where("account_id", "=", into)
    .where("infraction_id", "=", infractionId)
    .executeTakeFirst();
  if (kept === undefined) {
    await trx
      .updateTable("dispute_watch")
      .set({ account_id: into })
      .where("account_id", "=", from)
      .where("infraction_id", "=", infractionId)
      .execute();
    return;
  }
  await trx
    .updateTable("dispute_watch")
    .set(mergedDispute(kept, other))
    .where("account_id", "=", into)
    .where("infraction_id", "=", infractionId)
    .execute();
  await trx
    .deleteFrom("dispute_watch")
    .where("account_id", "=", from)
    .where("infraction_id", "=", infractionId)
    .execute();
};

/** Merges a watch into another of the same owner and wallet account, with its disputes and their sent steps. */
const mergeWatches = async (
  trx: Database,
  from: string,
  into: string,
  at: Temporal.Instant,
): Promise<void> => {
  await cancelWaitingAlerts(trx, from, at, "watched_once");
  const disputes = await trx
    .selectFrom("dispute_watch")
    .selectAll()
    .where("account_id", "=", from)
    .orderBy("infraction_id")
    .execute();
  for (const dispute of disputes) await mergeDispute(trx, dispute, into);
  await trx.deleteFrom("dispute_unlisted").where("account_id", "=", from).execute();
  const ended = await trx
    .deleteFrom("dispute_poll")
    .where("account_id", "=", from)
    .returning("baseline_at")
    .executeTakeFirst();
  const kept = await trx
    .selectFrom("dispute_poll")
    .select("baseline_at")
    .where("account_id", "=", into)
    .executeTakeFirst();
  const baselines = [ended?.baseline_at, kept?.baseline_at].filter(
    (each) => typeof each === "string",
  );
  await trx
    .updateTable("dispute_poll")
    // The next poll reads all disputes, and sends the cancelled alerts.
    .set({
      counts: null,
      next_poll_at: storedInstant(at),
      baseline_at: baselines.toSorted()[0] ?? null,
    })
    .where("account_id", "=", into)
    .execute();
  await trx.updateTable("account").set({ watch_id: into }).where("watch_id", "=", from).execute();
};
