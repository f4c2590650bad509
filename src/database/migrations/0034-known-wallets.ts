import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { StoreError } from "../../shared/store-errors.ts";

/** Rows under the fingerprint of a key instead of a wallet account that the service named. */
const IS_UNDER_KEY = sql<boolean>`account_fp not in (select account_fp from wallet_key)`;
const IS_OPEN = sql<boolean>`state in
  ('confirmed', 'sending', 'accepted', 'scheduled', 'processing', 'unknown', 'manual')`;

/**
 * The last version that asked the service for the wallet account of a stored key is commit 410d0987; new connections had
 * theirs from version 4 on. A row under a key without an account would lock no account any more. Watches, observations
 * and figures are only there with a connection.
 */
export const knownWallets: Migration = {
  up: async (db) => {
    const { rows } = await sql`
      select id from account where ${IS_UNDER_KEY}
      union all select id from withdraw_op where ${IS_UNDER_KEY} and ${IS_OPEN}
    `.execute(db);
    if (rows.length > 0) {
      throw new StoreError(
        "migration_failed",
        `This database holds connections or open withdrawals of a version of before that are known only by their API key (${rows.length}): run commit 410d0987 on it once until they are known (it asks the wallet service for each key within minutes), let such withdrawals end there, and remove connections whose key is refused by /conta desconectar, or as an admin by /config ver`,
      );
    }
    // An ended operation stayed under its key where another one of the account was open, or had claimed its withdrawal.
    await sql`
      update withdraw_op set account_fp =
        (select known.account_fp from wallet_key as known where known.key_fingerprint = withdraw_op.account_fp)
      where account_fp in (select key_fingerprint from wallet_key) and not exists
        (select 1 from withdraw_op as other where other.txid = withdraw_op.txid and other.id <> withdraw_op.id)
    `.execute(db);
  },
};
