import type { Secret } from "../shared/secret.ts";
import type { Account } from "./account.ts";
import { isDiscordId } from "./ids.ts";
import { DAY } from "../shared/time.ts";
import { type DeliveryPayload, type NewDelivery, referenceOf } from "./delivery.ts";
import type { AlertRoute } from "./dispute-alert.ts";

/** Whose account a call is for. */
export interface WalletKey {
  readonly apiKey: Secret;
  /** The wallet account (`Account.accountFp`): what its quota is counted, and its operations are locked, under. */
  readonly fingerprint: string;
}

/** The key of a connection, with the wallet account that it is of. */
export const walletKeyOf = (account: Pick<Account, "accountFp">, apiKey: Secret): WalletKey => ({
  apiKey,
  fingerprint: account.accountFp,
});

/** Who waits for whom when an account's quota is short: money before a person, a person before a job. */
export type Priority = "money" | "interactive" | "background";

const SHORTEST_API_KEY = 12;

/**
 * Whether this can be an API key at all: printable ASCII without spaces, which is all that a header can carry. The
 * service says no more about the form of its keys.
 */
export const isPlausibleApiKey = (apiKey: Secret): boolean => {
  const key = apiKey.reveal();
  return key.length >= SHORTEST_API_KEY && /^[!-~]+$/.test(key);
};

/** `unknown`: the service names the user in another way, so nothing is proven either way. */
type Ownership = "owner" | "somebody_else" | "unknown";

/**
 * Whose key it is, by the user id that the service gives for it: Discord's for users that it knows from there.
 * Source: service.md 2.1.
 */
export const ownershipOf = (walletUserId: string, discordUserId: string): Ownership => {
  if (walletUserId === discordUserId) return "owner";
  return isDiscordId(walletUserId) ? "somebody_else" : "unknown";
};

/** A key that an admin typed for a member who has one in the guild already. It replaces that one if the member agrees. */
export interface KeyOffer {
  readonly id: string;
  readonly guildId: string;
  /** The member. */
  readonly ownerId: string;
  /** The admin who typed the key. */
  readonly askedBy: string;
  readonly keyLast4: string;
  /** Language of the admin, who is told how it ended. */
  readonly locale: AlertRoute["locale"];
  readonly askedAt: Temporal.Instant;
}

export type NewKeyOffer = Omit<KeyOffer, "id" | "keyLast4">;

/** How long the member has to answer. */
export const KEY_OFFER_MS = DAY;

/** When an offer that was not answered is erased. */
export const offerEnd = ({ askedAt }: Pick<KeyOffer, "askedAt">): Temporal.Instant =>
  askedAt.add({ milliseconds: KEY_OFFER_MS });

/** How an offer ended. `unreached`: Discord refused the question, and the offer is open until it expires. */
export type OfferEnd = "accepted" | "refused" | "expired" | "unreached";

const QUESTION = "notice|key_offer|";

/** Names the direct message that asks the member. */
export const offerQuestionKey = (offerId: string): string => QUESTION + offerId;

/** The offer that a direct message asks about; undefined for any other delivery. */
export const offerOfQuestion = (dedupeKey: string): string | undefined =>
  dedupeKey.startsWith(QUESTION) ? dedupeKey.slice(QUESTION.length) : undefined;

/** The words in which an admin reads how an offer ended. */
export type OfferEndPayload = (
  offer: KeyOffer,
  how: OfferEnd,
  reference: string,
) => DeliveryPayload;

/** Tells the admin who offered the key how that ended. */
export const offerEndDelivery = (
  offer: KeyOffer,
  how: OfferEnd,
  payloadOf: OfferEndPayload,
  now: Temporal.Instant,
): NewDelivery => {
  const dedupeKey = `notice|key_offer_end|${offer.id}|${how}`;
  return {
    dedupeKey,
    kind: "notice",
    target: { kind: "person", userId: offer.askedBy },
    guildId: offer.guildId,
    accountId: null,
    payload: payloadOf(offer, how, referenceOf(dedupeKey)),
    notBefore: now,
  };
};

/** Offers that wait for an answer, their keys sealed. None is found once `KEY_OFFER_MS` have passed. */
export interface KeyOffers {
  /**
   * In the place of an earlier offer to the same member, with the question owed in the same transaction. Undefined, with
   * nothing kept, when the member has no key in the guild.
   */
  readonly keep: (
    offer: NewKeyOffer,
    apiKey: Secret,
    questionOf: (offer: KeyOffer) => NewDelivery,
  ) => Promise<KeyOffer | undefined>;
  readonly find: (id: string, at: Temporal.Instant) => Promise<KeyOffer | undefined>;
  /** @throws StoreError unreadable_secret */
  readonly apiKey: (id: string) => Promise<Secret | undefined>;
  readonly ofGuild: (guildId: string, at: Temporal.Instant) => Promise<readonly KeyOffer[]>;
  /** Erases it, with the notice owed; false when it has gone already. */
  readonly end: (
    offer: KeyOffer,
    how: Exclude<OfferEnd, "unreached">,
    notice: NewDelivery,
    at: Temporal.Instant,
  ) => Promise<boolean>;
  /** Erases what is offered to a member who chose a key without it. */
  readonly drop: (guildId: string, ownerId: string) => Promise<void>;
  /** Those whose time is over, however long ago. */
  readonly expired: (at: Temporal.Instant) => Promise<readonly KeyOffer[]>;
}
