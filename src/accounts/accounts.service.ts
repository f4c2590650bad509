import {
  type Account,
  alertTarget,
  isLastKey,
  isSameWallet,
  type DestinationChoice,
  type ConnectionLosses,
  type Disconnection,
  hasDirectReport,
  type PresenceAnswer,
  reportChoice,
} from "./account.ts";
import {
  type AgreedOffer,
  isPlausibleApiKey,
  offerEndBy,
  type OfferEndPayload,
  ownershipOf,
} from "./wallet-key.ts";
import type { SharedNews } from "./account-connections.store.ts";
import { isKeyUnreadable } from "./asker.service.ts";
import type { OnRemoval, RequireFinished, Saving } from "./accounts-write.store.ts";
import { type NewDelivery, notice } from "../delivery/delivery.ts";
import { questionIdOf } from "../shared/ids.ts";
import { openReportDay } from "../shared/report-day.ts";
import type { SalesReport } from "../reports/sales.ts";
import type { AccountFacts } from "./account.view.ts";
import type { connectedForYouNotice } from "./notices.view.ts";
import type { Stores } from "../stores.ts";
import type { SalesNeeds } from "../reports/sales.service.ts";
import type { Clock } from "../shared/time.ts";
import { isRefusedKey, UserError } from "../shared/errors.ts";
import { Secret } from "../shared/secret.ts";
import type { SlidingLimit } from "../shared/sliding-limit.ts";
import type { Locale } from "../shared/locale.ts";

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
  /** Takes the place of a key of the same wallet account alone. */
  readonly keepsWallet?: boolean;
}

/** A connection just saved. `lost`: the losses with one of another wallet account, whose key it replaced. */
export type Connected = Account & { readonly lost?: ConnectionLosses };

interface AccountsNeeds extends Pick<
  Stores,
  | "accounts"
  | "alertRoutes"
  | "charges"
  | "disputeWatch"
  | "goals"
  | "journal"
  | "pixKeys"
  | "presences"
  | "proofs"
  | "saleRoutes"
  | "vault"
  | "webhooks"
> {
  readonly clock: Clock;
  /** Limits how many keys a person may have checked. */
  readonly keyTries: Pick<SlidingLimit, "waitMs" | "take">;
  readonly readReport: SalesNeeds["readReport"];
  /** Never rejects. */
  readonly askPresence: (guildId: string, userId: string) => Promise<PresenceAnswer>;
  /** Starts sending enqueued deliveries, without waiting for them. */
  readonly wake: () => void;
  /** Called for each stored key. */
  readonly onConnected: (account: Account, apiKey: Secret) => void;
  readonly connectedForYouNotice: typeof connectedForYouNotice;
  readonly sharedNotice: SharedNews["sharedNotice"];
  readonly offerEndPayload: OfferEndPayload;
}

interface NewKey {
  readonly ownerVerified: boolean;
  readonly fingerprint: string;
  readonly accountFp: string;
}

interface CheckedKey extends NewKey {
  readonly apiKey: Secret;
  readonly walletUserId: string;
}

/**
 * A question about the removal of this connection, which leaves these operations without a key. Its losses depend on the
 * owner's other connections: evidence and PIX keys go with the last one.
 */
export const questionAbout: OnRemoval<Pick<Disconnection, "questionId" | "unfinished">> = (
  { id, keyFingerprint, ownerId },
  left,
  others,
) => {
  const [oldest, ...later] = left;
  return {
    questionId: questionIdOf([
      id,
      keyFingerprint,
      ...left.map((op) => op.id).toSorted(),
      ...others.map((each) => each.id).toSorted(),
    ]),
    unfinished: oldest && {
      // The code of another owner's operation stays hidden.
      opId: oldest.ownerId === ownerId ? oldest.id : undefined,
      kind: oldest.kind,
      others: later.length,
    },
  };
};

/** @throws UserError withdrawal_unfinished */
const requireFinished: RequireFinished = (...removal) => {
  const { unfinished } = questionAbout(...removal);
  if (unfinished !== undefined)
    throw new UserError({ kind: "withdrawal_unfinished", opId: unfinished.opId });
};

/** Operations shared by connecting a key and offering a key. */
export type Connecting = ReturnType<typeof createConnecting>;

export type ConnectionsService = Connecting["connections"];

