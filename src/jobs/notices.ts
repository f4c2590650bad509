import type { AccountsStore } from "../store/accounts.ts";
import type { Account } from "../domain/account.ts";
import { type NewDelivery, referenceOf } from "../domain/delivery.ts";
import { type KeyOffers, offerEndDelivery } from "../domain/wallet-key.ts";
import type { ReportSubscription } from "../domain/report-schedule.ts";
import type { WalletError } from "../shared/errors.ts";
import type { Locale } from "../shared/locale.ts";
import type { Clock } from "../shared/time.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { SettlementHooks } from "./delivery/deliver.ts";
import { alertChannelLostNotice } from "../views/disputes/dispute-alert.ts";
import {
  channelLostNotice,
  keyOfferEndNotice,
  keyRefusedNotice,
  leftServerNotice,
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

/** Tells an owner who has left a server that the key is still connected there. */
export const leftServer = (
  { id, guildId, ownerId, keyLast4 }: Account,
  guildName: string | undefined,
  locale: Locale,
  now: Temporal.Instant,
): NewDelivery => {
  const dedupeKey = `notice|left_server|${id}|${now.toString()}`;
  const reference = referenceOf(dedupeKey);
  const facts = { guildId, guildName, locale, keyLast4, noticedAt: now, reference };
  return to(ownerId, now, {
    dedupeKey,
    guildId,
    accountId: id,
    payload: leftServerNotice(facts),
  });
};

/** A channel of a guild, and the language of its posts. */
interface RouteChannel {
  readonly guildId: string;
  readonly channelId: string;
  readonly locale: Locale;
}

/** Tells `userId` that the channel of daily reports is gone or closed to the bot. */
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

/** Tells `userId` that the channel of alerts is gone or closed to the bot. */
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

/** Tells the owner that a report may or may not have been posted. */
export const uncertainReport = (
  reportKey: string,
  day: Temporal.PlainDate,
  account: Account,
  { channelId, locale }: Pick<RouteChannel, "channelId" | "locale">,
  now: Temporal.Instant,
): NewDelivery => {
  const { guildId } = account;
  const dedupeKey = `notice|uncertain|${reportKey}`;
  const payload = uncertainReportNotice({
    guildId,
    channelId,
    locale,
    day,
    reference: referenceOf(dedupeKey),
  });
  return to(account.ownerId, now, { dedupeKey, guildId, accountId: account.id, payload });
};

/** Erases offered keys that expired unanswered, and tells the admins who offered them. */
export const expireKeyOffers = async (
  offers: Pick<KeyOffers, "expired" | "end">,
  now: Temporal.Instant,
): Promise<void> => {
  for (const offer of await offers.expired(now)) {
    const notice = offerEndDelivery(offer, "expired", keyOfferEndNotice, now);
    await offers.end(offer, "expired", notice, now);
  }
};

/** Tells the admin that Discord did not deliver a key offer to the member. */
export const offerSettlement = ({
  clock,
  outbox,
  keyOffers,
}: {
  readonly clock: Clock;
  readonly outbox: Pick<OutboxStore, "enqueue">;
  readonly keyOffers: Pick<KeyOffers, "find">;
}): SettlementHooks => ({
  onSettling: async ({ offerId }, { state }) => {
    if (offerId === undefined || state !== "dead") return;
    const now = clock.now();
    const offer = await keyOffers.find(offerId, now);
    if (offer === undefined) return;
    await outbox.enqueue(offerEndDelivery(offer, "unreached", keyOfferEndNotice, now), now);
  },
});
