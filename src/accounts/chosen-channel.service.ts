import type { Account } from "./account.ts";
import type { Presences } from "./presences.store.ts";
import type { channelLostNotice, reportChannelNotice } from "./notices.view.ts";
import {
  type ChosenChannelFacts,
  type DeliveryPayload,
  isRouteOpen,
  type LostChannelFacts,
  type LostRoute,
  type NewDelivery,
  notice,
  type PostingRoute,
  type RouteStore,
} from "../delivery/delivery.ts";
import type { alertChannelLostNotice, alertMoveNotice } from "../disputes/dispute-alert.view.ts";
import type { reportMoveNotice } from "../reports/report-route.view.ts";
import type { saleChannelLostNotice, saleMoveNotice } from "../sale-notices/sale-notice.view.ts";
import type { Clock } from "../shared/time.ts";
import type { Stores } from "../stores.ts";

interface ChosenChannelNeeds extends Pick<
  Stores,
  "accounts" | "alertRoutes" | "outbox" | "presences" | "routes" | "saleRoutes"
> {
  readonly clock: Clock;
  readonly guildName: (guildId: string) => Promise<string | undefined>;
  /** Starts sending due deliveries, without waiting for them. */
  readonly wake: () => void;
  /** Asks an owner who has not answered yet for consent to posted reports. */
  readonly reportChannelNotice: typeof reportChannelNotice;
  readonly reportMoveNotice: typeof reportMoveNotice;
  readonly saleMoveNotice: typeof saleMoveNotice;
  readonly alertMoveNotice: typeof alertMoveNotice;
  readonly channelLostNotice: typeof channelLostNotice;
  readonly saleChannelLostNotice: typeof saleChannelLostNotice;
  readonly alertChannelLostNotice: typeof alertChannelLostNotice;
}

/** A message about the channel in which posts begin. One of the same key is sent once. */
interface ChannelMessage {
  readonly dedupeKey: string;
  readonly view: (facts: ChosenChannelFacts) => DeliveryPayload;
  /** In place of `view` to a seller who is back while the channel is lost. Undefined: `view` is true then too. */
  readonly lost?: {
    readonly route: LostRoute;
    readonly view: (facts: LostChannelFacts) => DeliveryPayload;
  };
}

type ChosenRoute = PostingRoute & Pick<ChosenChannelFacts, "minimum">;

interface Begun {
  readonly at: Temporal.Instant;
  /** Whether posts came out before. */
  readonly isMoved: boolean;
  /** Whether the seller is back, and the end of the absence not committed yet. */
  readonly isBack?: boolean;
}

/** The message to a seller whom the channel concerns; undefined for any other. */
type MessageTo = (
  account: Account,
  begun: Begun,
) => ChannelMessage | undefined | Promise<ChannelMessage | undefined>;

/** More at once could refuse so many messages that all posts pause: the others are told later, within an hour. */
const TOLD_AT_ONCE = 1_000;
const TOLD_AGAIN_MINUTES = 10;

/**
 * The servers' routes. A saved one whose posts begin in a channel, because it is another one or they were off, or begin
 * with smaller sales there, is told to the sellers in the server, and to others once they are back: they agreed to the
 * minimum and to the readers of the channel that they knew, and Discord pings nobody who cannot see an alert's.
 */
