import type { UnlistedPending } from "./dispute-list.ts";
import type { Account } from "../accounts/account.ts";
import type { NewDelivery, RouteStore } from "../delivery/delivery.ts";
import type { DisputeSummary } from "./dispute.ts";
import type { AlertRoute, WatchedDispute } from "./dispute-alert.ts";

/** The admin's settings; the store derives the other fields. */
export type ChosenAlertRoute = Omit<AlertRoute, "activeSince" | "suspendedAt">;

/**
 * Alert routes of the guilds. The alerts that wait for a suspended channel, blocked ones included, move to their owners'
 * direct messages.
 */
export interface AlertRoutes extends RouteStore<AlertRoute> {
  /**
   * Lifts a suspension; `activeSince` becomes `at` when the route was off or new. Unattempted alerts for the old
   * channel move to the new one. When the route is switched off, all alerts that wait for a channel, attempted ones
   * included, move to their owners' direct messages.
   */
  readonly save: (
    route: ChosenAlertRoute,
    at: Temporal.Instant,
    actor: string,
  ) => Promise<AlertRoute>;
}

/** A dispute before it is watched. */
export type NewWatchedDispute = Omit<WatchedDispute, "version">;

/** Fields that a step may set. A missing field stays; an explicit undefined clears an optional field. */
export type DisputeChange = Partial<
  Omit<WatchedDispute, "accountId" | "infractionId" | "version" | "firstSeenAt">
>;

/** State of polling one account. */
export interface DisputePoll {
  /** `Account.watchId`. */
  readonly accountId: string;
  readonly nextPollAt: Temporal.Instant;
  /** Counts of the last summary if its list was then read in full; undefined makes the next poll read it. */
  readonly counts: Pick<DisputeSummary, "byStatus" | "byAnalysis"> | undefined;
  /** When the list was last read; undefined before the first successful reading. */
  readonly listReadAt: Temporal.Instant | undefined;
  /** When the first reading was stored; disputes before it were not announced. Undefined before that. */
  readonly baselineAt: Temporal.Instant | undefined;
}

/** Result of a claimed poll. */
export interface DonePoll {
  readonly claimed: DisputePoll;
  readonly after: Omit<DisputePoll, "accountId">;
}

/** A claimed poll, and the connection with the key that reads it. */
export interface DuePoll {
  readonly account: Account;
  readonly poll: DisputePoll;
  /** True when the watch has no dispute awaiting an answer and no unlisted pending dispute. */
  readonly isQuiet: boolean;
}

/** Watched disputes and their alerts. */
export interface DisputeWatch {
  readonly find: (accountId: string, infractionId: string) => Promise<WatchedDispute | undefined>;
  /** Includes closed disputes; soonest deadline first. */
  readonly of: (accountId: string) => Promise<readonly WatchedDispute[]>;
  /** Open disputes of the account without an answer or a decision; soonest deadline first. */
  readonly awaiting: (accountId: string) => Promise<readonly WatchedDispute[]>;
  /**
   * The same for all accounts that want alerts, paused ones included, limited to disputes with a deadline before
   * `dueBefore` or never announced.
   */
  readonly awaitingBefore: (dueBefore: Temporal.Instant) => Promise<readonly WatchedDispute[]>;
  /**
   * Starts watching a dispute and enqueues its deliveries in one transaction. Undefined, without changes: the dispute
   * was already watched, or the deliveries are not wanted (see `step`).
   */
  readonly keep: (
    dispute: NewWatchedDispute,
    deliveries: readonly NewDelivery[],
    at: Temporal.Instant,
  ) => Promise<WatchedDispute | undefined>;
  /**
   * Changes a dispute whose version is unchanged, and enqueues its deliveries, in one transaction. Undefined, without
   * changes: the dispute changed first, the account is gone, or its alerts no longer go to that target (alerts off;
   * route off, suspended or on another channel). Read again before acting. A new `answeredByOwnerAt` is audited as the
   * owner's statement.
   */
  readonly step: (
    dispute: WatchedDispute,
    change: DisputeChange,
    deliveries: readonly NewDelivery[],
    at: Temporal.Instant,
  ) => Promise<WatchedDispute | undefined>;
  /**
   * Number of alerts since `since` that did not reach the owner: Discord refused them (for example closed direct
   * messages), or they wait for a lost channel. Alerts with a posted repeat do not count.
   */
  readonly undelivered: (accountId: string, since: Temporal.Instant) => Promise<number>;
  readonly unlisted: (watchId: string) => Promise<UnlistedPending>;
  /**
   * Stores the unlisted disputes after a poll and enqueues the deliveries, in one transaction. False, without changes:
   * the stored value differs from `before`, the account is gone, or the deliveries are not wanted (see `step`).
   */
  readonly saveUnlisted: (
    watchId: string,
    before: UnlistedPending,
    after: UnlistedPending,
    deliveries: readonly NewDelivery[],
    at: Temporal.Instant,
  ) => Promise<boolean>;
  /** Undefined once the account is gone. A new account is due from its connection on. */
  readonly pollState: (accountId: string) => Promise<DisputePoll | undefined>;
  /**
   * Stores the results of polls and their next due times in one transaction. Returns the stored polls; skips a poll
   * that another process has claimed since (its `nextPollAt` differs), that another transaction has locked, or whose
   * account is gone.
   */
  readonly savePolls: (polls: readonly DonePoll[]) => Promise<readonly DonePoll[]>;
  /** Makes the polls of a wallet account due. False when it has none. */
  readonly checkNow: (accountFp: string, now: Temporal.Instant) => Promise<boolean>;
  readonly countDue: (now: Temporal.Instant) => Promise<number>;
  /**
   * Claims due polls of watches with a working key and alerts wanted, longest overdue first, together with the watches
   * of other owners of the same wallet accounts. Each claim moves `nextPollAt` by `holdMs`, so that other processes
   * skip the poll.
   */
  readonly duePolls: (
    now: Temporal.Instant,
    limit: number,
    holdMs: number,
  ) => Promise<readonly DuePoll[]>;
}
