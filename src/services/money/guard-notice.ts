import { type NewDelivery, referenceOf } from "../../domain/delivery.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { Actor } from "./money-services.ts";
import type { WithdrawNotices } from "./withdraw-notices.ts";

type GuardNews = Parameters<WithdrawNotices["guard"]>[0]["change"];

/** The direct message about a guard: also seen by an owner whose Discord somebody else is using. */
export const guardNotice = (
  needs: Pick<MoneyNeeds, "notices" | "clock">,
  actor: Pick<Actor, "guildId" | "userId" | "locale">,
  change: GuardNews,
  from: Temporal.Instant | undefined,
  subject: string,
): NewDelivery => {
  const noticedAt = needs.clock.now();
  const { guildId, userId: ownerId, locale } = actor;
  const dedupeKey = `guard|${ownerId}|${subject}`;
  const reference = referenceOf(dedupeKey);
  return {
    dedupeKey,
    kind: "notice",
    target: { kind: "person", userId: ownerId },
    guildId: guildId === "" ? null : guildId,
    accountId: null,
    payload: needs.notices.guard({ ownerId, guildId, locale, reference, change, from, noticedAt }),
    notBefore: noticedAt,
  };
};
