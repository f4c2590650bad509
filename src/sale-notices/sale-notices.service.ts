import type { SaleRoutes } from "./sale-routes.store.ts";
import type { SaleWatches } from "./sale-watch.store.ts";
import type { Account, DestinationChoice } from "../accounts/account.ts";
import { isRouteOpen, type RouteChange } from "../delivery/delivery.ts";
import type { SaleNoticeState, SaleRoute } from "./sale-notice.ts";
import type { Locale } from "../shared/locale.ts";
import type { Clock } from "../shared/time.ts";

export const createSaleNotices = (needs: {
  readonly clock: Clock;
  readonly routes: SaleRoutes;
  readonly watches: Pick<SaleWatches, "find" | "waits">;
  /** Looks at once, so that the first reading of the list, of which no sale is told, ends soon. */
  readonly lookSoon: () => void;
}) => {
  const { clock, routes, watches, lookSoon } = needs;
  return {
    route: routes.find,
    saveRoute: async (guildId: string, change: RouteChange<SaleRoute>) => {
      const saved = await routes.save(guildId, change, clock.now());
      lookSoon();
      return saved;
    },
    stateOf: async (account: Account): Promise<SaleNoticeState> => {
      const { id, guildId, accountFp } = account;
      const route = await routes.find(guildId);
      const watch = await watches.find(accountFp);
      const open = isRouteOpen(route) ? route : undefined;
      return {
        choice: await routes.choiceOf(id),
        channelId: open?.channelId,
        minimum: open?.minimum,
        isByReport: watch?.report?.isPassed === false,
        isOnHold: await watches.waits(account),
      };
    },
    /** Notices begin with the next sale. False when the person has no connection in the guild. */
    choose: async (
      guildId: string,
      ownerId: string,
      choice: DestinationChoice,
      locale: Locale,
    ): Promise<boolean> => {
      const isChosen = await routes.choose(guildId, ownerId, choice, clock.now(), locale);
      if (isChosen) lookSoon();
      return isChosen;
    },
  };
};
