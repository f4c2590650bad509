import { setTimeout as pause } from "node:timers/promises";
import { buttonSets, commands } from "../commands/index.ts";
import { cardFiles } from "./charges/charge-cards.job.ts";
import {
  createPictureMaker,
  createPictureThread,
  MOST_FOR_POSTS,
} from "./reports/picture/make-picture.ts";
import { chartFiles } from "./reports/picture/post-picture.ts";
import { type Config, ownTurns, placeOf, publicHostOf, shareOf } from "./config.ts";
import { createDiscordApi, type DiscordApi, fetchApplication } from "./discord/discord-api.ts";
import { createDiscordTime } from "./discord/discord-time.ts";
import { connectGateway, type Gateway } from "./discord/gateway.ts";
import { realWait } from "./discord/identify-limiter.ts";
import { createInteractionLimits } from "./discord/interaction-limits.ts";
import { createInteractionRouter } from "./discord/interaction-router.ts";
import { createLiveReplies } from "./discord/live-replies.ts";
import { createPoster, type Poster } from "./discord/poster.ts";
import { keepRegistered } from "./discord/register-commands.ts";
import { createResponder } from "./discord/responder.ts";
import { requirePort, startHealth } from "./health/health.ts";
import { createJobs, liveStateOf } from "./bot-jobs.ts";
import type { EveryMinute } from "./scheduler/scheduler.job.ts";
import { createServices } from "./bot-services.ts";
import { countByState, createBotMoney } from "./bot-money.ts";
import { type Clock, SECOND } from "./shared/time.ts";
import { exitCodes } from "./shared/errors.ts";
import type { Logger } from "./shared/log.ts";
import type { Random } from "./shared/random.ts";
import { openDatabase } from "./database/database.ts";
import { parseKeyRing } from "./database/encryption.ts";
import { lackingKeys } from "./database/key-rotation.ts";
import { isPostgres } from "./database/queries.ts";
import { storageProblem } from "./shared/store-errors.ts";
import { openStores, type Stores } from "./stores.ts";
import { type CommandIds, type MentionCommands, mentionCommands } from "./ui/command-mentions.ts";
import { errorReply } from "./help/error.view.ts";
import { systemTimers, type Timers, waitBy } from "./wallet/timers.ts";
import { createCalls } from "./webhooks/calls.service.ts";
import { callSubjects } from "./webhooks/call-trust.ts";
import { WEBHOOK_PATH } from "./webhooks/webhook.ts";
import { createWalletClient } from "./wallet/client.ts";

export interface BotHost {
  readonly clock: Clock;
  readonly everyMinute: EveryMinute;
  /** Replaces the database's clock where time is virtual. */
  readonly leaseClock?: Clock;
  /** Replaces the timers between wallet calls, and between commits, where time is virtual. */
  readonly paceTimers?: Timers;
  readonly random: Random;
  readonly log: Logger;
  /** Prints a sentence for the operator, at any log level. */
  readonly say?: (sentence: string) => void;
  /** Ends the process; the code tells the supervisor whether a restart helps. The reason is a sentence for the operator. */
  readonly exit: (code: number, reason: string) => void;
}

/** Wrappers that tests put around parts of the bot. */
export interface Adapters {
  readonly poster: (real: Poster) => Poster;
  readonly ledger: (real: Stores["ledger"]) => Stores["ledger"];
}

export interface Bot {
  /** Commands are registered, as far as Discord could say so, and every shard is connected. */
  readonly ready: Promise<void>;
  readonly tick: () => Promise<void>;
  /** Finishes work in flight, within time limits, and closes everything. */
  readonly stop: () => Promise<void>;
}

/**
 * Gap between group commits, because a commit blocks all answers while it waits for the disk. After a crash, a post with
 * an uncommitted settlement is found by the history search.
 */
const COMMIT_GAP_MS = 150;
/** After a kept day: in the minute of the reports each reader waits for it before the next seller. */
const AWAITED_GAP_MS = 15;

/** Waiting commands are answered before jobs look at thousands of accounts. */
const PEOPLE_FIRST_MS = 250;
/** Jobs start after this time even without a gateway: deliveries do not need it. */
const JOBS_WITHIN_MS = 3 * SECOND;

