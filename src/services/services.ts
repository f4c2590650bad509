import type { Account, ConnectionLosses } from "../domain/account.ts";
import type { AlertChoice, AlertRoute } from "../domain/dispute-alert.ts";
import type { KeyOffer } from "../domain/wallet-key.ts";
import type { AlertRoutes, ChosenAlertRoute } from "../domain/dispute-stores.ts";
import type { ReportAudience, ReportRoute, TestPostResult } from "../domain/report-route.ts";
import type { SalesReport } from "../domain/sales.ts";
import type { Secret } from "../shared/secret.ts";
import type { Locale } from "../texts/locale.ts";
import type { DisputesService } from "./disputes/dispute-services.ts";
import type { DefenceService } from "./defence/defence.ts";
import type { ProofsService } from "./defence/proofs.ts";
import type { WithdrawalsService } from "./money/money.ts";
import type { BalanceService } from "./money/balance.ts";
import type { GuardsService } from "./money/money-guards.ts";

export interface ConnectRequest {
  readonly guildId: string;
  readonly ownerId: string;
  /** The owner, or an admin on the owner's behalf. */
  readonly connectedBy: string;
  readonly apiKey: Secret;
  /** Language of the message that tells the owner when somebody else connected the key. */
  readonly guildLocale: Locale;
  /** Language of whoever connects it. */
  readonly locale: Locale;
}

/** A connection as its owner sees it from outside of its guild. */
export interface GuildConnection {
  readonly account: Account;
  readonly guildName: string | undefined;
  /** Whether Discord said last that the owner is gone from there. */
  readonly hasLeft: boolean;
}

export interface MembersPage {
  readonly owners: readonly string[];
  /** Of the first of them among all, from 1 on. */
  readonly firstPlace: number;
  /** From 0 on. */
  readonly page: number;
  readonly pages: number;
}

/** Keys that admins offer to members who have one: the member alone decides. */
export interface KeyOffersService {
  /**
   * Checks the key as connecting does, keeps it sealed for a day and asks the member by direct message. Undefined, with
   * nobody asked, when the member has no key in the guild.
   * @throws UserError malformed_api_key, too_many_keys, api_key_refused, api_key_of_another_account
   * @throws WalletError when the service cannot be asked now; nothing is kept then.
   */
  readonly offer: (request: ConnectRequest) => Promise<KeyOffer | undefined>;
  /**
   * The key takes the place of the present one after it was checked again. A failure leaves the offer open.
   * @throws UserError key_offer_gone, and those of connecting
   * @throws WalletError
   */
  readonly accept: (offerId: string, ownerId: string, locale: Locale) => Promise<void>;
  /** @throws UserError key_offer_gone */
  readonly refuse: (offerId: string, ownerId: string) => Promise<void>;
  /** Those of a guild that wait for an answer. */
  readonly ofGuild: (guildId: string) => Promise<readonly KeyOffer[]>;
}

export interface AccountsService {
  /**
   * Checks the key by reading today's report with it, then keeps it encrypted. An earlier key of the same person in
   * the guild is replaced by the person alone; consent, and all else that was kept, survives only when the key is of the
   * same wallet account. The last key of another wallet account is not replaced while a withdrawal of that one is under
   * way. An owner whose first key an admin connected is told by direct message.
   * @throws UserError malformed_api_key, too_many_keys, api_key_refused, api_key_of_another_account, member_has_key,
   *   withdrawal_unfinished
   * @throws WalletError when the service cannot be asked now; nothing is kept then.
   */
  readonly connect: (request: ConnectRequest) => Promise<Account>;
  readonly find: (guildId: string, ownerId: string) => Promise<Account | undefined>;
  /**
   * A withdrawal under way that nobody could follow any more without this connection; its code only for whoever began it.
   */
  readonly unfinished: (
    account: Account,
    person: string,
  ) => Promise<{ readonly opId: string | undefined } | undefined>;
  /** What else goes with a connection. */
  readonly losses: (account: Account) => Promise<ConnectionLosses>;
  /**
   * False when there was nothing to disconnect. `knowing`: what the owner was told is still under way.
   * @throws UserError withdrawal_unfinished when the owner was told of nothing
   */
  readonly disconnect: (
    guildId: string,
    ownerId: string,
    knowing: "nothing" | "unfinished",
  ) => Promise<boolean>;
  /** Where alerts go by another of the owner's connections of the wallet account; undefined: by this one, or nowhere. */
  readonly alertsElsewhere: (account: Account) => Promise<AlertsElsewhere | undefined>;
  /** One person's connections in all guilds, the oldest first; at most so many as a message shows have their guild's name. */
  readonly ofOwner: (ownerId: string) => Promise<readonly GuildConnection[]>;
  /**
   * The guild whose connection serves a person outside of every guild: the chosen one, or any when all are of one wallet
   * account. @throws UserError nothing_connected, several_accounts, outdated_component when they left the chosen one
   */
  readonly guildOf: (ownerId: string, chosen?: string) => Promise<string>;
  /** A guild's name as strangers wrote it; undefined where Discord does not tell it. */
  readonly guildName: (guildId: string) => Promise<string | undefined>;
  /** Who connected a key in a guild, by pages; a page beyond the last is the last. */
  readonly members: (guildId: string, page: number) => Promise<MembersPage>;
  /**
   * What an admin does to a member, who is told by direct message, also of a withdrawal that nobody can follow any more.
   * The admin is not told of one. @throws UserError member_not_connected
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
  /** Where the owner's alerts of disputes go from now on, and in which language. @throws UserError not_connected */
  readonly setAlerts: (
    guildId: string,
    ownerId: string,
    alerts: AlertChoice,
    locale: Locale,
  ) => Promise<Account>;
}

/** In whatever guilds one owner has connected a wallet account, each of its alerts goes to one place. */
export type AlertsElsewhere =
  | { readonly kind: "channel"; readonly channelId: string }
  | { readonly kind: "direct" };

export interface ReadSalesReport {
  readonly report: SalesReport;
  /**
   * When the figures were asked for: later sales may be missing. A refund lowers a past day, so they are true of this
   * instant only.
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
  /** Keeps the route, lifts a suspension, and starts deliveries from now when it was off. */
  readonly save: (route: Omit<ReportRoute, "activeSince" | "suspendedAt">) => Promise<ReportRoute>;
  /**
   * Posts a marked test message through the outbox, the way that reports go.
   * @throws UserError report_not_configured
   */
  readonly test: (guildId: string, interactionId: string) => Promise<TestPost>;
  /** Sellers of the guild: how many are connected, and how many agreed to the report. */
  readonly audience: (guildId: string) => Promise<ReportAudience>;
}

/** Where a guild's alerts of disputes go. */
export interface AlertRoutesService {
  readonly find: AlertRoutes["find"];
  /** Keeps the route and lifts a suspension. */
  readonly save: (route: ChosenAlertRoute) => Promise<AlertRoute>;
}

/** All that a command can ask for. The composition root builds it. */
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
  /** Page where sellers answer a MED; undefined when the operator named none. */
  readonly medAnswerUrl: string | undefined;
  readonly clock: { readonly now: () => Temporal.Instant };
}
