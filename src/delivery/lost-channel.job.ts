import {
  type ClaimedDelivery,
  type DeliveryPayload,
  type LostChannelFacts,
  notice,
  type PostingRoute,
  type RouteStore,
} from "./delivery.ts";
import type { Clock } from "../shared/time.ts";

/**
 * Suspends the route of the lost channel of a delivery, and tells its admin and its sellers once. No effect if the guild
 * has chosen another channel by now. `name` begins the keys of the notices: its spelling never changes.
 */
export const suspendLostRoute = async (
  { target, guildId }: Pick<ClaimedDelivery, "target" | "guildId">,
  clock: Clock,
  routes: Pick<RouteStore<PostingRoute>, "find" | "owners" | "suspend">,
  name: "channel_lost" | "alert_channel_lost" | "sale_channel_lost",
  noticeOf: (facts: LostChannelFacts) => DeliveryPayload,
): Promise<void> => {
  if (target.kind !== "channel" || guildId === null) return;
  const noticedAt = clock.now();
  const { channelId } = target;
  const routeLocale = (await routes.find(guildId))?.locale ?? "pt-BR";
  const owners = await routes.owners(guildId);
  const notices = owners.map(({ id: userId, locale = routeLocale }) => {
    const dedupeKey = `notice|${name}|${guildId}|${channelId}|${userId}|${noticedAt.toString()}`;
    const post = { dedupeKey, guildId, accountId: null, notBefore: noticedAt };
    return notice(userId, post, (reference) =>
      noticeOf({ guildId, channelId, noticedAt, locale, reference }),
    );
  });
  await routes.suspend(guildId, channelId, noticedAt, notices);
};
