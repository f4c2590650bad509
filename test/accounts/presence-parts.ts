import type { PresenceAnswer } from "#src/accounts/account.ts";
import {
  createMemberLookup,
  createPresencePrefetch,
  withPresence,
} from "#src/accounts/presence.job.ts";
import type { Revalidate } from "#src/delivery/deliver.job.ts";
import { hoursComing } from "#src/reports/report-schedule.ts";
import type { Clock } from "#src/shared/time.ts";
import { quietLog } from "../support/databases.ts";
import type { Stage } from "../support/stage.ts";

type PresenceStores = Pick<
  Stage["stores"],
  "accounts" | "closes" | "ledger" | "presences" | "routes" | "saleRoutes"
>;

/** The judge of posts and the prefetches of a stage, by what `askPresence` answers in Discord's place. */
export const presenceParts = (
  {
    clock,
    stores,
    onOwed = () => {},
  }: {
    readonly clock: Clock;
    readonly stores: PresenceStores;
    readonly onOwed?: () => void;
  },
  askPresence: (guildId: string, userId: string) => Promise<PresenceAnswer>,
  revalidate: Revalidate,
  guildName: (guildId: string) => Promise<string> = async () => "Loja",
) => {
  const { accounts, closes, ledger, presences, routes, saleRoutes } = stores;
  const { handOver } = saleRoutes;
  const asking = { clock, accounts, routes, presences, saleRoutes, askPresence };
  const lookUpMember = createMemberLookup({ ...asking, guildName, onOwed });
  const needs = { clock, log: quietLog, accounts, closes, handOver, ledger, presences };
  return {
    judge: withPresence(needs, lookUpMember, revalidate),
    /** Of a process at this place among the bot's. With a greater `share`, real time passes less between its questions. */
    prefetchAt: (place: number, nameOf = guildName, share = 1) =>
      createPresencePrefetch({
        clock,
        log: quietLog,
        ledger,
        hoursComing,
        lookUpMember,
        guildName: nameOf,
        place,
        share,
      }),
  };
};
