import type { Account, ConnectionLosses } from "../domain/account.ts";
import type { AlertChoice, AlertRoute } from "../domain/dispute-alert.ts";
import type { KeyOffer } from "../domain/wallet-key.ts";
import type { AlertRoutes, ChosenAlertRoute } from "../domain/dispute-stores.ts";
import type { ReportAudience, ReportRoute, TestPostResult } from "../domain/report-route.ts";
import type { SalesReport } from "../domain/sales.ts";
import type { Secret } from "../shared/secret.ts";
import type { Locale } from "../shared/locale.ts";
import type { DisputesService } from "./disputes/dispute-services.ts";
import type { DefenceService } from "./defence/defence.ts";
import type { ProofsService } from "./defence/proofs.ts";
import type { WithdrawalsService } from "./money/money.ts";
import type { BalanceService } from "./money/balance.ts";
import type { GuardsService } from "./money/money-guards.ts";

export interface ConnectRequest {
  readonly guildId: string;
  readonly ownerId: string;
  /** The owner, or an admin for the owner. */
  readonly connectedBy: string;
  readonly apiKey: Secret;
  /** Language of the message to an owner whose key was connected by an admin. */
  readonly guildLocale: Locale;
  /** Language of the person who connects it. */
  readonly locale: Locale;
}

/** A connection seen from outside its guild. */
export interface GuildConnection {
  readonly account: Account;
  readonly guildName: string | undefined;
  /** Whether the owner has left the guild, by Discord's latest word. */
  readonly hasLeft: boolean;
}

export interface MembersPage {
  readonly owners: readonly string[];
  /** Position of the first entry among all, from 1. */
  readonly firstPlace: number;
  /** From 0. */
  readonly page: number;
  readonly pages: number;
}

/** Keys that admins offer to members who already have a key; only the member decides. */
export interface KeyOffersService {
  /**
   * Checks the key as connecting does, keeps it sealed for a day and asks the member by direct message.
   * @returns undefined, and asks no question, when the member has no key in the guild
   * @throws UserError malformed_api_key, too_many_keys, api_key_refused, api_key_of_another_account
   * @throws WalletError when the service cannot be asked now; no key is kept then
   */
  readonly offer: (request: ConnectRequest) => Promise<KeyOffer | undefined>;
  /**
   * Checks the key again and replaces the present key with it. A failure leaves the offer open.
   * @throws UserError key_offer_gone, and the errors of connecting
   * @throws WalletError
   */
  readonly accept: (offerId: string, ownerId: string, locale: Locale) => Promise<void>;
  /** @throws UserError key_offer_gone */
  readonly refuse: (offerId: string, ownerId: string) => Promise<void>;
  /** Open offers of a guild. */
  readonly ofGuild: (guildId: string) => Promise<readonly KeyOffer[]>;
}

