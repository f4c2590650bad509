import type { Account } from "../../domain/account.ts";
import type { Dispute, DisputeSummary } from "../../domain/dispute.ts";
import type { DisputePage } from "../../domain/dispute-list.ts";
import type { DisputeWatch } from "../../domain/dispute-stores.ts";
import type { Lane } from "../../domain/lane.ts";
import type { SalesReport } from "../../domain/sales.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Secret } from "../../shared/secret.ts";

interface Key {
  readonly apiKey: Secret;
  readonly fingerprint: string;
}

/** The reads of the wallet service that are about disputes. All throw WalletError. */
export interface DisputeWallet {
  readonly dispute: (key: Key, infractionId: string, lane: Lane) => Promise<Dispute>;
  readonly disputes: (key: Key, lane: Lane) => Promise<DisputePage>;
  readonly disputeSummary: (key: Key, lane: Lane) => Promise<DisputeSummary>;
  readonly salesReport: (key: Key, day: Temporal.PlainDate, lane: Lane) => Promise<SalesReport>;
}

export interface DisputeReadingNeeds {
  readonly clock: Clock;
  readonly wallet: DisputeWallet;
  readonly find: (guildId: string, ownerId: string) => Promise<Account | undefined>;
  readonly findById: (accountId: string) => Promise<Account | undefined>;
  readonly apiKey: (accountId: string) => Promise<Secret | undefined>;
  readonly watched: Pick<DisputeWatch, "find" | "of" | "keep" | "undelivered">;
}

/** A connected account with the key that reads it. */
export interface DisputeConnection {
  readonly account: Account;
  readonly key: Key;
}
