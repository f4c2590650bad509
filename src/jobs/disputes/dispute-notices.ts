import { type ClaimedDelivery, type NewDelivery, referenceOf } from "../../domain/delivery.ts";
import { repeatKeyOf } from "../../domain/dispute-alert.ts";
import type { Locale } from "../../texts/locale.ts";
import { alertChannelLostNotice, repeatedAlert } from "../../views/disputes/dispute-alert.ts";

/** The marked repeat of an alert of which nobody can tell whether it was posted; undefined for a repeat. */
export const repeatOf = (
  { dedupeKey, kind, target, guildId, accountId, payload }: ClaimedDelivery,
  locale: Locale,
  now: Temporal.Instant,
): NewDelivery | undefined => {
  const key = repeatKeyOf(dedupeKey);
  if (key === undefined) return undefined;
  const marked = repeatedAlert(payload, referenceOf(key), locale);
  return { dedupeKey: key, kind, target, guildId, accountId, payload: marked, notBefore: now };
};

/** To one who is to know that alerts cannot be posted to their channel any more. */
export const alertChannelLost = (
  facts: { readonly guildId: string; readonly channelId: string; readonly locale: Locale },
  userId: string,
  now: Temporal.Instant,
): NewDelivery => {
  const { guildId, channelId, locale } = facts;
  const dedupeKey = `notice|alert_channel_lost|${guildId}|${channelId}|${userId}|${now.toString()}`;
  const reference = referenceOf(dedupeKey);
  return {
    dedupeKey,
    kind: "notice",
    target: { kind: "person", userId },
    guildId,
    accountId: null,
    payload: alertChannelLostNotice({ channelId, noticedAt: now, locale, reference }),
    notBefore: now,
  };
};