export interface AccountsService {
  /**
   * Checks the key by reading today's report, then stores it encrypted. Only the owner may replace their key in a
   * guild. Consent and other data survive only a key of the same wallet account. A withdrawal under way keeps the last
   * key of its wallet account from being replaced by another account's key. An owner whose first key was connected by
   * an admin gets a direct message.
   * @throws UserError malformed_api_key, too_many_keys, api_key_refused, api_key_of_another_account, member_has_key,
   *   withdrawal_unfinished
   * @throws WalletError when the service cannot be asked now; no key is kept then
   */
  readonly connect: (request: ConnectRequest) => Promise<Account>;
  readonly find: (guildId: string, ownerId: string) => Promise<Account | undefined>;
  /** A withdrawal under way that only this connection can follow. Its code is given only to its owner. */
  readonly unfinished: (
    account: Account,
    person: string,
  ) => Promise<{ readonly opId: string | undefined } | undefined>;
  /** Further data that is lost with the connection. */
  readonly losses: (account: Account) => Promise<ConnectionLosses>;
  /**
   * Removes the connection; false when it did not exist. `knowing`: the warning that the owner saw.
   * @throws UserError withdrawal_unfinished when the owner saw no warning about it
   */
  readonly disconnect: (
    guildId: string,
    ownerId: string,
    knowing: "nothing" | "unfinished",
  ) => Promise<boolean>;
  /**
   * Where alerts go through another connection of the same owner and wallet account; undefined: through this
   * connection, or nowhere.
   */
  readonly alertsElsewhere: (account: Account) => Promise<AlertsElsewhere | undefined>;
  /** A person's connections in all guilds, oldest first. Only the first 25 carry their guild's name. */
  readonly ofOwner: (ownerId: string) => Promise<readonly GuildConnection[]>;
  /**
   * The guild whose connection answers in direct messages: the chosen guild, or any guild when all connections share a
   * wallet account.
   * @throws UserError nothing_connected, several_accounts, outdated_component when the person left the chosen guild
   */
  readonly guildOf: (ownerId: string, chosen?: string) => Promise<string>;
  /** A guild's name, which is untrusted text; undefined when Discord does not tell it. */
  readonly guildName: (guildId: string) => Promise<string | undefined>;
  /** Members with a key in the guild, by page; a page past the end is the last page. */
  readonly members: (guildId: string, page: number) => Promise<MembersPage>;
  /**
   * Removes a member's connection for an admin. The member gets a direct message, which also names a withdrawal that
   * loses its only connection. The admin does not learn about withdrawals.
   * @throws UserError member_not_connected
   */
  readonly removeMember: (request: {
    readonly guildId: string;
    readonly ownerId: string;
    readonly adminId: string;
    readonly guildLocale: Locale;
  }) => Promise<void>;
  /** @throws UserError not_connected */
  readonly setReportConsent: (
    guildId: string,
    ownerId: string,
    consent: boolean,
  ) => Promise<Account>;
  /** Sets the place and the language of the owner's dispute alerts. @throws UserError not_connected */
  readonly setAlerts: (
    guildId: string,
    ownerId: string,
    alerts: AlertChoice,
    locale: Locale,
  ) => Promise<Account>;
}

/** Place of the alerts of a wallet account: a single place, in however many guilds the owner connected it. */
export type AlertsElsewhere =
  | { readonly kind: "channel"; readonly channelId: string }
  | { readonly kind: "direct" };

export interface ReadSalesReport {
  readonly report: SalesReport;
  /**
   * When the figures were requested: later sales may be missing. Refunds lower past days too, so the figures are true
   * of this instant only.
   */
  readonly readAt: Temporal.Instant;
}

export interface SalesService {
  /**
   * @throws UserError not_connected
   * @throws WalletError
   */
  readonly report: (
    guildId: string,
    ownerId: string,
    day: Temporal.PlainDate,
  ) => Promise<ReadSalesReport>;
}

export interface TestPost {
  readonly result: TestPostResult;
  readonly channelId: string;
}

export interface ReportRoutesService {
  readonly find: (guildId: string) => Promise<ReportRoute | undefined>;
  /** Stores the route and lifts a suspension; a route that was off delivers from now on. */
  readonly save: (route: Omit<ReportRoute, "activeSince" | "suspendedAt">) => Promise<ReportRoute>;
  /**
   * Posts a marked test message through the outbox, as reports are posted.
   * @throws UserError report_not_configured
   */
  readonly test: (guildId: string, interactionId: string) => Promise<TestPost>;
  /** Number of connected sellers in the guild, and of sellers with consent. */
  readonly audience: (guildId: string) => Promise<ReportAudience>;
}

/** Channel of a guild's dispute alerts. */
export interface AlertRoutesService {
  readonly find: AlertRoutes["find"];
  /** Stores the route and lifts a suspension. */
  readonly save: (route: ChosenAlertRoute) => Promise<AlertRoute>;
}

/** All services that commands use; built by the composition root. */
export interface Services {
  readonly accounts: AccountsService;
  readonly keyOffers: KeyOffersService;
  readonly sales: SalesService;
  readonly reportRoutes: ReportRoutesService;
  readonly withdrawals: WithdrawalsService;
  readonly balance: BalanceService;
  readonly guards: GuardsService;
  readonly disputes: DisputesService;
  readonly alertRoutes: AlertRoutesService;
  readonly proofs: ProofsService;
  readonly defence: DefenceService;
  /** Page where sellers answer a MED; undefined when the operator set none. */
  readonly medAnswerUrl: string | undefined;
  readonly clock: { readonly now: () => Temporal.Instant };
}
