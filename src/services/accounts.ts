import type { Account } from "../domain/account.ts";
import { isPlausibleApiKey } from "../domain/api-key.ts";
import { type DeliveryPayload, type NewDelivery, referenceOf } from "../domain/delivery.ts";
import type { AlertChoice } from "../domain/dispute-alert.ts";
import { openReportDay } from "../domain/report-day.ts";
import type { SalesReport } from "../domain/sales.ts";
import { ownershipOf } from "../domain/wallet-owner.ts";
import type { WalletKey } from "../domain/wallet-key.ts";
import type { Clock } from "../shared/clock.ts";
import { UserError, WalletError } from "../shared/errors.ts";
import { Secret } from "../shared/secret.ts";
import type { Locale } from "../texts/locale.ts";
import type { MembersService } from "./members.ts";
import type { AccountsService, ConnectRequest } from "./services.ts";

/** What is known of an account before it is kept. */
export type UnsavedAccount = Omit<
  Account,
  "id" | "keyLast4" | "keyFingerprint" | "alerts" | "pausedAt"
>;

export interface AccountsNeeds {
  readonly clock: Clock;
  readonly fingerprint: (apiKey: Secret) => string;
  /** With a person waiting. @throws WalletError */
  readonly readReport: (key: WalletKey, day: Temporal.PlainDate) => Promise<SalesReport>;
  readonly find: (guildId: string, ownerId: string) => Promise<Account | undefined>;
  /** By guild and owner; another key takes nothing over from the one before it. */
  readonly save: (account: UnsavedAccount, apiKey: Secret) => Promise<Account>;
  /** Undefined, with nothing kept, for an owner who has a key there. */
  readonly saveFirst: (account: UnsavedAccount, apiKey: Secret) => Promise<Account | undefined>;
  /** Erases a key that was offered to the owner, who has chosen one. */
  readonly dropOffer: (guildId: string, ownerId: string) => Promise<void>;
  readonly remove: (
    guildId: string,
    ownerId: string,
    actor: string,
    at: Temporal.Instant,
  ) => Promise<boolean>;
  readonly setReportConsent: (
    guildId: string,
    ownerId: string,
    consent: boolean,
    at: Temporal.Instant,
  ) => Promise<Account | undefined>;
  readonly setAlerts: (
    guildId: string,
    ownerId: string,
    alerts: AlertChoice,
    at: Temporal.Instant,
    locale: Locale,
  ) => Promise<Account | undefined>;
  readonly enqueue: (delivery: NewDelivery, at: Temporal.Instant) => Promise<unknown>;
  /** Sends what is enqueued, in its own time. */
  readonly wake: () => void;
  /** Told of each key that was kept. */
  readonly onConnected: (account: Account, apiKey: Secret) => void;
  /** What an owner reads whose key an admin connected. */
  readonly connectedForYouNotice: (facts: {
    readonly guildId: string;
    readonly locale: Locale;
    readonly reference: string;
    readonly adminId: string;
    readonly keyLast4: string;
    readonly connectedAt: Temporal.Instant;
  }) => DeliveryPayload;
}

/**
 * Whether consent holds for a new key: it was given for an account of the service, so it goes with a key of the same
 * one. Another key starts the reports anew, because what was posted under the old one is not known for it.
 */
const survivingConsent = (
  before: Account | undefined,
  after: { readonly ownerVerified: boolean; readonly fingerprint: string },
  now: Temporal.Instant,
): Pick<Account, "reportConsent" | "reportConsentAt"> => {
  if (before?.reportConsent !== true) return { reportConsent: false, reportConsentAt: undefined };
  if (before.keyFingerprint === after.fingerprint) {
    return { reportConsent: true, reportConsentAt: before.reportConsentAt };
  }
  return before.ownerVerified && after.ownerVerified
    ? { reportConsent: true, reportConsentAt: now }
    : { reportConsent: false, reportConsentAt: undefined };
};

