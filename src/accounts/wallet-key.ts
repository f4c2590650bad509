import type { Locale } from "../shared/locale.ts";
import type { Secret } from "../shared/secret.ts";
import type { Account } from "./account.ts";
import { isDiscordId } from "../shared/ids.ts";
import { DAY } from "../shared/time.ts";
import { type DeliveryPayload, type NewDelivery, notice } from "../delivery/delivery.ts";

/** Key and account of a call. */
export interface WalletKey {
  readonly apiKey: Secret;
  /** The wallet account (`Account.accountFp`), which scopes quotas and locks. */
  readonly fingerprint: string;
}

/** Combines a connection's key with its wallet account. */
export const walletKeyOf = (account: Pick<Account, "accountFp">, apiKey: Secret): WalletKey => ({
  apiKey,
  fingerprint: account.accountFp,
});

/** Priority of calls under an account's quota, highest first. */
export type Priority = "money" | "interactive" | "background";

const SHORTEST_API_KEY = 12;

/** Whether the text can be an API key: printable ASCII without spaces, as HTTP headers require. */
export const isPlausibleApiKey = (apiKey: Secret): boolean => {
  const key = apiKey.reveal();
  return key.length >= SHORTEST_API_KEY && /^[!-~]+$/.test(key);
};

/** `unknown`: the service's user id is not a Discord id, so ownership cannot be checked. */
type Ownership = "owner" | "somebody_else" | "unknown";

/** Compares the service's user id with a Discord user's: equal for users from Discord. Source: service.md 2.1. */
export const ownershipOf = (walletUserId: string, discordUserId: string): Ownership => {
  if (walletUserId === discordUserId) return "owner";
  return isDiscordId(walletUserId) ? "somebody_else" : "unknown";
};

/** An admin's offer of a new key to a member who already has one in the guild; consent replaces the old key. */
export interface KeyOffer {
  readonly id: string;
  readonly guildId: string;
  /** The member. */
  readonly ownerId: string;
  /** The admin who typed the key. */
  readonly askedBy: string;
  readonly keyLast4: string;
  /** Language of the admin, who learns how the offer ended. */
  readonly locale: Locale;
  readonly askedAt: Temporal.Instant;
}

export type NewKeyOffer = Omit<KeyOffer, "id" | "keyLast4">;

/** Time for the member to answer. */
export const KEY_OFFER_MS = DAY;

/** When an unanswered offer is erased. */
export const offerEnd = ({ askedAt }: Pick<KeyOffer, "askedAt">): Temporal.Instant =>
  askedAt.add({ milliseconds: KEY_OFFER_MS });

/**
 * How an offer ended. `unreached`: the question did not arrive. `own_key`: the member connected a key without it.
 * `disconnected`: the present key was removed, by the member or an admin. `replaced`: another offer to the same member
 * took its place. `unreadable`: the key ring opens the offered key no more.
 */
export type OfferEnd =
  | "accepted"
  | "refused"
  | "expired"
  | "unreached"
  | "unreadable"
  | "own_key"
  | "disconnected"
  | "replaced";

/** Delivery key of the direct message that asks the member. */
export const offerQuestionKey = (offerId: string): string => `notice|key_offer|${offerId}`;

/** Builds the message that tells the admin how an offer ended. */
export type OfferEndPayload = (
  offer: KeyOffer,
  how: OfferEnd,
  reference: string,
) => DeliveryPayload;

/** Notice to the admin about the end of an offer. */
export const offerEndDelivery = (
  offer: KeyOffer,
  how: OfferEnd,
  payloadOf: OfferEndPayload,
  now: Temporal.Instant,
): NewDelivery => {
  const dedupeKey = `notice|key_offer_end|${offer.id}|${how}`;
  const post = { dedupeKey, guildId: offer.guildId, accountId: null, notBefore: now };
  return notice(offer.askedBy, post, (reference) => payloadOf(offer, how, reference));
};

/** The notice that is owed when an offer gives way to another act; undefined for the admin's own act. */
export type OfferEndNotice = (offer: KeyOffer) => NewDelivery | undefined;

/** `actor`: the person who ends the offer. */
export const offerEndBy =
  (
    actor: string,
    how: "own_key" | "disconnected" | "replaced",
    payloadOf: OfferEndPayload,
    now: Temporal.Instant,
  ): OfferEndNotice =>
  (offer) =>
    offer.askedBy === actor ? undefined : offerEndDelivery(offer, how, payloadOf, now);

/** An offer that the member accepts, with the notice about it to the admin. */
export interface AgreedOffer {
  readonly offer: KeyOffer;
  readonly notice: NewDelivery;
}
