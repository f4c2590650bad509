import type { Account } from "./account.ts";
import type { reportChannelNotice } from "./notices.view.ts";
import {
  type ChosenChannelFacts,
  type DeliveryPayload,
  type NewDelivery,
  notice,
  type PostingRoute,
  type RouteStore,
} from "../delivery/delivery.ts";
import type { alertMoveNotice } from "../disputes/dispute-alert.view.ts";
import type { reportMoveNotice } from "../reports/report-route.view.ts";
import type { saleMoveNotice } from "../sale-notices/sale-notice.view.ts";
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
}

/** A message about the channel in which posts begin. One of the same key is sent once. */
interface ChannelMessage {
  readonly dedupeKey: string;
  readonly view: (facts: ChosenChannelFacts) => DeliveryPayload;
}

/** The message to a seller whom the channel concerns; undefined for any other. */
type MessageTo = (
  account: Account,
  channelId: string,
) => ChannelMessage | undefined | Promise<ChannelMessage | undefined>;

/** More sellers than any server has so far; further sellers can still use `/conta ver`. */
const MOST_TOLD = 1_000;

/**
 * The servers' routes. A saved one whose posts begin in a channel, because it is another one or they were off, is told to
 * the sellers in the server: they agreed to the readers of the channel that they knew, and Discord pings nobody who
 * cannot see an alert's.
 */
export const createChosenChannels = (needs: ChosenChannelNeeds) => {
  const { accounts, clock, outbox, presences, saleRoutes } = needs;

  const tell = async (
    { guildId, channelId, locale: routeLocale }: PostingRoute,
    messageTo: MessageTo,
  ): Promise<void> => {
    const now = clock.now();
    const guildName = await needs.guildName(guildId);
    const noticeTo = async (ownerId: string): Promise<NewDelivery | undefined> => {
      const account = await accounts.find(guildId, ownerId);
      const { leftAt } = (await presences.find(guildId, ownerId)) ?? {};
      if (account === undefined || leftAt !== undefined) return undefined;
      const message = await messageTo(account, channelId);
      if (message === undefined) return undefined;
      const { id: accountId, locale = routeLocale } = account;
      const { dedupeKey, view } = message;
      return notice(ownerId, { dedupeKey, guildId, accountId, notBefore: now }, (reference) =>
        view({ guildId, guildName, channelId, locale, reference }),
      );
    };
    await outbox.enqueueEach(await accounts.ownersIn(guildId, 0, MOST_TOLD), noticeTo, now);
    needs.wake();
  };

  const saving =
    <Route extends PostingRoute>(
      { save }: Pick<RouteStore<Route>, "save">,
      messageTo: MessageTo,
    ): RouteStore<Route>["save"] =>
    async (guildId, change, at) => {
      let channelBefore: string | undefined;
      const noticing: typeof change = (before) => {
        channelBefore = before?.active === true ? before.channelId : undefined;
        return change(before);
      };
      const saved = await save(guildId, noticing, at);
      if (saved.active && saved.channelId !== channelBefore) await tell(saved, messageTo);
      return saved;
    };

  const reportMessage: MessageTo = ({ id, reportConsent, reportConsentAt }, channelId) => {
    if (reportConsent)
      return { dedupeKey: `notice|report_moved|${id}|${channelId}`, view: needs.reportMoveNotice };
    return reportConsentAt === undefined
      ? { dedupeKey: `notice|report_channel|${id}`, view: needs.reportChannelNotice }
      : undefined;
  };
  const saleMessage: MessageTo = async ({ id }, channelId) =>
    (await saleRoutes.choiceOf(id)) === "channel"
      ? { dedupeKey: `notice|sales_moved|${id}|${channelId}`, view: needs.saleMoveNotice }
      : undefined;
  const alertMessage: MessageTo = ({ id, alerts }, channelId) =>
    alerts === "channel"
      ? { dedupeKey: `notice|alerts_moved|${id}|${channelId}`, view: needs.alertMoveNotice }
      : undefined;
  return {
    alertRoutes: { ...needs.alertRoutes, save: saving(needs.alertRoutes, alertMessage) },
    routes: { ...needs.routes, save: saving(needs.routes, reportMessage) },
    saleRoutes: { ...saleRoutes, save: saving(saleRoutes, saleMessage) },
  };
};
