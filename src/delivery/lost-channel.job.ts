import {
  type ClaimedDelivery,
  type DeliveryPayload,
  type LostChannelFacts,
  type NewDelivery,
  notice,
  type RouteStore,
} from "./delivery.ts";
import type { Locale } from "../shared/locale.ts";
import type { Clock } from "../shared/time.ts";

/** Tells each owner that a channel is gone or closed to the bot. `name` begins the keys: its spelling never changes. */
export const channelLostNotices = (
  name: "channel_lost" | "alert_channel_lost" | "sale_channel_lost",
  { guildId, channelId }: { readonly guildId: string; readonly channelId: string },
  owners: readonly string[],
  now: Temporal.Instant,
  payloadOf: (reference: string) => DeliveryPayload,
): readonly NewDelivery[] =>
  owners.map((userId) => {
    const dedupeKey = `notice|${name}|${guildId}|${channelId}|${userId}|${now.toString()}`;
    return notice(userId, { dedupeKey, guildId, accountId: null, notBefore: now }, payloadOf);
  });

/** Suspends the route of the lost channel of a delivery, and tells its admin and its sellers once. */
export const suspendLostRoute = async (
  { target, guildId }: Pick<ClaimedDelivery, "target" | "guildId">,
  clock: Clock,
  routes: RouteStore<{ readonly locale: Locale }>,
  name: Parameters<typeof channelLostNotices>[0],
  noticeOf: (facts: LostChannelFacts) => DeliveryPayload,
): Promise<void> => {
  if (target.kind !== "channel" || guildId === null) return;
  const noticedAt = clock.now();
  const { channelId } = target;
  const locale = (await routes.find(guildId))?.locale ?? "pt-BR";
  const owners = await routes.owners(guildId);
  const lost = { guildId, channelId };
  const notices = channelLostNotices(name, lost, owners, noticedAt, (reference) =>
    noticeOf({ channelId, noticedAt, locale, reference }),
  );
  await routes.suspend(guildId, channelId, noticedAt, notices);
};