/** Resolves when jobs may start. Never rejects. */
const afterPeople = async (connected: Promise<unknown>): Promise<void> => {
  const answered = connected.then(() => pause(PEOPLE_FIRST_MS));
  await Promise.race([answered.catch(() => {}), pause(JOBS_WITHIN_MS, undefined, { ref: false })]);
};

/** Sentences for the operator of a bot whose database needs these keys as well. */
const lacksKeys = (lacking: Awaited<ReturnType<typeof lackingKeys>>): string => {
  const kids = new Set(lacking.map(({ kid }) => kid));
  const labels = new Set(lacking.map(({ label }) => label));
  return (
    `The key ring (MASTER_KEY) lacks a key that a part of this database is sealed with (${[...kids].join(", ")}): the bot cannot ` +
    `read that part (${[...labels].join(", ")}). Where an account is named, commands of its seller fail and no MED of theirs is ` +
    "watched. Stop the bot, add the line to the ring again, and start; if the key is lost, have these sellers connect again by " +
    "/conta conectar: the other parts stay unreadable."
  );
};

const unchanged = <Part>(part: Part): Part => part;

/** Exits when another process has taken the database, or its file is damaged. */
const leaveOnFailure =
  ({ exit }: BotHost) =>
  (error: unknown): void => {
    const problem = storageProblem(error);
    if (problem?.kind === "database_in_use") exit(exitCodes.tryLater, `${problem.message}.`);
    if (problem?.kind === "corrupt_database") exit(exitCodes.configuration, `${problem.message}.`);
  };

/**
 * Builds the bot and starts it. Each part registers its stop; stops run in reverse order.
 * @throws StoreError, PortError, DiscordApiError, NoAnswerError when the bot cannot start; started parts are stopped
 * first.
 */
