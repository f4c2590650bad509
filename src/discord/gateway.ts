import { setTimeout as pause } from "node:timers/promises";
import type { IdentifyBudgetStore } from "./gateway-records.store.ts";
import { type Clock, SECOND } from "../shared/time.ts";
import { exitCodes } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import type { Random } from "../shared/random.ts";
import type { Secret } from "../shared/secret.ts";
import { askForGateway, createIdentifyLimiter, realWait, type Wait } from "./identify-limiter.ts";
import { type DiscordApi, TOKEN_REFUSED } from "./discord-api.ts";
import {
  createGatewayShard,
  type GatewayShard,
  OUTGROWN,
  SAMPLE_MS,
  UNAUTHENTICATED,
} from "./gateway-shard.ts";

const GRACE_MS = 10 * SECOND;

const INVALID_SHARD = 4010;
/** Final closes that a setting ends, as sentences for the operator. The others are of the API's version and of intents. */
const closeReasons: Readonly<Record<number, string>> = {
  [UNAUTHENTICATED]: TOKEN_REFUSED,
  [INVALID_SHARD]: "Discord refuses the shards: SHARDS and SHARD_COUNT do not fit together.",
  [OUTGROWN]:
    "Discord asks for more shards: raise SHARD_COUNT and SHARDS, or leave both empty, and start again.",
};

export interface GatewayParts {
  readonly token: Secret;
  readonly api: Pick<DiscordApi, "json">;
  /** Gateway shards of this process; by default all that Discord recommends. */
  readonly shards?: readonly number[] | undefined;
  readonly shardCount?: number | undefined;
  /** Gets each raw interaction, with `performance.now()` of its arrival. Must not reject. */
  readonly onInteraction: (raw: unknown, receivedAt: number) => Promise<void>;
  readonly identifyBudget: IdentifyBudgetStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** The reason is a sentence for the operator. */
  readonly exit: (code: number, reason: string) => void;
  /** Prints a sentence for the operator, at any log level. */
  readonly say?: ((sentence: string) => void) | undefined;
  /** Called every 15 s with the check of the shards. */
  readonly onSample?: () => void;
  readonly wait?: Wait;
  /** Calls `sample` every 15 s with the milliseconds since the last call; the result stops it. */
  readonly every?: (sample: (elapsedMs: number) => void) => () => void;
}

export type Gateway = ReturnType<typeof connectGateway>;

/**
 * Keeps the bot connected to Discord's gateway. Calls `exit` for problems that it cannot fix: with 75 when a restart
 * helps, with 78 when a setting is wrong. Other messages of the gateway never end the process.
 */
export const connectGateway = (parts: GatewayParts) => {
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
    parts.onSample?.();
    for (const shard of shards) {
      const action = shard.sample(elapsedMs);
      if (action === "none") continue;
      log.error({ shard: shard.id, state: shard.state(), action }, "a shard is out of service");
      if (action === "reconnect") shard.beginAnew();
      if (action === "exit")
        exit(exitCodes.tryLater, `Shard ${shard.id} did not come back to Discord's gateway.`);
    }
  };

  const start = async (): Promise<void> => {
    const information = await askForGateway({ ...parts, wait, signal: stopping.signal });
    if (information === undefined) {
      exit(exitCodes.configuration, TOKEN_REFUSED);
      return;
    }
    const shardCount = parts.shardCount ?? information.shards;
    const ids = parts.shards ?? Array.from({ length: shardCount }, (_, id) => id);
    const identifyLimiter = createIdentifyLimiter({
      ...parts,
      information,
      shardCount,
      ownShards: ids,
      wait,
    });
    const token = parts.token.reveal();
    shards = ids.map((id) =>
      createGatewayShard({
        id,
        connection: { token, information, shardCount },
        identifyLimiter,
        onInteraction,
        onFatalClose: (code) => {
          // A new start asks Discord for the number of shards again.
          const mayGrow = code === OUTGROWN && parts.shardCount === undefined;
          const exitCode = mayGrow ? exitCodes.tryLater : exitCodes.configuration;
          exit(
            exitCode,
            closeReasons[code] ?? `Discord closed the gateway with ${code}: update the bot.`,
          );
        },
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
    exit(exitCodes.tryLater, "Discord's gateway could not be started.");
  });

  return {
    /** Every shard was Ready once. Stays pending when the process has to exit instead. */
    ready: ready.promise,
    /** Number of shards in each state: `idle`, `connecting`, `resuming`, `ready`, or `silent`. */
    shardStates: async () => {
      const counts: Record<string, number> = {};
      for (const shard of shards) {
        const state = shard.state();
        counts[state] = (counts[state] ?? 0) + 1;
      }
      return counts;
    },
    /** Refuses new interactions, gives those under way 10 s to end, and closes. */
    stop: async (): Promise<void> => {
      stopping.abort();
      stopWatching();
      await Promise.race([Promise.all(underWay), pause(GRACE_MS, undefined, { ref: false })]);
      await Promise.all(shards.map((shard) => shard.stop()));
    },
  };
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
