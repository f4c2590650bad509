import type { Secret } from "../shared/secret.ts";
import type { Account } from "./account.ts";

/** Whose account a call is for. */
export interface WalletKey {
  readonly apiKey: Secret;
  /** The wallet account (`Account.accountFp`): what its quota is counted, and its operations are locked, under. */
  readonly fingerprint: string;
}

/** The key of a connection, with the wallet account that it is of. */
export const walletKeyOf = (account: Pick<Account, "accountFp">, apiKey: Secret): WalletKey => ({
  apiKey,
  fingerprint: account.accountFp,
});
