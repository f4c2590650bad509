import type { UnlistedPending } from "./dispute-list.ts";
import type { Account } from "./account.ts";
import type { NewDelivery } from "./delivery.ts";
import type { DisputeSummary } from "./dispute.ts";
import type { AlertRoute, WatchedDispute } from "./dispute-alert.ts";

/** What an admin chooses; the rest follows from what was there before. */
export type ChosenAlertRoute = Omit<AlertRoute, "activeSince" | "suspendedAt">;

/** Where the guilds' alerts go. */
export interface AlertRoutes {
  readonly find: (guildId: string) => Promise<AlertRoute | undefined>;
  /**
   * Lifts a suspension and begins at `at` when the route was off or new. Alerts that wait for the old channel and were
   * not attempted go to the chosen one; switched off, all that wait for it go to their owners' direct messages.
   */
  readonly save: (
    route: ChosenAlertRoute,
    at: Temporal.Instant,
    actor: string,
  ) => Promise<AlertRoute>;
  /**
   * For a channel that cannot be posted to. Whoever asks, the alerts that wait for it (also blocked ones) go to their
   * owners' direct messages now. True, with the notices enqueued, for the first that finds the guild's current one lost.
   */
  readonly suspend: (
    guildId: string,
    channelId: string,
    at: Temporal.Instant,
    notices: readonly NewDelivery[],
  ) => Promise<boolean>;
  /** Who is to know about the route: sellers whose alerts go to it, and the admin who set it. */
  readonly owners: (guildId: string) => Promise<readonly string[]>;
}

/** One that is not watched yet. */
export type NewWatchedDispute = Omit<WatchedDispute, "version">;

/** Facts that a step may set; what is left out stays. An explicit undefined takes back what may be undefined. */
export type DisputeChange = Partial<
  Omit<WatchedDispute, "accountId" | "infractionId" | "version" | "firstSeenAt">
>;

/** What is known of the polling of one account. */
export interface DisputePoll {
  /** `Account.watchId`. */
  readonly accountId: string;
  readonly nextPollAt: Temporal.Instant;
  /** Counts of the last summary whose list was read too; undefined until then. */
  readonly counts: Pick<DisputeSummary, "byStatus" | "byAnalysis"> | undefined;
  /** Undefined: never read, or unreadable so far. */
  readonly listReadAt: Temporal.Instant | undefined;
  /** When the first reading was kept: what came before it was not announced. Undefined: there was none. */
  readonly baselineAt: Temporal.Instant | undefined;
}

/** What is to be kept of a poll that was taken. */
export interface DonePoll {
  readonly claimed: DisputePoll;
  readonly after: Omit<DisputePoll, "accountId">;
}

/** A poll that was taken, with the connection whose key reads, as it was then. */
export interface DuePoll {
  readonly account: Account;
  readonly poll: DisputePoll;
  /** Then none of its disputes awaited an answer, and none was counted and not listed. */
  readonly isQuiet: boolean;
}

/** Disputes that are watched, and what was told of them. */
export interface DisputeWatch {
  readonly find: (accountId: string, infractionId: string) => Promise<WatchedDispute | undefined>;
  /** Also the closed ones; soonest deadline first. */
  readonly of: (accountId: string) => Promise<readonly WatchedDispute[]>;
  /** Those of the account that are not closed and that nobody answered or decided; soonest deadline first. */
  readonly awaiting: (accountId: string) => Promise<readonly WatchedDispute[]>;
  /** The same of all accounts that want alerts, also of paused ones: with a deadline before then, or never announced. */
  readonly awaitingBefore: (dueBefore: Temporal.Instant) => Promise<readonly WatchedDispute[]>;
  /**
   * Begins to watch one and enqueues what is told of it, both or neither. Undefined, with nothing done: it was watched
   * already, or the deliveries are not wanted (see `step`).
   */
  readonly keep: (
    dispute: NewWatchedDispute,
    deliveries: readonly NewDelivery[],
    at: Temporal.Instant,
  ) => Promise<WatchedDispute | undefined>;
  /**
   * Changes one that still is as given (its version), and enqueues what is told of it, both or neither. Undefined, with
   * nothing done: somebody changed it first, the account has gone, or its alerts go elsewhere meanwhile (off; or the
   * route is off, suspended or of another channel). Read again before acting.
   * A new `answeredByOwnerAt` is audited as the owner's word.
   */
  readonly step: (
    dispute: WatchedDispute,
    change: DisputeChange,
    deliveries: readonly NewDelivery[],
    at: Temporal.Instant,
  ) => Promise<WatchedDispute | undefined>;
  /**
   * How many alerts of the account reached nobody at or after `since`: Discord refused them (as for an owner who takes no
   * direct messages), or they wait for a channel that is lost. One whose repeat was posted does not count.
   */
  readonly undelivered: (accountId: string, since: Temporal.Instant) => Promise<number>;
  /** Pending disputes of the watch that the service counts and does not list. */
  readonly unlisted: (watchId: string) => Promise<UnlistedPending>;
  /**
   * Keeps the same after a poll and enqueues what is told of it, both or neither. False, with nothing done: they are not
   * as `before` any more, the account has gone, or the deliveries are not wanted (see `step`).
   */
  readonly saveUnlisted: (
    watchId: string,
    before: UnlistedPending,
    after: UnlistedPending,
    deliveries: readonly NewDelivery[],
    at: Temporal.Instant,
  ) => Promise<boolean>;
  /** Undefined once the account has gone. A new account is due from its connection on. */
  readonly pollState: (accountId: string) => Promise<DisputePoll | undefined>;
  /**
   * Keeps what polls found and when the next ones are due, all in one transaction. Gives those that were kept: nothing
   * is done about one that another process took meanwhile (its `nextPollAt` is not the claimed one's any more), that
   * another transaction holds, or whose account has gone.
   */
  readonly savePolls: (polls: readonly DonePoll[]) => Promise<readonly DonePoll[]>;
  /** How many polls are due now. */
  readonly countDue: (now: Temporal.Instant) => Promise<number>;
  /**
   * Takes watches with a key that works and a connection that wants alerts, whose poll is due, longest due first, and
   * with them other owners' of the same wallet accounts: their next poll is put `holdMs` off, so that no other process
   * takes them meanwhile.
   */
  readonly duePolls: (
    now: Temporal.Instant,
    limit: number,
    holdMs: number,
  ) => Promise<readonly DuePoll[]>;
}
