import { setTimeout as pause } from "node:timers/promises";
import { Encoding, type FetchingStrategyOptions } from "@discordjs/ws";
import type { APIGatewayBotInfo } from "discord-api-types/v10";
import type { Clock } from "../shared/clock.ts";
import { SECOND } from "../shared/duration.ts";
import type { Logger } from "../shared/log.ts";
import type { Random } from "../shared/random.ts";
import type { Secret } from "../shared/secret.ts";
import { askAgainDelayMs } from "./connect-plan.ts";
import { DiscordApiError, type DiscordApi } from "./discord-api.ts";
import { parseGatewayInformation } from "./gateway-information.ts";
import { createGatewayShard, type GatewayShard } from "./gateway-shard.ts";
import { createStartGate, type IdentifyBudget, type Wait } from "./start-gate.ts";
import { SAMPLE_MS } from "./watchdog-plan.ts";

/** EX_TEMPFAIL: a supervisor starts the process again. */
const EXIT_TRY_AGAIN = 75;
/** EX_CONFIG: somebody has to change a setting first. */
const EXIT_CONFIGURATION = 78;
const CLOSE_WITHIN_MS = 2 * SECOND;
/** Discord sends what we ask for and nothing else; interactions come without asking. */
const NO_INTENTS = 0;

export interface GatewayParts {
  readonly token: Secret;
  readonly api: Pick<DiscordApi, "json">;
  /** Gateway shards of this process; all that Discord recommends by default. */
  readonly shards?: readonly number[] | undefined;
  readonly shardCount?: number | undefined;
  /** Gets each interaction as it came, with `performance.now()` of its arrival. Must not reject. */
  readonly onInteraction: (raw: unknown, receivedAt: number) => Promise<void>;
  readonly identifyBudget: IdentifyBudget;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly exit: (code: number, reason: string) => void;
  readonly wait?: Wait;
  /** Calls `sample` with the milliseconds since the last call, every 15 s, until its result is called. */
  readonly every?: (sample: (elapsedMs: number) => void) => () => void;
}

export interface Gateway {
  /** Every shard was Ready once. Stays pending when the process has to exit instead. */
  readonly ready: Promise<void>;
  /** How many shards are in each state: `idle`, `connecting`, `resuming`, `ready`, or `silent` (a zombie). */
  readonly shardStates: () => Promise<Readonly<Record<string, number>>>;
  /** Takes no more interactions, lets those that are under way end within `graceMs`, and closes. */
  readonly stop: (graceMs?: number) => Promise<void>;
}

/**
 * Keeps the bot connected to Discord's gateway. What cannot mend itself ends in `exit`: 75 when a restart helps, 78
 * when a setting is wrong. Nothing that the gateway sends ends the process otherwise.
 */
export const connectGateway = (parts: GatewayParts): Gateway => {
  const { log, exit, wait = realWait, every = realEvery } = parts;
  const stopping = new AbortController();
  const ready = Promise.withResolvers<void>();
  const underWay = new Set<Promise<void>>();
  let shards: readonly GatewayShard[] = [];
  let stopWatching = (): void => {};

  const onInteraction = (raw: unknown): void => {
    if (stopping.signal.aborted) return;
    const served = parts.onInteraction(raw, performance.now());
    underWay.add(served);
    void served.finally(() => underWay.delete(served));
  };

  const watch = (elapsedMs: number): void => {
    for (const [index, shard] of shards.entries()) {
      const action = shard.sample(elapsedMs);
      if (action === "none") continue;
      log.error({ shard: index, state: shard.state(), action }, "a shard is out of service");
      if (action === "reconnect") shard.beginAnew();
      if (action === "exit") exit(EXIT_TRY_AGAIN, "a gateway shard did not come back");
    }
  };

  const start = async (): Promise<void> => {
    const information = await askForGateway(parts, wait, stopping.signal);
    if (information === undefined) return;
    const shardCount = parts.shardCount ?? information.shards;
    const ids = parts.shards ?? Array.from({ length: shardCount }, (_, id) => id);
    const gate = createStartGate({
      ...parts,
      information,
      shardCount,
      ownShards: ids.length,
      wait,
    });
    const options = strategyOptions(parts.token, information, shardCount);
    shards = ids.map((id) =>
      createGatewayShard({
        id,
        options,
        gate,
        onInteraction,
        onFatalClose: (code) => exit(EXIT_CONFIGURATION, `Discord closed the gateway with ${code}`),
        random: parts.random,
        log,
        wait,
      }),
    );
    stopWatching = every(watch);
    for (const shard of shards) shard.connect();
    await Promise.all(shards.map((shard) => shard.ready));
    ready.resolve();
  };

  start().catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    log.error({ err: error }, "the gateway could not be started");
    exit(EXIT_TRY_AGAIN, "the gateway could not be started");
  });

  return {
    ready: ready.promise,
    shardStates: async () => {
      const counts: Record<string, number> = {};
      for (const shard of shards) {
        const state = shard.state();
        counts[state] = (counts[state] ?? 0) + 1;
      }
      return counts;
    },
    stop: async (graceMs = 0) => {
      stopping.abort();
      stopWatching();
      await Promise.race([Promise.all(underWay), pause(graceMs, undefined, { ref: false })]);
      // A peer that does not answer the closing handshake is not worth half a minute.
      const closed = Promise.all(shards.map((shard) => shard.stop()));
      await Promise.race([closed, pause(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    },
  };
};

/** Undefined after `exit`: the token is not valid. Rejects only when the signal aborts. */
const askForGateway = async (
  { api, log, exit }: GatewayParts,
  wait: Wait,
  signal: AbortSignal,
): Promise<APIGatewayBotInfo | undefined> => {
  for (let failures = 1; ; failures++) {
    let failure: { readonly status?: number; readonly code?: number | undefined } = {};
    try {
      const information = parseGatewayInformation(await api.json("GET", "/gateway/bot"));
      if (information !== undefined) return information;
      log.warn("Discord's answer names no gateway");
    } catch (error) {
      log.warn({ err: error }, "Discord does not say where its gateway is");
      if (error instanceof DiscordApiError) failure = error;
    }
    const delayMs = askAgainDelayMs(failure, failures);
    if (delayMs === undefined) {
      exit(EXIT_CONFIGURATION, "Discord does not accept the bot's token");
      return undefined;
    }
    await wait(delayMs, signal);
  }
};

const strategyOptions = (
  token: Secret,
  gatewayInformation: APIGatewayBotInfo,
  shardCount: number,
): FetchingStrategyOptions => ({
  token: token.reveal(),
  gatewayInformation,
  shardCount,
  intents: NO_INTENTS,
  version: "10",
  encoding: Encoding.JSON,
  compression: null,
  useIdentifyCompression: false,
  identifyProperties: { os: process.platform, browser: "balcao", device: "balcao" },
  initialPresence: null,
  largeThreshold: null,
  handshakeTimeout: 15 * SECOND,
  helloTimeout: 20 * SECOND,
  readyTimeout: 15 * SECOND,
});

const realWait: Wait = async (ms, signal) => {
  await pause(ms, undefined, { signal });
};

const realEvery = (sample: (elapsedMs: number) => void): (() => void) => {
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    sample(now - last);
    last = now;
  }, SAMPLE_MS);
  timer.unref();
  return () => clearInterval(timer);
};