/** What connecting has in common with offering a key to somebody. */
export interface Connecting {
  readonly connections: Omit<AccountsService, keyof MembersService>;
  /** Reads today's report with a key. @throws UserError, WalletError as `AccountsService.connect` */
  readonly check: (
    typed: Secret,
    ownerId: string,
  ) => Promise<{
    readonly apiKey: Secret;
    readonly fingerprint: string;
    readonly ownerVerified: boolean;
  }>;
  /** Connects a key that somebody else typed and its owner agreed to. @throws as `AccountsService.connect` */
  readonly connectAgreed: (request: ConnectRequest) => Promise<Account>;
}

/** Keys of the wallet service: who has which, and what their owners agreed to. */
export const createConnecting = (needs: AccountsNeeds): Connecting => {
  const { clock, find } = needs;

  const readToday = async (apiKey: Secret, fingerprint: string): Promise<SalesReport> => {
    try {
      return await needs.readReport({ apiKey, fingerprint }, openReportDay(clock.now()));
    } catch (error) {
      if (error instanceof WalletError && error.kind === "unauthorized") {
        throw new UserError({ kind: "api_key_refused" });
      }
      throw error;
    }
  };

  const tellOwner = async (account: Account, locale: Locale): Promise<void> => {
    const { id, guildId, ownerId, keyLast4, connectedAt, connectedBy: adminId } = account;
    const dedupeKey = `notice|connected_for|${id}|${adminId}|${connectedAt.toString()}`;
    const reference = referenceOf(dedupeKey);
    const facts = { guildId, locale, reference, adminId, keyLast4, connectedAt };
    const notice: NewDelivery = {
      dedupeKey,
      kind: "notice",
      target: { kind: "person", userId: ownerId },
      guildId,
      accountId: id,
      payload: needs.connectedForYouNotice(facts),
      notBefore: connectedAt,
    };
    await needs.enqueue(notice, connectedAt);
    needs.wake();
  };

  const check: Connecting["check"] = async (typed, ownerId) => {
    const apiKey = new Secret(typed.reveal().trim());
    if (!isPlausibleApiKey(apiKey)) throw new UserError({ kind: "malformed_api_key" });
    const fingerprint = needs.fingerprint(apiKey);
    const ownership = ownershipOf((await readToday(apiKey, fingerprint)).userId, ownerId);
    if (ownership === "somebody_else") throw new UserError({ kind: "api_key_of_another_account" });
    return { apiKey, fingerprint, ownerVerified: ownership === "owner" };
  };

  const keep = async (request: ConnectRequest, isAgreed: boolean): Promise<Account> => {
    const { guildId, ownerId, connectedBy, guildLocale, locale } = request;
    const { apiKey, fingerprint, ownerVerified } = await check(request.apiKey, ownerId);
    const now = clock.now();
    const before = await find(guildId, ownerId);
    const unsaved: UnsavedAccount = {
      guildId,
      ownerId,
      connectedBy,
      ownerVerified,
      ...survivingConsent(before, { ownerVerified, fingerprint }, now),
      locale: isAgreed ? locale : undefined,
      connectedAt: now,
    };
    const account = await (isAgreed ? needs.save : needs.saveFirst)(unsaved, apiKey);
    if (account === undefined) throw new UserError({ kind: "member_has_key" });
    needs.onConnected(account, apiKey);
    if (!isAgreed) await tellOwner(account, guildLocale);
    return account;
  };

  const connections: Connecting["connections"] = {
    connect: async (request) => {
      const { guildId, ownerId, connectedBy } = request;
      const isOwn = connectedBy === ownerId;
      const account = await keep(request, isOwn);
      if (isOwn) await needs.dropOffer(guildId, ownerId);
      return account;
    },
    find,
    disconnect: (guildId, ownerId) => needs.remove(guildId, ownerId, ownerId, clock.now()),
    setReportConsent: async (guildId, ownerId, consent) => {
      const account = await needs.setReportConsent(guildId, ownerId, consent, clock.now());
      if (account === undefined) throw new UserError({ kind: "not_connected" });
      return account;
    },
    setAlerts: async (guildId, ownerId, alerts, locale) => {
      const account = await needs.setAlerts(guildId, ownerId, alerts, clock.now(), locale);
      if (account === undefined) throw new UserError({ kind: "not_connected" });
      return account;
    },
  };
  return { connections, check, connectAgreed: (request) => keep(request, true) };
};
