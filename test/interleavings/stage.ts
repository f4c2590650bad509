import { setImmediate as turn } from "node:timers/promises";
import { commands } from "#commands/index.ts";
import { createInteractionRouter } from "#src/discord/interaction-router.ts";
import type { WithdrawJournal } from "#src/withdrawals/withdraw-journal.store.ts";
import { createMoney, moneyNeeds } from "#src/bot-money.ts";
import type { Services } from "#src/services.ts";
import { GUILD_ID } from "../discord/support/interactions.ts";
import { noMetrics } from "#src/shared/metrics.ts";
import { Secret } from "#src/shared/secret.ts";
import { openStores } from "#src/stores.ts";
import { errorReply } from "#src/help/error.view.ts";
import { NOW, recordingLog, standingClock } from "../discord/support/parts.ts";
import type { Dice } from "../simulate/dice.ts";
import { openTestDatabase } from "../support/databases.ts";
import { createModelDiscord } from "./model-discord.ts";
import { createModelWallet } from "./model-wallet.ts";

const PROCESSES = ["first", "second"] as const;
const MOST_TURNS = 3;

export type InterleavingStage = Awaited<ReturnType<typeof openInterleavings>>;

/** A slow journal: other tasks may run between any two statements. */
const slowly = (journal: WithdrawJournal, yields: () => Promise<void>): WithdrawJournal =>
  new Proxy(journal, {
    get: (target, name: keyof WithdrawJournal) => {
      const method = target[name] as (...given: unknown[]) => Promise<unknown>;
      return async (...given: unknown[]): Promise<unknown> => {
        await yields();
        const result = await method(...given);
        await yields();
        return result;
      };
    },
  });

/** Two processes of the bot on one database, one wallet service and one Discord; `dice` make all random choices. */
export const openInterleavings = async (dice: Dice) => {
  const clock = standingClock(NOW);
  const database = await openTestDatabase("sqlite::memory:", clock, { random: dice });
  const ring = new Secret(`k1:${Buffer.from(dice.bytes(32)).toString("base64")}`);
  const stores = await openStores(database, ring, "http://127.0.0.1", dice);
  /** Lets other tasks run for a random number of turns. */
  const yields = async (): Promise<void> => {
    for (let turns = dice.between(0, MOST_TURNS); turns > 0; turns--) await turn();
  };
  const wallet = createModelWallet(clock, dice, yields);
  const discord = createModelDiscord(yields);
  const { log, lines } = recordingLog();

  const money = PROCESSES.map(() =>
    createMoney(
      moneyNeeds(stores, {
        clock,
        random: dice,
        log,
        wallet,
        monotonicMs: () => performance.now(),
        withdrawEnabled: true,
        refundEnabled: true,
        journal: slowly(stores.journal, yields),
        show: async () => false,
        pinRounds: 2,
        wake: () => {},
      }),
    ),
  );
  const routers = money.map(({ withdrawals, balance, guards }) =>
    createInteractionRouter({
      commands,
      services: {
        withdrawals,
        balance,
        guards,
        clock,
        accounts: { guildOf: async () => GUILD_ID },
      } as unknown as Services,
      respond: discord.respond,
      live: { shown: () => {} },
      errorReply,
      claim: async (id, at) => {
        await yields();
        return await stores.interactions.claimInteraction(id, at);
      },
      clock,
      log,
      metrics: noMetrics,
      random: dice,
    }),
  );
  return { clock, stores, wallet, discord, routers, money, yields, lines, close: database.close };
};
