import type { AccountsStore } from "../accounts/accounts.store.ts";
import type {
  DisputeDetail,
  DisputeFilter,
  DisputeOverview,
  DisputeRate,
  DisputeRef,
  DisputeRow,
} from "./dispute-list.ts";
import type { ReminderOutcome } from "./dispute-alert.ts";
import type { Asker } from "../accounts/asker.service.ts";
import type { DisputeWatch } from "./dispute-stores.ts";
import type { WalletClient } from "../wallet/client.ts";
import type { Clock } from "../shared/time.ts";

/** Reads of disputes, with the asker's key. */
export interface DisputeReading {
  /**
   * Counts and a page of the list. When the service's list is unreadable, watched disputes are read singly.
   * @throws UserError not_connected
   * @throws WalletError when every read failed, and for a refused key
   */
  readonly overview: (
    actor: Asker,
    filter: DisputeFilter,
    page: number,
  ) => Promise<DisputeOverview>;
  /**
   * A dispute by its id, which may be typed by hand; the bot watches it from then on.
   * @throws UserError not_connected, dispute_not_found, dispute_id_unreadable
   * @throws WalletError
   */
  readonly detail: (actor: Asker, infractionId: string) => Promise<DisputeDetail>;
  /**
   * The same for a button, which also works in direct messages.
   * @throws UserError not_your_dispute, dispute_not_found
   * @throws WalletError
   */
  readonly open: (actor: Asker, ref: DisputeRef) => Promise<DisputeDetail>;
  /** Watched disputes of the person's account in this guild, with their products, most urgent first. */
  readonly suggest: (actor: Asker, typed: string) => Promise<readonly DisputeRow[]>;
  /** Number of the account's alerts in the last seven days that were not delivered. */
  readonly undelivered: (accountId: string) => Promise<number>;
  /** Number of pending disputes that the service counted but did not list, at the last poll. */
  readonly unlisted: (watchId: string) => Promise<number>;
  /**
   * Disputes against approved sales of the last 30 whole days. Reads 30 reports, which takes half a minute.
   * @throws UserError not_connected
   * @throws WalletError for a refused key
   */
  readonly rate: (actor: Asker) => Promise<DisputeRate>;
}

/** Requests about reminders, by the account's owner alone. */
export interface DisputeReminders {
  /**
   * Stops reminders, because the owner answered in the gateway's panel. They resume 6 h before the deadline if the
   * service still awaits the answer.
   * @throws UserError not_your_dispute, dispute_not_found
   */
  readonly mute: (actor: Asker, ref: DisputeRef) => Promise<ReminderOutcome>;
  /** Undoes `mute`. @throws UserError not_your_dispute, dispute_not_found */
  readonly resume: (actor: Asker, ref: DisputeRef) => Promise<ReminderOutcome>;
  /**
   * Pauses reminders for 6 h, but never past 6 h before the deadline.
   * @throws UserError not_your_dispute, dispute_not_found
   */
  readonly snooze: (actor: Asker, ref: DisputeRef) => Promise<ReminderOutcome>;
}

export type DisputesService = DisputeReading & DisputeReminders;

/** Reads of the wallet service for disputes. All throw WalletError. */
export type DisputeWallet = Pick<
  WalletClient,
  "dispute" | "disputes" | "disputeSummary" | "salesReport"
>;

export interface DisputeReadingNeeds extends Pick<
  AccountsStore,
  "apiKey" | "find" | "findWithKey" | "ofWatch"
> {
  readonly clock: Clock;
  readonly wallet: DisputeWallet;
  readonly watched: Pick<DisputeWatch, "find" | "of" | "keep" | "undelivered" | "unlisted">;
  /** What the person's recent sales were of, by txid, for suggestions. Never rejects. */
  readonly products: (actor: Asker) => Promise<ReadonlyMap<string, string>>;
}