export const startBot = async (
  config: Config,
  host: BotHost,
  adapters: Partial<Adapters> = {},
): Promise<Bot> => {
  const { clock, random, log } = host;
  await using starting = new AsyncDisposableStack();

  const onFailure = leaveOnFailure(host);
  // A process that has the port may be an older version, which would go on over changed tables. SQLite's file has a lock.
  if (!config.databaseUrl.startsWith("sqlite:")) await requirePort(config.http);
  const database = await openDatabase(config.databaseUrl, {
    ...host,
    sqlite: { onDamage: onFailure },
  });
  starting.defer(database.close);
  const { stillAlive } = database.storage;
  const { masterKey, walletBaseUrl } = config;
  const timers = host.paceTimers ?? systemTimers;
  const commitGap = (isAwaited: boolean) =>
    waitBy(timers, isAwaited ? AWAITED_GAP_MS : COMMIT_GAP_MS);
  const opened = await openStores(database, masterKey, walletBaseUrl, random, commitGap);
  const lacking = await lackingKeys(database.db, parseKeyRing(masterKey.reveal()));
  if (lacking.length > 0) host.say?.(lacksKeys(lacking));
  const stores = { ...opened, ledger: (adapters.ledger ?? unchanged)(opened.ledger) };

  let gateway: Gateway | undefined;
  let api: DiscordApi | undefined;
  const monotonicMs = (): number => performance.now();
  const time = createDiscordTime({
    clock,
    log,
    say: host.say,
    monotonicMs,
    ask: async () => api?.askTime(),
  });
  const { publicUrl } = config;
  const health = await startHealth(
    config.http,
    log,
    {
      probeWrite: async () => {
        await stillAlive();
        await database.probeWrite();
      },
      outboxAgeMs: () => stores.outbox.pendingAgeMs(clock.now()),
      shardStates: async () => (await gateway?.shardStates()) ?? {},
      recentInteractions: time.recent,
      withdrawals: () => countByState({ journal: stores.journal, clock }),
      slowedPolls: () => calls.countTrusted(),
    },
    publicUrl === undefined
      ? undefined
      : {
          path: WEBHOOK_PATH,
          publicHost: publicHostOf(publicUrl),
          isOpen: () => calls.isOpen(),
          receive: (token) => calls.receive(token),
        },
  );
  starting.defer(health.stop);
  const { metrics } = health;
  const calls = createCalls({
    clock,
    timers,
    random,
    log,
    metrics,
    webhooks: stores.webhooks,
    hashes: stores.vault.webhook,
  });
  if (publicUrl !== undefined) await calls.refresh();

  const wallet = createWalletClient({ baseUrl: config.walletBaseUrl, ...host, metrics });
  starting.defer(wallet.close);

  const { discordApiUrl: apiUrl, discordToken: token } = config;
  const share = shareOf(config);
  api = createDiscordApi({ apiUrl, token, log, observeDate: time.observe, share });
  starting.defer(api.close);
  const { applicationId, botUserId } = await fetchApplication(api);
  let commandIds: CommandIds = new Map();
  const mention: MentionCommands = (message) => mentionCommands(message, commandIds);
  const responder = createResponder({ apiUrl, observeDate: time.observe });
  starting.defer(responder.close);
  const pictures = createPictureThread();
  const drawnChart = chartFiles(createPictureMaker(pictures.run, MOST_FOR_POSTS), log);
  const poster = (adapters.poster ?? unchanged)(
    createPoster({
      api,
      botUserId,
      log,
      filesOf: async (post) => [...(await cardFiles(post)), ...(await drawnChart(post))],
      mentionCommands: mention,
    }),
  );
  starting.defer(async () => poster.close());

  const live = createLiveReplies({
    respond: responder,
    monotonicMs,
    mentionCommands: mention,
    stateOf: share < 1 ? liveStateOf(stores) : undefined,
  });
  starting.defer(async () => live.stop());
  const money = createBotMoney({
    ...host,
    monotonicMs,
    stores,
    wallet,
    live,
    withdrawEnabled: config.withdrawEnabled,
    refundEnabled: config.refundEnabled,
    wake: () => {
      void jobs.wake();
      void jobs.run("withdrawals");
    },
  });
  const { medAnswerUrl } = config;
  const jobs = createJobs({
    ...host,
    stores,
    wallet,
    poster,
    live,
    metrics,
    money,
    onFailure,
    stillAlive,
    releaseMemory: database.releaseMemory,
    beginPictures: pictures.begin,
    medAnswerUrl,
    share,
    place: placeOf(config),
    isOwnTurn: ownTurns(config),
    calls: publicUrl === undefined ? undefined : calls,
  });
  starting.defer(jobs.stop);
  database.onReturn(() => void jobs.tick());
  // Only one process uses a SQLite file, so operations that an earlier process left under way are over.
  const isAlone = !isPostgres(database.db);
  await money.sweep(isAlone);
  if (isAlone) await stores.saleWatches.release();
  const services = createServices({
    clock,
    random,
    monotonicMs,
    log,
    stores,
    wallet,
    money,
    medAnswerUrl,
    publicUrl,
    calls: callSubjects.map(calls.about),
    deliver: jobs.wake,
    pause: (ms) => waitBy(timers, ms),
    followCharges: () => jobs.run("charges"),
    lookAtSales: () => void jobs.run("sales"),
    guildName: jobs.guildName,
    askPresence: poster.askPresence,
  });
  const route = createInteractionRouter({
    commands,
    buttonSets,
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
    seen: services.accounts.confirmPresence,
    pace: createInteractionLimits({ ...config.commandLimits, nowMs: monotonicMs }),
  });

  const stopping = new AbortController();
  starting.defer(async () => stopping.abort());
  const registered = keepRegistered({
    api,
    applicationId,
    definitions: commands.map(({ definition }) => definition),
    onIds: (ids) => {
      commandIds = ids;
    },
    log,
    wait: realWait,
    signal: stopping.signal,
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
  calls.open(jobs.lookNow, jobs.lookSoon);
  // The first stop: a call that is taken after it would be lost.
  starting.defer(async () => calls.stop());
  void afterPeople(gateway.ready).then(jobs.start).then(calls.lookAtTrusted);

  const running = starting.move();
  return {
    ready: Promise.all([registered, gateway.ready]).then(() => undefined),
    tick: jobs.tick,
    stop: () => running.disposeAsync(),
  };
};
