import type { Account } from "../../domain/account.ts";
import type { DisputeReads, DisputeWatch } from "../../domain/dispute-stores.ts";
import type { Lane, WalletKey } from "../../domain/wallet-key.ts";
import type { SalesReport } from "../../domain/sales.ts";
import type { Clock } from "../../shared/time.ts";
import type { Secret } from "../../shared/secret.ts";

/** The reads of the wallet service that what is said of disputes needs. All throw WalletError. */
export interface DisputeWallet extends DisputeReads {
  readonly salesReport: (
    key: WalletKey,
    day: Temporal.PlainDate,
    lane: Lane,
  ) => Promise<SalesReport>;
}

export interface DisputeReadingNeeds {
  readonly clock: Clock;
  readonly wallet: DisputeWallet;
  readonly find: (guildId: string, ownerId: string) => Promise<Account | undefined>;
  /** Undefined once the last connection has gone. */
  readonly ofWatch: (
    watchId: string,
  ) => Promise<{ readonly told: Account; readonly reader: Account } | undefined>;
  readonly apiKey: (accountId: string) => Promise<Secret | undefined>;
  readonly watched: Pick<DisputeWatch, "find" | "of" | "keep" | "undelivered" | "unlisted">;
}

/** A connected account with the key that reads it. */
export interface DisputeConnection {
  readonly account: Account;
  readonly key: WalletKey;
}