export const createChosenChannels = (needs: ChosenChannelNeeds) => {
  const { accounts, clock, outbox, presences, saleRoutes } = needs;

  const tell = async (
    { guildId, channelId, minimum, locale: routeLocale, suspendedAt: noticedAt }: ChosenRoute,
    begun: Begun,
    messageTo: MessageTo,
    ownerIds: readonly string[],
    afterMinutes = 0,
  ): Promise<void> => {
    const now = clock.now();
    const notBefore = now.add({ minutes: afterMinutes });
    const guildName = await needs.guildName(guildId);
    const noticeTo = async (ownerId: string): Promise<NewDelivery | undefined> => {
      const account = await accounts.find(guildId, ownerId);
      if (account === undefined) return undefined;
      if (begun.isBack !== true && (await presences.hasLeft(account))) return undefined;
      const message = await messageTo(account, begun);
      if (message === undefined) return undefined;
      const { id: accountId, locale = routeLocale } = account;
      const { dedupeKey, view, lost } = message;
      return notice(ownerId, { dedupeKey, guildId, accountId, notBefore }, (reference) => {
        const facts = { guildId, channelId, locale, reference };
        return lost === undefined || noticedAt === undefined
          ? view({ ...facts, guildName, minimum })
          : {
              ...lost.view({ ...facts, noticedAt }),
              lostChannel: { route: lost.route, channelId },
            };
      });
    };
    await outbox.enqueueEach(ownerIds, noticeTo, now);
    needs.wake();
  };

  const saving = <Route extends ChosenRoute>(
    { save }: Pick<RouteStore<Route>, "save">,
    messageTo: MessageTo,
  ): RouteStore<Route>["save"] => {
    /**
     * Choices of which not all sellers were told, by server: the database failed, and its admin is told to try again. The
     * same choice, or another minimum there, then tells the others, though it begins no posts.
     */
    const untold = new Map<string, Begun & Pick<ChosenRoute, "channelId">>();
    return async (guildId, change, at) => {
      const noticing: typeof change = (before) => {
        const open = isRouteOpen(before) ? before : undefined;
        const chosen = change(before);
        const { channelId, minimum }: Pick<ChosenRoute, "channelId" | "minimum"> = chosen;
        const isLower = (minimum ?? 0) < (open?.minimum ?? 0);
        // A first choice that is untold leaves the question about reports to this one.
        const isMoved = open !== undefined && untold.get(guildId)?.isMoved !== false;
        if (isLower || channelId !== open?.channelId)
          untold.set(guildId, { at, isMoved, channelId });
        return chosen;
      };
      const saved = await save(guildId, noticing, at);
      const begun = untold.get(guildId);
      if (begun?.channelId === saved.channelId && isRouteOpen(saved)) {
        for (let told = 0, minutes = 0; ; told += TOLD_AT_ONCE) {
          const owners = await accounts.ownersIn(guildId, told, TOLD_AT_ONCE);
          await tell(saved, begun, messageTo, owners, minutes);
          if (owners.length < TOLD_AT_ONCE) break;
          minutes = (minutes + TOLD_AGAIN_MINUTES) % 60;
        }
      }
      if (untold.get(guildId) === begun) untold.delete(guildId);
      return saved;
    };
  };

  /** Each move has a message of its own: the last one names the present channel. */
  const moveKey = (kind: string, { id }: Pick<Account, "id">, { at }: Begun): string =>
    `notice|${kind}|${id}|${at.epochMilliseconds}`;

  const reportMessage: MessageTo = async (account, begun) => {
    const { id, reportConsent, reportConsentAt } = account;
    if (reportConsent)
      return {
        dedupeKey: moveKey("report_moved", account, begun),
        view: needs.reportMoveNotice,
        lost: { route: "channel_lost", view: needs.channelLostNotice },
      };
    if (reportConsentAt !== undefined || begun.isMoved) return undefined;
    const first = `notice|report_channel|${id}`;
    // Discord refuses messages to a seller who has left, also before the absence is noticed.
    const dedupeKey = (await outbox.state(first)) === "dead" ? `${first}|again` : first;
    return { dedupeKey, view: needs.reportChannelNotice };
  };
  const saleMessage: MessageTo = async (account, begun) =>
    (await saleRoutes.choiceOf(account.id)) === "channel"
      ? {
          dedupeKey: moveKey("sales_moved", account, begun),
          view: needs.saleMoveNotice,
          lost: { route: "sale_channel_lost", view: needs.saleChannelLostNotice },
        }
      : undefined;
  // Also of those whose alerts come out in another server: once its channel is lost they come here, untold.
  const alertMessage: MessageTo = (account, begun) =>
    account.alerts === "channel"
      ? {
          dedupeKey: moveKey("alerts_moved", account, begun),
          view: needs.alertMoveNotice,
          lost: { route: "alert_channel_lost", view: needs.alertChannelLostNotice },
        }
      : undefined;
  /**
   * Posts of a seller who is back begin again, and the channel may have been chosen meanwhile, or lost: that of reports may
   * come back by itself, without a further message, and the others post on only once chosen. The absence ends after the
   * messages are committed: a failure in between tells them with the next answer, under the same keys.
   */
  const keep: Presences["keep"] = async (...given) => {
    const [guildId, ownerId, answer] = given;
    const at = answer === "here" ? (await presences.find(guildId, ownerId))?.leftAt : undefined;
    if (at === undefined) return await presences.keep(...given);
    for (const [routes, messageTo] of [
      [needs.routes, reportMessage],
      [saleRoutes, saleMessage],
      [needs.alertRoutes, alertMessage],
    ] as const) {
      const route = await routes.find(guildId);
      if (route?.active !== true) continue;
      // A question about posts that began or came back during the absence was not asked.
      await tell(route, { at, isMoved: false, isBack: true }, messageTo, [ownerId]);
    }
    return await presences.keep(...given);
  };
  return {
    presences: { ...presences, keep },
    alertRoutes: { ...needs.alertRoutes, save: saving(needs.alertRoutes, alertMessage) },
    routes: { ...needs.routes, save: saving(needs.routes, reportMessage) },
    saleRoutes: { ...saleRoutes, save: saving(saleRoutes, saleMessage) },
  };
};
