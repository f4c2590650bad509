import type { Account } from "../domain/account.ts";
import { type ClaimedDelivery, type NewDelivery, referenceOf } from "../domain/delivery.ts";
import { type KeyOffers, offerEndDelivery, offerOfQuestion } from "../domain/wallet-key.ts";
import { dayOfReportKey, type ReportSubscription } from "../domain/report-schedule.ts";
import type { WalletError } from "../shared/errors.ts";
import type { AccountsStore } from "../store/accounts.ts";
import type { Locale } from "../texts/locale.ts";
import { alertChannelLostNotice } from "../views/disputes/dispute-alert.ts";
import {
  channelLostNotice,
  keyOfferEndNotice,
  keyRefusedNotice,
  uncertainReportNotice,
} from "../views/notices.ts";

type Notice = Pick<NewDelivery, "dedupeKey" | "guildId" | "accountId" | "payload">;

const to = (userId: string, now: Temporal.Instant, notice: Notice): NewDelivery => ({
  kind: "notice",
  target: { kind: "person", userId },
  notBefore: now,
  ...notice,
});

/** Pauses the jobs of a key that the service refuses (401), and notifies its owner. */
export const pauseRefusedKey = async (
  accounts: Pick<AccountsStore, "pause">,
  { guildId, locale }: Pick<ReportSubscription, "guildId" | "locale">,
  account: Account,
  error: WalletError,
  now: Temporal.Instant,
): Promise<void> => {
  const dedupeKey = `notice|key_refused|${account.id}|${now.toString()}`;
  const payload = keyRefusedNotice({
    guildId,
    locale,
    keyLast4: account.keyLast4,
    noticedAt: now,
    requestId: error.requestId,
    reference: referenceOf(dedupeKey),
  });
  const notice = to(account.ownerId, now, { dedupeKey, guildId, accountId: account.id, payload });
  await accounts.pause(account.id, now, notice);
};

/** A channel of a guild, and the language that is spoken in it. */
interface RouteChannel {
  readonly guildId: string;
  readonly channelId: string;
  readonly locale: Locale;
}

/** To one who is to know about a route of reports: its channel is gone, or closed to the bot. */
export const channelLost = (
  { guildId, channelId, locale }: RouteChannel,
  userId: string,
  now: Temporal.Instant,
): NewDelivery => {
  const dedupeKey = `notice|channel_lost|${guildId}|${channelId}|${userId}|${now.toString()}`;
  const reference = referenceOf(dedupeKey);
  const payload = channelLostNotice({ guildId, channelId, locale, noticedAt: now, reference });
  return to(userId, now, { dedupeKey, guildId, accountId: null, payload });
};

/** To one who is to know that alerts cannot be posted to their channel any more. */
export const alertChannelLost = (
  { guildId, channelId, locale }: RouteChannel,
  userId: string,
  now: Temporal.Instant,
): NewDelivery => {
  const dedupeKey = `notice|alert_channel_lost|${guildId}|${channelId}|${userId}|${now.toString()}`;
  const reference = referenceOf(dedupeKey);
  const payload = alertChannelLostNotice({ channelId, noticedAt: now, locale, reference });
  return to(userId, now, { dedupeKey, guildId, accountId: null, payload });
};

/** To the owner of a report of which it cannot be told whether it was posted. */
export const uncertainReport = (
  claim: ClaimedDelivery,
  account: Account,
  channelId: string,
  locale: Locale,
  now: Temporal.Instant,
): NewDelivery => {
  const { guildId } = account;
  const dedupeKey = `notice|uncertain|${claim.dedupeKey}`;
  const payload = uncertainReportNotice({
    guildId,
    channelId,
    locale,
    day: dayOfReportKey(claim.dedupeKey),
    reference: referenceOf(dedupeKey),
  });
  return to(account.ownerId, now, { dedupeKey, guildId, accountId: account.id, payload });
};

/** Erases offered keys that no member answered in time; the admins who offered them are told. */
export const expireKeyOffers = async (
  offers: Pick<KeyOffers, "expired" | "end">,
  now: Temporal.Instant,
): Promise<void> => {
  for (const offer of await offers.expired(now)) {
    const notice = offerEndDelivery(offer, "expired", keyOfferEndNotice, now);
    await offers.end(offer, "expired", notice, now);
  }
};

/** To the admin whose question Discord did not let through to the member; undefined for any other delivery. */
export const unreachedMember = async (
  offers: Pick<KeyOffers, "find">,
  { dedupeKey }: Pick<ClaimedDelivery, "dedupeKey">,
  now: Temporal.Instant,
): Promise<NewDelivery | undefined> => {
  const offerId = offerOfQuestion(dedupeKey);
  const offer = offerId === undefined ? undefined : await offers.find(offerId, now);
  return offer && offerEndDelivery(offer, "unreached", keyOfferEndNotice, now);
};
