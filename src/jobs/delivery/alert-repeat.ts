import { type ClaimedDelivery, type NewDelivery, referenceOf } from "../../domain/delivery.ts";
import { repeatKeyOf } from "../../domain/dispute-alert.ts";
import type { Locale } from "../../texts/locale.ts";
import { repeatedAlert } from "../../views/disputes/dispute-alert.ts";

/** The marked repeat of an alert of which nobody can tell whether it was posted; undefined for a repeat. */
export const alertRepeat = (
  { dedupeKey, kind, target, guildId, accountId, payload }: ClaimedDelivery,
  locale: Locale,
  now: Temporal.Instant,
): NewDelivery | undefined => {
  const key = repeatKeyOf(dedupeKey);
  if (key === undefined) return undefined;
  const marked = repeatedAlert(payload, referenceOf(key), locale);
  return { dedupeKey: key, kind, target, guildId, accountId, payload: marked, notBefore: now };
};
