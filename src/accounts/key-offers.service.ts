import type { keyOfferQuestion } from "./notices.view.ts";
import type { AccountsStore } from "./accounts.store.ts";
import type { KeyOffers } from "./key-offers.store.ts";
import type { Account } from "./account.ts";
import { type NewDelivery, notice } from "../delivery/delivery.ts";
import {
  type KeyOffer,
  type NewKeyOffer,
  offerEndBy,
  offerEndDelivery,
  type OfferEndPayload,
  offerQuestionKey,
} from "./wallet-key.ts";
import type { Clock } from "../shared/time.ts";
import { UserError } from "../shared/errors.ts";
import type { Secret } from "../shared/secret.ts";
import { StoreError } from "../shared/store-errors.ts";
import type { Locale } from "../shared/locale.ts";
import type {
  Connected,
  Connecting,
  ConnectionsService,
  ConnectRequest,
} from "./accounts.service.ts";

interface KeyOffersNeeds
  extends
    Pick<Connecting, "check" | "connectAgreed" | "lossesBy">,
    Pick<ConnectionsService, "confirmPresence"> {
  readonly clock: Clock;
  readonly accounts: Pick<AccountsStore, "find" | "findByIdWithKey">;
  readonly offers: KeyOffers;
  readonly wake: () => void;
  readonly question: typeof keyOfferQuestion;
  /** Message to the admin about the end of the offer. */
  readonly endPayload: OfferEndPayload;
}

/** Keys that admins offer to members who already have a key; only the member decides. */
export const createKeyOffersService = (needs: KeyOffersNeeds) => {
  const { accounts, clock, offers, check, wake } = needs;

  /** Undefined about a key that the member has replaced since `present` was read: its end and the losses are others. */
  const questionAbout =
    (
      present: Account,
      facts: Pick<Parameters<typeof keyOfferQuestion>[1], "isSame" | "locale" | "losses">,
    ): Parameters<KeyOffers["keep"]>[2] =>
    (offer, { id, keyFingerprint }) => {
      if (id !== present.id || keyFingerprint !== present.keyFingerprint) return undefined;
      const post = {
        dedupeKey: offerQuestionKey(offer.id),
        offerId: offer.id,
        guildId: offer.guildId,
        accountId: present.id,
        notBefore: offer.askedAt,
      };
      const presentLast4 = present.keyLast4;
      return notice(offer.ownerId, post, (reference) =>
        needs.question(offer, { ...facts, presentLast4, reference }),
      );
    };

  /** A refused key that works again, or one that the ring does not open, is of use only once it is saved again. */
  const isInUse = async ({ id, pausedAt }: Account): Promise<boolean> =>
    pausedAt === undefined &&
    (await accounts.findByIdWithKey(id).catch(() => undefined)) !== undefined;

  /** @throws UserError key_offer_gone */
  const openOffer = async (offerId: string, ownerId: string): Promise<KeyOffer> => {
    const offer = await offers.find(offerId, clock.now());
    if (offer?.ownerId !== ownerId) throw new UserError({ kind: "key_offer_gone" });
    return offer;
  };

  const answerOf = (offer: KeyOffer, how: "accepted" | "refused" | "unreadable"): NewDelivery =>
    offerEndDelivery(offer, how, needs.endPayload, clock.now());

  /** A key that the ring opens no more ends its offer: each further try would meet it again. */
  const offeredKey = async (offer: KeyOffer): Promise<Secret | undefined> => {
    try {
      return await offers.apiKey(offer.id);
    } catch (error) {
      if (!(error instanceof StoreError) || error.kind !== "unreadable_secret") throw error;
      await offers.end(offer, "unreadable", answerOf(offer, "unreadable"), clock.now());
      wake();
      return undefined;
    }
  };

  return {
    /**
     * Checks the key as connecting does, keeps it sealed for a day and asks the member by direct message.
     * @returns undefined, and asks no question, when the member has no key in the guild, or replaced it during the check
     * @throws UserError malformed_api_key, too_many_keys, member_not_found, api_key_refused, api_key_of_another_account,
     *   same_key_offered
     * @throws WalletError when the service cannot be asked now; no key is kept then
     */
    offer: async (request: ConnectRequest): Promise<KeyOffer | undefined> => {
      const { guildId, ownerId, connectedBy: askedBy, guildLocale, locale } = request;
      const present = await accounts.find(guildId, ownerId);
      if (present === undefined) return undefined;
      const checked = await check(request, askedBy);
      // Discord has just said that the member is in the server.
      await needs.confirmPresence(present);
      const isSame = present.keyFingerprint === checked.fingerprint;
      if (isSame && (await isInUse(present))) throw new UserError({ kind: "same_key_offered" });
      const given: NewKeyOffer = { guildId, ownerId, askedBy, locale, askedAt: clock.now() };
      const losses = await needs.lossesBy(present, checked);
      const question = questionAbout(present, {
        isSame,
        losses,
        locale: present.locale ?? guildLocale,
      });
      const replaced = offerEndBy(askedBy, "replaced", needs.endPayload, given.askedAt);
      const offer = await offers.keep(given, checked.apiKey, question, replaced);
      if (offer !== undefined) wake();
      return offer;
    },
    /**
     * Checks the key again and replaces the present key with it; tells the losses if it is of another wallet account. A
     * failure leaves the offer open, unless its key cannot be read.
     * @throws UserError key_offer_gone, and the errors of connecting
     * @throws WalletError
     */
    accept: async (
      offerId: string,
      ownerId: string,
      locale: Locale,
    ): Promise<Connected["lost"]> => {
      const offer = await openOffer(offerId, ownerId);
      const { guildId, askedBy: connectedBy } = offer;
      const apiKey = await offeredKey(offer);
      // Without a present key the member has disconnected since, and the offer has no key to replace.
      if (apiKey === undefined || (await accounts.find(guildId, ownerId)) === undefined)
        throw new UserError({ kind: "key_offer_gone" });
      const locales = { guildLocale: offer.locale, locale };
      const request = { guildId, ownerId, connectedBy, apiKey, ...locales };
      const agreed = { offer, notice: answerOf(offer, "accepted") };
      return (await needs.connectAgreed(request, agreed)).lost;
    },
    /** @throws UserError key_offer_gone */
    refuse: async (offerId: string, ownerId: string): Promise<void> => {
      const offer = await openOffer(offerId, ownerId);
      const isOurs = await offers.end(offer, "refused", answerOf(offer, "refused"), clock.now());
      if (!isOurs) throw new UserError({ kind: "key_offer_gone" });
      wake();
    },
    /** Open offers of a guild. */
    ofGuild: (guildId: string) => offers.ofGuild(guildId, clock.now()),
  };
};
