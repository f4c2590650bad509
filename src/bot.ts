import { setTimeout as pause } from "node:timers/promises";
import { commands } from "../commands/index.ts";
import type { Config } from "./config.ts";
import { createDiscordApi, type DiscordApi, fetchApplication } from "./discord/discord-api.ts";
import { createDiscordTime } from "./discord/discord-time.ts";
import { connectGateway, type Gateway } from "./discord/gateway.ts";
import { createInteractionLimits } from "./discord/interaction-limits.ts";
import { createInteractionRouter } from "./discord/interaction-router.ts";
import { createLiveReplies } from "./discord/live-replies.ts";
import { createPoster, type Poster } from "./discord/poster.ts";
import { registerCommands } from "./discord/register-commands.ts";
import { createResponder } from "./discord/responder.ts";
import { startHealth } from "./health/health.ts";
import { createJobs } from "./bot-jobs.ts";
import type { EveryMinute } from "./jobs/scheduler.ts";
import { createBotMoney, createServices } from "./bot-services.ts";
import { countByState } from "./services/money/money.ts";
import { type Clock, SECOND } from "./shared/time.ts";
import { exitCodes } from "./shared/errors.ts";
import type { Logger } from "./shared/log.ts";
import type { Random } from "./shared/random.ts";
import { openDatabase } from "./store/database.ts";
import { StoreError } from "./store/errors.ts";
import type { Storage } from "./store/storage-state.ts";
import { openStores, type Stores } from "./store/stores.ts";
import {
  type CommandIds,
  type MentionCommands,
  mentionCommands,
} from "./views/command-mentions.ts";
import { errorReply } from "./views/error.ts";
import type { Timers } from "./wallet/timers.ts";
import { createWalletClient } from "./wallet/client.ts";

/** What the process gives the bot. */
export interface BotHost {
  readonly clock: Clock;
  readonly everyMinute: EveryMinute;
  /** Replaces the database's clock where time is virtual. */
  readonly leaseClock?: Clock;
  /** Replace real time between calls of the wallet service where time is virtual. */
  readonly paceTimers?: Timers;
  readonly random: Random;
  readonly log: Logger;
  /** Shows the operator a sentence beside the log. */
  readonly say?: (sentence: string) => void;
  /** The bot cannot go on; the supervisor decides by the code. */
  readonly exit: (code: number, reason: string) => void;
}

/** Parts that a test may put something in front of. */
export interface Adapters {
  readonly poster: (real: Poster) => Poster;
  readonly ledger: (real: Stores["ledger"]) => Stores["ledger"];
}

export interface Bot {
  /** Commands registered, every shard connected, reports looked at. */
  readonly ready: Promise<void>;
  /** Does all that is owed at this instant. */
  readonly tick: () => Promise<void>;
  /** Finishes what is in flight, bounded, and lets go of everything. */
  readonly stop: () => Promise<void>;
}

/** Nobody is answered while a commit waits for the disk. A post whose settlement was not committed is looked for. */
const COMMIT_GAP_MS = 150;

/** Whoever waited for the bot to start is answered before it looks at thousands of accounts. */
const PEOPLE_FIRST_MS = 250;
/** What is owed needs no gateway. */
const JOBS_WITHIN_MS = 3 * SECOND;

/** When the jobs may begin. Never rejects. */
const afterPeople = async (connected: Promise<unknown>): Promise<void> => {
  const answered = connected.then(() => pause(PEOPLE_FIRST_MS));
  await Promise.race([answered.catch(() => {}), pause(JOBS_WITHIN_MS, undefined, { ref: false })]);
};

const unchanged = <Part>(part: Part): Part => part;

/** Gives the process up when another one has taken its database. */
const signOfLife =
  (storage: Pick<Storage, "stillAlive">, { exit }: BotHost): (() => Promise<void>) =>
  async () => {
    try {
      await storage.stillAlive();
    } catch (error) {
      if (error instanceof StoreError && error.kind === "database_in_use")
        exit(exitCodes.tryLater, error.message);
      throw error;
    }
  };

/**
 * Builds the bot and starts it. What starts gives its stop; they are called in reverse order.
 * @throws StoreError, DiscordApiError, NoAnswerError when it cannot start; nothing is left running then.
 */
