import type { Account } from "../accounts/account.ts";
import type { NewDelivery, RouteStore } from "../delivery/delivery.ts";
import type { Locale } from "../shared/locale.ts";
import type { ChosenSaleRoute, SaleChoice, SaleDestination, SaleRoute } from "./sale-notice.ts";
import type { SaleWatch, SeenSale, WatchState } from "./sale-watch.ts";

/** Servers' channels for notices of sales, and the sellers who agreed to them. */
export interface SaleRoutes extends RouteStore<SaleRoute> {
  /** Lifts a suspension. Switching the route off cancels the notices that wait for its channel. */
  readonly save: (route: ChosenSaleRoute, at: Temporal.Instant) => Promise<SaleRoute>;
  /** The owner's choice; `off` without one. */
  readonly choiceOf: (accountId: string) => Promise<SaleChoice>;
  /**
   * Notices begin with sales after `at`. A choice other than `channel` cancels the notices that wait for it, and `off`
   * all. False when the account does not exist.
   */
  readonly choose: (
    guildId: string,
    ownerId: string,
    choice: SaleChoice,
    at: Temporal.Instant,
    locale: Locale,
  ) => Promise<boolean>;
}

/** A claimed look at a wallet account. */
export interface DueLook {
  readonly watch: SaleWatch;
  /** A consenting connection whose key the service accepts. */
  readonly reader: Account;
  readonly destinations: readonly SaleDestination[];
  /** Newest time at which an older copy of the database was put back, if after the last look. */
  readonly restoredAt: Temporal.Instant | undefined;
}

/** Result of a look. */
export interface DoneLook {
  readonly claimed: SaleWatch;
  readonly after: WatchState;
  readonly nextLookAt: Temporal.Instant;
  readonly seen: ReadonlyMap<string, SeenSale>;
  /** Deletes the sales seen before that instant, except sales that are still listed. */
  readonly forget:
    | { readonly before: Temporal.Instant; readonly except: readonly string[] }
    | undefined;
  readonly deliveries: readonly NewDelivery[];
}

/** Wallet accounts whose sales are watched. */
export interface SaleWatches {
  /** Claims the looks that are due, and holds each for `holdMs`. */
  readonly claim: (
    now: Temporal.Instant,
    limit: number,
    holdMs: number,
  ) => Promise<readonly DueLook[]>;
  readonly seen: (
    accountFp: string,
    keys: readonly string[],
  ) => Promise<ReadonlyMap<string, SeenSale>>;
  /** Times of told sales since then, newest first, at most `limit`. */
  readonly toldSince: (
    accountFp: string,
    at: Temporal.Instant,
    limit: number,
  ) => Promise<readonly Temporal.Instant[]>;
  /** Oldest time of the charges since `at` that await their payment. */
  readonly awaitedSince: (
    accountFp: string,
    at: Temporal.Instant,
  ) => Promise<Temporal.Instant | undefined>;
  /**
   * Stores the seen sales, the next look and the deliveries that tell it, all in one transaction. False, without a
   * change, when the claim was lost. Deliveries to destinations that were given up meanwhile are left out.
   */
  readonly record: (done: DoneLook, at: Temporal.Instant) => Promise<boolean>;
  /** Ends the claim of a look that was not made. */
  readonly putOff: (claimed: SaleWatch, nextLookAt: Temporal.Instant) => Promise<void>;
  /** Ends the claims of all processes: call at the start of the only process of a database. */
  readonly release: () => Promise<void>;
  /** Makes the wallet account due at once. False when its sales are not watched. */
  readonly checkNow: (accountFp: string, at: Temporal.Instant) => Promise<boolean>;
  /** When the next look after `now` is due; undefined without one. */
  readonly nextDueAt: (now: Temporal.Instant) => Promise<Temporal.Instant | undefined>;
  readonly find: (accountFp: string) => Promise<SaleWatch | undefined>;
}
