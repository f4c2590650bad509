import type { Account } from "../domain/account.ts";
import { storedFlag } from "./columns.ts";
import type { Database } from "./schema.ts";
import type { Vault } from "./vault.ts";
import { adoptKey, lockConnections } from "./wallet-accounts.ts";

/** `AccountsStore.learn`. */
export const learnWallet = (
  db: Database,
  vault: Vault,
  { keyFingerprint }: Pick<Account, "keyFingerprint">,
  walletUserId: string,
  at: Temporal.Instant,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockConnections(trx);
    await adoptKey(trx, keyFingerprint, vault.hashWalletUser(walletUserId), at);
  });

/**
 * Connections that an older version kept, of owners whom the service named by their own id: their wallet account is
 * known without asking anybody, even if their keys are revoked since. Nobody else uses the database's rows meanwhile.
 */
export const learnVerified = async (
  db: Database,
  vault: Vault,
  at: Temporal.Instant,
): Promise<void> => {
  const rows = await db
    .selectFrom("account")
    .select(["owner_id as ownerId", "key_fingerprint as keyFingerprint"])
    .whereRef("account_fp", "=", "key_fingerprint")
    .where("owner_verified", "=", storedFlag(true))
    .execute();
  for (const row of rows) await learnWallet(db, vault, row, row.ownerId, at);
};