export const createConnecting = (needs: AccountsNeeds) => {
  const { accounts, clock, presences, vault } = needs;
  const { hasLeft } = presences;

  const readToday = async (apiKey: Secret, fingerprint: string): Promise<SalesReport> => {
    try {
      return await needs.readReport({ apiKey, fingerprint }, openReportDay(clock.now()));
    } catch (error) {
      throw isRefusedKey(error) ? new UserError({ kind: "api_key_refused" }) : error;
    }
  };

  /**
   * Reads today's report with a key, and counts a try against `person`. An owner who is not that person must be in the
   * guild: Discord's option and the form take the id of any user.
   * @throws UserError, WalletError as `connect`
   */
  const check = async (
    { guildId, ownerId, ...typed }: Pick<ConnectRequest, "apiKey" | "guildId" | "ownerId">,
    person: string,
  ): Promise<CheckedKey> => {
    const apiKey = new Secret(typed.apiKey.reveal().trim());
    if (!isPlausibleApiKey(apiKey)) throw new UserError({ kind: "malformed_api_key" });
    const waitMs = needs.keyTries.waitMs(person);
    if (waitMs > 0) throw new UserError({ kind: "too_many_keys", waitMs });
    needs.keyTries.take(person);
    if (person !== ownerId && (await needs.askPresence(guildId, ownerId)).kind !== "here")
      throw new UserError({ kind: "member_not_found" });
    const fingerprint = vault.fingerprint(apiKey);
    const { userId: walletUserId } = await readToday(apiKey, fingerprint);
    const ownership = ownershipOf(walletUserId, ownerId);
    if (ownership === "somebody_else") throw new UserError({ kind: "api_key_of_another_account" });
    // The service may name another account now; the one that the key was first seen to be of counts.
    const accountFp =
      (await accounts.knownWallet(fingerprint)) ?? vault.hashWalletUser(walletUserId);
    return { apiKey, walletUserId, fingerprint, accountFp, ownerVerified: ownership === "owner" };
  };

  /**
   * The losses with the present connection when a key of another wallet account takes its place; undefined for a key of
   * the same one.
   */
  const lossesBy = async (before: Account, key: NewKey): Promise<ConnectionLosses | undefined> => {
    if (isSameWallet(before, key)) return undefined;
    // Evidence and PIX keys are the person's, who stays connected.
    const losses = { ...(await connections.losses(before)), proofs: 0, pixKeys: 0 };
    // Choices of posts go over between keys that are known to be the owner's.
    if (before.ownerVerified && key.ownerVerified)
      return { ...losses, alertChoice: false, saleNotices: false, report: false };
    const choice = reportChoice(before);
    const report = choice === "channel" || (choice === "direct" && !losses.directGoesOn);
    return { ...losses, report };
  };

  /** `isAgreed`: the owner typed or accepted the key. Only owners may replace a key. */
  const keep = async <Saved extends Account | undefined>(
    request: ConnectRequest,
    isAgreed: boolean,
    save: (...saving: Saving) => Promise<Saved>,
  ): Promise<Saved | Connected> => {
    const { guildId, ownerId, connectedBy, locale } = request;
    const key = await check(request, isAgreed ? ownerId : connectedBy);
    const { apiKey, walletUserId, ownerVerified } = key;
    const now = clock.now();
    const before = isAgreed ? await accounts.find(guildId, ownerId) : undefined;
    const lost = before && (await lossesBy(before, key));
    if (request.keepsWallet === true && (before === undefined || lost !== undefined))
      throw new UserError({ kind: before ? "key_of_other_wallet" : "not_connected" });
    const unsaved = {
      guildId,
      ownerId,
      connectedBy,
      ownerVerified,
      reportConsent: false,
      reportConsentAt: undefined,
      locale: isAgreed ? locale : undefined,
      connectedAt: now,
    };
    // Posts that the owner agreed to begin again: their channels may be new.
    const isKept = lost === undefined || (before?.ownerVerified === true && ownerVerified);
    if (before !== undefined && isKept && connectedBy === ownerId)
      await connections.confirmPresence(before);
    const account = await save(unsaved, apiKey, walletUserId, requireFinished, needs.sharedNotice);
    if (account !== undefined) needs.onConnected(account, apiKey);
    return account && lost && account.id !== before?.id ? { ...account, lost } : account;
  };

  const connectFirst = async (request: ConnectRequest): Promise<Account> => {
    const noticeOf = (account: Account): NewDelivery => {
      const { id, guildId, ownerId, connectedAt, connectedBy } = account;
      const locale = account.locale ?? request.guildLocale;
      const dedupeKey = `notice|connected_for|${id}|${connectedBy}|${connectedAt.toString()}`;
      const facts = { account, locale, beginsAlerts: account.watchId === id };
      const post = { dedupeKey, guildId, accountId: id, notBefore: connectedAt };
      return notice(ownerId, post, (reference) =>
        needs.connectedForYouNotice({ ...facts, reference }),
      );
    };
    const account = await keep(request, false, (...saving) =>
      accounts.saveFirst(noticeOf, ...saving),
    );
    if (account === undefined) throw new UserError({ kind: "member_has_key" });
    needs.wake();
    return account;
  };

  /**
   * Connects a key that an admin typed and the owner accepted, and ends the offer with it.
   * @throws as `connect`; UserError key_offer_gone when the offer has ended
   */
  const connectAgreed = async (
    request: ConnectRequest,
    agreed: AgreedOffer,
  ): Promise<Connected> => {
    const account = await keep(request, true, (...saving) =>
      accounts.saveAgreed(agreed, ...saving),
    );
    if (account === undefined) throw new UserError({ kind: "key_offer_gone" });
    needs.wake();
    return account;
  };

  const connections = {
    /**
     * Checks the key by reading today's report, then stores it encrypted. Only the owner may replace their key in a
     * guild. Consent and other data survive only a key of the same wallet account. A withdrawal under way keeps the last
     * key of its wallet account that works from being replaced by another account's key. An owner whose first key was
     * connected by an admin gets a direct message.
     * @throws UserError malformed_api_key, too_many_keys, member_not_found, api_key_refused, api_key_of_another_account,
     *   member_has_key, withdrawal_unfinished, key_of_other_wallet, not_connected
     * @throws WalletError when the service cannot be asked now; no key is kept then
     */
    connect: async (request: ConnectRequest): Promise<Connected> => {
      const { ownerId, connectedBy } = request;
      if (connectedBy !== ownerId) return await connectFirst(request);
      const account = await keep(request, true, (unsaved, apiKey, userId, required, shared) => {
        const { offerEndPayload } = needs;
        const offerNotice = offerEndBy(ownerId, "own_key", offerEndPayload, unsaved.connectedAt);
        return accounts.save(unsaved, apiKey, userId, required, shared, offerNotice);
      });
      needs.wake();
      return account;
    },
    find: accounts.find,
    /** Asked of the owner before the connection is removed. */
    disconnection: async (account: Account): Promise<Disconnection> => {
      const others = (await accounts.ofOwner(account.ownerId)).filter(
        ({ id }) => id !== account.id,
      );
      return {
        ...questionAbout(account, await needs.journal.leftUnfinished(account), others),
        losses: await connections.losses(account),
      };
    },
    /** Further data that is lost with the connection. */
    losses: async (account: Account): Promise<ConnectionLosses> => {
      const { id, guildId, ownerId, accountFp, watchId, alerts, pausedAt } = account;
      const others = (await accounts.ofOwner(ownerId)).filter((each) => each.id !== id);
      const isLast = others.length === 0;
      // A refused key reads no state, so that it replaces only another refused key.
      const follows = (each: Account): boolean =>
        pausedAt !== undefined || each.pausedAt === undefined;
      const sharing = others.filter((each) => each.watchId === watchId);
      const isWatchLost = !sharing.some(follows);
      // The connection that wants alerts and the one that reads the disputes may be two.
      const isWanted = (each: Account): boolean => each.alerts !== "off";
      const goesOn = !isWatchLost && sharing.some(isWanted);
      const isAlertLost = !goesOn && (alerts !== "off" || sharing.some(isWanted));
      const isWalletLost = others.every((each) => each.accountFp !== accountFp);
      const [sales = "off", ...otherSales] = await Promise.all(
        [account, ...sharing].map((each) => needs.saleRoutes.choiceOf(each.id)),
      );
      const salesGoOn = sales === "direct" && !isWatchLost && otherSales.includes("direct");
      const now = clock.now();
      const disputes = (isAlertLost ? await needs.disputeWatch.awaiting(watchId) : []).filter(
        ({ dueAt }) => Temporal.Instant.compare(dueAt, now) > 0,
      );
      return {
        proofs: isLast ? await needs.proofs.count(ownerId) : 0,
        pixKeys: isLast ? await needs.pixKeys.countKept(ownerId) : 0,
        alertChoice: alerts !== "direct",
        alertsEnd: isAlertLost && sharing.length > 0,
        disputes: disputes.length,
        dueAt: disputes[0]?.dueAt,
        charges: isWatchLost ? await needs.charges.countOpen(watchId) : 0,
        webhook: isWalletLost && (await needs.webhooks.find({ accountFp, ownerId })) !== undefined,
        goal: (await needs.goals.find(guildId, ownerId))?.amount,
        directGoesOn: hasDirectReport(account, others),
        saleNotices: sales !== "off" && !salesGoOn,
      };
    },
    /**
     * Removes the connection; undefined when it did not exist. `changed`, without a removal: the owner answered a question
     * about another key, or about other unfinished withdrawals.
     */
    disconnect: async (
      guildId: string,
      ownerId: string,
      questionId: string,
    ): Promise<Pick<ConnectionLosses, "directGoesOn"> | "changed" | undefined> => {
      const account = await accounts.find(guildId, ownerId);
      if (account === undefined) return undefined;
      const isAsked: OnRemoval<boolean> = (...removal) =>
        questionAbout(...removal).questionId === questionId;
      const now = clock.now();
      const offerNotice = offerEndBy(ownerId, "disconnected", needs.offerEndPayload, now);
      const how = { offerNotice, isAsked };
      const removed = await accounts.remove(guildId, ownerId, ownerId, now, how);
      if (removed !== true) return removed === "changed" ? removed : undefined;
      needs.wake();
      return { directGoesOn: hasDirectReport(account, await accounts.ofOwner(ownerId)) };
    },
    /**
     * Where alerts go through another connection of the same owner and wallet account; undefined: through this
     * connection, or nowhere.
     */
    alertsElsewhere: async ({ id, watchId }: Account): Promise<AccountFacts["alertsElsewhere"]> => {
      const told = (await accounts.ofWatch(watchId))?.told;
      if (told === undefined || told.id === id || told.alerts === "off") return undefined;
      const target = alertTarget(told, await needs.alertRoutes.find(told.guildId));
      return target.kind === "channel" && !(await hasLeft(told)) ? target : { kind: "direct" };
    },
    isKeyUnreadable: ({ id }: Account) => isKeyUnreadable(accounts.findByIdWithKey(id)),
    /** Whether the key is refused, or unreadable, and the owner has no other that works: no new dispute is seen. */
    isOnHold: async (account: Account): Promise<boolean> => {
      const isUnreadable = (id: string) => isKeyUnreadable(accounts.apiKey(id));
      if (account.pausedAt === undefined) return await isUnreadable(account.id);
      const owned = await accounts.ofOwner(account.ownerId);
      const other = owned.find((each) => !isLastKey(account, [each]));
      return other === undefined || (await isUnreadable(other.id));
    },
    /** Number of other servers with a refused key of the owner's for the wallet account; 0 while this one is refused too. */
    refusedElsewhere: async ({ ownerId, watchId, pausedAt }: Account): Promise<number> => {
      const own = pausedAt === undefined ? await accounts.ofOwner(ownerId) : [];
      const refused = own.filter((each) => each.watchId === watchId && each.pausedAt !== undefined);
      return (await Promise.all(refused.map(hasLeft))).filter((isLeft) => !isLeft).length;
    },
    hasLeft,
    /** The owner uses a command in the server: an earlier answer that the owner had left it counts no more. */
    confirmPresence: async (member: Pick<Account, "guildId" | "ownerId">): Promise<void> => {
      if (!(await hasLeft(member))) return;
      await presences.keep(member.guildId, member.ownerId, "here", clock.now(), undefined);
    },
    /** Sets where the owner's daily report goes, and its language. @throws UserError not_connected */
    chooseReport: async (
      guildId: string,
      ownerId: string,
      choice: DestinationChoice,
      locale?: Locale,
    ): Promise<Account> => {
      const account = await accounts.chooseReport(guildId, ownerId, choice, clock.now(), locale);
      if (account === undefined) throw new UserError({ kind: "not_connected" });
      return account;
    },
    /** Takes the owner's total out of the channel alone: a report by direct message stays. @throws UserError not_connected */
    leaveChannel: async (guildId: string, ownerId: string, locale: Locale): Promise<Account> => {
      const account = await accounts.find(guildId, ownerId);
      const choice = account?.reportDirect === true ? "direct" : "off";
      return await connections.chooseReport(guildId, ownerId, choice, locale);
    },
    /** Sets the place and the language of the owner's dispute alerts. @throws UserError not_connected */
    setAlerts: async (
      guildId: string,
      ownerId: string,
      alerts: DestinationChoice,
      locale: Locale,
    ): Promise<Account> => {
      const account = await accounts.setAlerts(guildId, ownerId, alerts, clock.now(), locale);
      if (account === undefined) throw new UserError({ kind: "not_connected" });
      return account;
    },
  };
  return { connections, check, lossesBy, connectAgreed };
};
