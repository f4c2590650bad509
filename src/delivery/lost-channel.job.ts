import {
  type ClaimedDelivery,
  type DeliveryPayload,
  loggedDelivery,
  type LostChannelFacts,
  type LostRoute,
  notice,
  type PostingRoute,
  type RouteStore,
} from "./delivery.ts";
import type { Revalidate } from "./deliver.job.ts";
import type { Logger } from "../shared/log.ts";
import type { Clock } from "../shared/time.ts";

/**
 * A removed bot is refused by all whom no other server joins to it, and again an hour later: too many at once stop all
 * posts.
 */
const TOLD_A_MINUTE = 50;
/** A message that is put off by more than an hour counts as due. */
const MOST_MINUTES = 60;

/**
 * Suspends the route of the lost channel of a delivery, and tells its admin and its sellers once. No effect if the guild
 * has chosen another channel by now.
 */
export const suspendLostRoute = async (
  { target, guildId }: Pick<ClaimedDelivery, "target" | "guildId">,
  clock: Clock,
  routes: Pick<RouteStore<PostingRoute>, "find" | "owners" | "suspend">,
  route: LostRoute,
  noticeOf: (facts: LostChannelFacts) => DeliveryPayload,
): Promise<void> => {
  if (target.kind !== "channel" || guildId === null) return;
  const noticedAt = clock.now();
  const { channelId } = target;
  const lost = await routes.find(guildId);
  const routeLocale = lost?.locale ?? "pt-BR";
  const adminId = lost?.updatedBy;
  // The admin, who can choose another channel, learns first.
  const owners = (await routes.owners(guildId)).toSorted(
    (one, other) => Number(other.id === adminId) - Number(one.id === adminId),
  );
  const notices = owners.map(({ id: userId, locale = routeLocale }, place) => {
    const dedupeKey = `notice|${route}|${guildId}|${channelId}|${userId}|${noticedAt.toString()}`;
    const notBefore = noticedAt.add({ minutes: Math.floor(place / TOLD_A_MINUTE) % MOST_MINUTES });
    const post = { dedupeKey, guildId, accountId: null, notBefore };
    return notice(userId, post, (reference) => ({
      ...noticeOf({ guildId, channelId, noticedAt, locale, reference }),
      lostChannel: { route, channelId },
    }));
  });
  await routes.suspend(guildId, channelId, noticedAt, notices);
};

/** Takes back a message about a lost channel that was mended while the message waited for its reader. */
export const withLostChannel =
  (
    needs: {
      readonly log: Logger;
      readonly routes: Readonly<Record<LostRoute, Pick<RouteStore<PostingRoute>, "find">>>;
    },
    revalidate: Revalidate,
  ): Revalidate =>
  async (claim) => {
    const { guildId, payload } = claim;
    const lost = payload.lostChannel;
    if (lost === undefined || guildId === null) return await revalidate(claim);
    try {
      const route = await needs.routes[lost.route].find(guildId);
      const isLost = route?.active && route.suspendedAt !== undefined;
      if (!isLost || route.channelId !== lost.channelId)
        return { kind: "untrue", unsent: undefined };
    } catch (error) {
      needs.log.error({ ...loggedDelivery(claim), err: error }, "a lost channel is not known");
    }
    return await revalidate(claim);
  };
