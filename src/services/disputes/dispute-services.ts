import type {
  DisputeDetail,
  DisputeFilter,
  DisputeOverview,
  DisputeRate,
  DisputeRef,
  DisputeRow,
} from "../../domain/dispute-list.ts";
import type { WatchedDispute } from "../../domain/dispute-alert.ts";
import type { Asker } from "../asker.ts";
import type { Account } from "../../domain/account.ts";
import type { DisputeReads, DisputeWatch } from "../../domain/dispute-stores.ts";
import type { Priority, WalletKey } from "../../domain/wallet-key.ts";
import type { SalesReport } from "../../domain/sales.ts";
import type { Clock } from "../../shared/time.ts";
import type { Secret } from "../../shared/secret.ts";

/** Reading disputes, with the key of whoever asks. */
export interface DisputeReading {
  /**
   * Counts, and one page of the list. When the service's list cannot be read, those that are watched are read one by one.
   * @throws UserError not_connected
   * @throws WalletError when nothing at all could be read, and for a refused key
   */
  readonly overview: (
    actor: Asker,
    filter: DisputeFilter,
    page: number,
  ) => Promise<DisputeOverview>;
  /**
   * One dispute by its id, perhaps typed by hand; from then on it is followed like the others.
   * @throws UserError not_connected, dispute_not_found
   * @throws WalletError
   */
  readonly detail: (actor: Asker, infractionId: string) => Promise<DisputeDetail>;
  /**
   * The same for a button, which works in direct messages too.
   * @throws UserError not_your_dispute, dispute_not_found
   * @throws WalletError
   */
  readonly open: (actor: Asker, ref: DisputeRef) => Promise<DisputeDetail>;
  /** Watched ones of the person's own account in this guild, most urgent first, without asking the service. */
  readonly suggest: (actor: Asker, typed: string) => Promise<readonly DisputeRow[]>;
  /** Alerts of the account's last seven days that reached nobody. */
  readonly undelivered: (accountId: string) => Promise<number>;
  /** Pending disputes that the service counted and did not show, as the last poll found them. */
  readonly unlisted: (watchId: string) => Promise<number>;
  /**
   * Disputes against approved sales of the last 30 whole days, from 30 reports: it takes half a minute.
   * @throws UserError not_connected
   * @throws WalletError for a refused key
   */
  readonly rate: (actor: Asker) => Promise<DisputeRate>;
}

/** What became of an owner's wish about the reminders of one dispute. */
export type ReminderOutcome =
  | {
      /**
       * `already_muted`: put off, but stopped before. `too_late`: six hours before the deadline reminders do not wait.
       * `nothing`: it awaits no answer.
       */
      readonly kind: "muted" | "already_muted" | "resumed" | "too_late" | "nothing";
      readonly watched: WatchedDispute;
    }
  | {
      readonly kind: "snoozed";
      readonly watched: WatchedDispute;
      readonly until: Temporal.Instant;
    };

/** What the owner of an account says about its reminders. Only the owner may. */
export interface DisputeReminders {
  /** Answered in the gateway's panel: no more reminders, until the service still says otherwise 6 h before. @throws UserError not_your_dispute, dispute_not_found */
  readonly mute: (actor: Asker, ref: DisputeRef) => Promise<ReminderOutcome>;
  /** Takes the word back: reminders go on where they stopped. @throws UserError not_your_dispute, dispute_not_found */
  readonly resume: (actor: Asker, ref: DisputeRef) => Promise<ReminderOutcome>;
  /** Not before 6 hours from now, and never past 6 h before the deadline. @throws UserError not_your_dispute, dispute_not_found */
  readonly snooze: (actor: Asker, ref: DisputeRef) => Promise<ReminderOutcome>;
}

/** All that the commands ask of disputes. Whoever brings a part widens it, here and in `bot-services.ts`. */
export type DisputesService = DisputeReading & DisputeReminders;

/** The reads of the wallet service that what is said of disputes needs. All throw WalletError. */
export interface DisputeWallet extends DisputeReads {
  readonly salesReport: (
    key: WalletKey,
    day: Temporal.PlainDate,
    priority: Priority,
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
