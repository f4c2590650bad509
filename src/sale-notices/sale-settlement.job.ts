import { notice, referenceOf, type NewDelivery } from "../delivery/delivery.ts";
import type { SettlementHooks } from "../delivery/deliver.job.ts";
import type { SaleRoutes } from "./sale-stores.ts";
import type { Clock } from "../shared/time.ts";
import type { Locale } from "../shared/locale.ts";
import { saleChannelLostNotice } from "./sale-notice.view.ts";

interface SaleSettlementNeeds {
  readonly clock: Clock;
  readonly saleRoutes: Pick<SaleRoutes, "find" | "suspend" | "owners">;
}

/** Suspends the route of a lost channel, and tells its admin and its sellers once. */
export const saleSettlement = ({ clock, saleRoutes }: SaleSettlementNeeds): SettlementHooks => ({
  onSettled: async ({ target, guildId }, settlement) => {
    const isLost = settlement.state === "obsolete" && settlement.error.startsWith("lost_channel");
    if (!isLost || target.kind !== "channel" || guildId === null) return;
    const now = clock.now();
    const { channelId } = target;
    const locale = (await saleRoutes.find(guildId))?.locale ?? "pt-BR";
    const owners = await saleRoutes.owners(guildId);
    const notices = owners.map((userId) =>
      channelLost({ guildId, channelId, locale }, userId, now),
    );
    await saleRoutes.suspend(guildId, channelId, now, notices);
  },
});

const channelLost = (
  { guildId, channelId, locale }: { guildId: string; channelId: string; locale: Locale },
  userId: string,
  now: Temporal.Instant,
): NewDelivery => {
  const dedupeKey = `notice|sale_channel_lost|${guildId}|${channelId}|${userId}|${now.toString()}`;
  return notice(userId, { dedupeKey, guildId, accountId: null, notBefore: now }, () =>
    saleChannelLostNotice({
      channelId,
      noticedAt: now,
      locale,
      reference: referenceOf(dedupeKey),
    }),
  );
};
