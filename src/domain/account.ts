import type { AlertChoice, AlertRoute } from "./dispute-alert.ts";

/** One seller's connected API key in one guild. The key itself stays encrypted in the store. */
export interface Account {
  readonly id: string;
  readonly guildId: string;
  /** Discord user whose key this is: the only one whose commands use it. */
  readonly ownerId: string;
  /** Discord user who typed the key: the owner, or an admin on the owner's behalf. */
  readonly connectedBy: string;
  readonly keyLast4: string;
  /** Keyed hash of the API key: the same key gives the same fingerprint in every guild. */
  readonly keyFingerprint: string;
  /**
   * Keyed hash of the service's user id: the same for every key of a wallet account. While the id is not known, the
   * fingerprint of the key. Source: service.md 2.7.
   */
  readonly accountFp: string;
  /** Under this id the disputes of the wallet account are watched for this owner, in however many guilds. */
  readonly watchId: string;
  /** Whether the service's own user id was seen to be the owner's. */
  readonly ownerVerified: boolean;
  /** Whether the owner agreed to the daily report in the guild's channel. */
  readonly reportConsent: boolean;
  /** When the consent was last given; reports begin after it. */
  readonly reportConsentAt: Temporal.Instant | undefined;
  /** Where the owner wants to be told of disputes. */
  readonly alerts: AlertChoice;
  /** Language in which the owner connected the key or last chose where alerts go; undefined: an admin connected it. */
  readonly locale: AlertRoute["locale"] | undefined;
  /** Set while the service refuses the key (401): its jobs wait until it works again. */
  readonly pausedAt: Temporal.Instant | undefined;
  readonly connectedAt: Temporal.Instant;
}

/** What goes with a connection besides its key, its consent and its reports. */
export interface ConnectionLosses {
  /** These two go with the owner's last connection anywhere. */
  readonly proofs: number;
  readonly pixKeys: number;
  /** The owner chose a channel, or silence, for alerts. */
  readonly alertChoice: boolean;
  /** Disputes without an answer that nobody reminds of any more. */
  readonly disputes: number;
  /** The soonest of their deadlines. */
  readonly dueAt: Temporal.Instant | undefined;
}