export const startBot = async (
  config: Config,
  host: BotHost,
  adapters: Partial<Adapters> = {},
): Promise<Bot> => {
  const { clock, random, log } = host;
  await using starting = new AsyncDisposableStack();

  const database = await openDatabase(config.databaseUrl, host);
  starting.defer(database.close);
  const { masterKey, walletBaseUrl } = config;
  const opened = await openStores(database, masterKey, walletBaseUrl, random, COMMIT_GAP_MS);
  const stores = { ...opened, ledger: (adapters.ledger ?? unchanged)(opened.ledger) };

  let gateway: Gateway | undefined;
  let api: DiscordApi | undefined;
  const monotonicMs = (): number => performance.now();
  const time = createDiscordTime({ clock, log, monotonicMs, ask: async () => api?.askTime() });
  const health = await startHealth(config.http, log, {
    probeWrite: database.probeWrite,
    outboxAgeMs: () => stores.outbox.pendingAgeMs(clock.now()),
    shardStates: async () => (await gateway?.shardStates()) ?? {},
    recentInteractions: time.recent,
    withdrawals: () => countByState({ journal: stores.journal, clock }),
  });
  starting.defer(health.stop);
  const { metrics } = health;

  const wallet = createWalletClient({ baseUrl: config.walletBaseUrl, ...host, metrics });
  starting.defer(wallet.close);

  const { discordApiUrl: apiUrl, discordToken: token } = config;
  api = createDiscordApi({ apiUrl, token, log, observeDate: time.observe });
  starting.defer(api.close);
  const { applicationId, botUserId } = await fetchApplication(api);
  let commandIds: CommandIds = new Map();
  const mention: MentionCommands = (message) => mentionCommands(message, commandIds);
  const responder = createResponder({ apiUrl, observeDate: time.observe });
  starting.defer(responder.close);
  const poster = (adapters.poster ?? unchanged)(
    createPoster({ api, botUserId, log, mentionCommands: mention }),
  );
  starting.defer(async () => poster.close());

  const live = createLiveReplies({ respond: responder, monotonicMs, mentionCommands: mention });
  starting.defer(async () => live.stop());
  const money = createBotMoney({
    ...host,
    monotonicMs,
    stores,
    wallet,
    live,
    withdrawEnabled: config.withdrawEnabled,
    wake: () => {
      void jobs.wake();
      void jobs.follow();
    },
  });
  const stillAlive = signOfLife(database.storage, host);
  const { medAnswerUrl } = config;
  const jobs = createJobs({
    ...host,
    stores,
    wallet,
    poster,
    metrics,
    money,
    stillAlive,
    medAnswerUrl,
  });
  starting.defer(jobs.stop);
  database.onReturn(() => void jobs.tick());
  // A SQLite file is this process's alone, so what another left under way ended with it. Nobody is served yet.
  await money.sweep(database.dialect === "sqlite");
  const services = createServices({
    clock,
    monotonicMs,
    log,
    stores,
    wallet,
    money,
    medAnswerUrl,
    deliver: jobs.wake,
    guildName: poster.guildName,
  });
  const route = createInteractionRouter({
    commands,
    services,
    respond: responder,
    errorReply,
    claim: stores.interactions.claimInteraction,
    clock,
    log,
    metrics,
    random,
    time,
    live,
    mentionCommands: mention,
    pace: createInteractionLimits({ ...config.commandLimits, nowMs: monotonicMs }),
  });

  const registered = registerCommands({
    api,
    applicationId,
    definitions: commands.map(({ definition }) => definition),
  }).then(({ ids }) => {
    commandIds = ids;
  });
  gateway = connectGateway({
    api,
    token,
    clock,
    random,
    log,
    exit: host.exit,
    say: host.say,
    onSample: time.check,
    shards: config.shards,
    shardCount: config.shardCount,
    onInteraction: route,
    identifyBudget: stores.identifyBudget,
  });
  starting.defer(gateway.stop);
  void afterPeople(gateway.ready).then(jobs.start);

  const running = starting.move();
  return {
    ready: Promise.all([registered, gateway.ready]).then(() => undefined),
    tick: jobs.tick,
    stop: () => running.disposeAsync(),
  };
};
