import { setTimeout as pause } from "node:timers/promises";
import {
  Encoding,
  type FetchingStrategyOptions,
  type SessionInfo,
  WebSocketShard,
  WebSocketShardDestroyRecovery,
  WebSocketShardEvents,
  WebSocketShardStatus,
} from "@discordjs/ws";
import type { APIGatewayBotInfo } from "discord-api-types/v10";
import { reconnectDelayMs, SECOND } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import type { Random } from "../shared/random.ts";
import type { IdentifyLimiter, Wait } from "./identify-limiter.ts";
import {
  FRESH_HEALTH,
  isFatalClose,
  isSilent,
  READY_HEALTH,
  type ShardState,
  type WatchdogAction,
  watchShard,
} from "./shard-watchdog.ts";

/** A peer that does not answer the closing handshake is not worth half a minute. */
const CLOSE_WITHIN_MS = 2 * SECOND;
const INTERACTION_CREATE = "INTERACTION_CREATE";
const STATES: readonly ShardState[] = ["idle", "connecting", "resuming", "ready"];

interface GatewayShardParts {
  readonly id: number;
  readonly connection: ShardConnection;
  readonly identifyLimiter: IdentifyLimiter;
  readonly onInteraction: (raw: unknown) => void;
  /** Discord closed with a code that no restart mends. */
  readonly onFatalClose: (code: number) => void;
  readonly random: Random;
  readonly log: Logger;
  readonly wait: Wait;
}

export interface GatewayShard {
  /** Ready for the first time. */
  readonly ready: Promise<void>;
  readonly connect: () => void;
  /** A Ready shard whose heartbeats are not answered is `silent`. */
  readonly state: () => ShardState | "silent";
  /** @param elapsedMs since the last sample. */
  readonly sample: (elapsedMs: number) => WatchdogAction;
  readonly beginAnew: () => void;
  readonly stop: () => Promise<void>;
}

/** One connection to the gateway, kept by `@discordjs/ws`: its session, its waits and its health. */
export const createGatewayShard = (parts: GatewayShardParts): GatewayShard => {
  const { id, identifyLimiter, random, log, wait } = parts;
  const ready = Promise.withResolvers<void>();
  const stopping = new AbortController();
  let session: SessionInfo | null = null;
  let failures = 0;
  let held = false;
  let acknowledged = false;
  let health = FRESH_HEALTH;

  /** Called with the shard idle, before each connection is opened. Never settles once the shard is stopped. */
  const beforeConnecting = async (): Promise<void> => {
    try {
      const delayMs = reconnectDelayMs(failures++, random.fraction());
      if (delayMs > 0) await wait(delayMs, stopping.signal);
      held = session === null;
      if (held) await identifyLimiter.budget(stopping.signal);
      held = false;
      stopping.signal.throwIfAborted();
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      // The library would open a connection whatever we answered.
      await new Promise(() => {});
    }
  };

  const shard = new WebSocketShard(
    {
      options: shardOptions(parts.connection),
      retrieveSessionInfo: async () => {
        if (shard.status === WebSocketShardStatus.Idle) await beforeConnecting();
        return session;
      },
      updateSessionInfo: (_, info) => {
        session = info;
      },
      waitForIdentify: async (_, signal) => {
        held = true;
        try {
          await identifyLimiter.turn(id, AbortSignal.any([signal, stopping.signal]));
        } finally {
          held = false;
        }
      },
    },
    id,
  );
  guardShard(shard, log);

  const state = (): ShardState => STATES[shard.status] ?? "idle";
  const connected = (how: string): void => {
    failures = 0;
    health = READY_HEALTH;
    log.info({ shard: id }, how);
    ready.resolve();
  };

  shard
    .on(WebSocketShardEvents.Dispatch, (payload) => {
      const name: string = payload.t;
      if (name === INTERACTION_CREATE) parts.onInteraction(payload.d);
    })
    .on(WebSocketShardEvents.HeartbeatComplete, () => {
      acknowledged = true;
    })
    .on(WebSocketShardEvents.Ready, () => connected("shard ready"))
    .on(WebSocketShardEvents.Resumed, () => connected("shard resumed"))
    .on(WebSocketShardEvents.Closed, (code) => {
      log.info({ shard: id, code }, "shard closed");
      if (isFatalClose(code)) parts.onFatalClose(code);
    })
    .on(WebSocketShardEvents.Error, (err) => log.warn({ err, shard: id }, "shard error"))
    .on(WebSocketShardEvents.SocketError, (err) => log.warn({ err, shard: id }, "socket error"));

  return {
    ready: ready.promise,
    connect: () => {
      // Rejects when the first connection meets an error event; those are logged, and the shard goes on by itself.
      shard.connect().catch(() => {});
    },
    state: () => (state() === "ready" && isSilent(health) ? "silent" : state()),
    sample: (elapsedMs) => {
      const watched = watchShard(health, { elapsedMs, state: state(), acknowledged, held });
      acknowledged = false;
      health = watched.health;
      return watched.action;
    },
    beginAnew: () => {
      void shard.destroy({
        reason: "RESUME was not answered",
        recover: WebSocketShardDestroyRecovery.Reconnect,
      });
    },
    stop: async () => {
      stopping.abort();
      const destroyed = shard.destroy({ reason: "Stopping" });
      await Promise.race([destroyed, pause(CLOSE_WITHIN_MS, undefined, { ref: false })]);
      terminateSocket(shard);
    },
  };
};

/** Discord sends what we ask for and nothing else; interactions come without asking. */
const NO_INTENTS = 0;

interface ShardConnection {
  readonly token: string;
  readonly information: APIGatewayBotInfo;
  /** All shards of the bot, of every process. */
  readonly shardCount: number;
}

/** How a shard connects and introduces itself. Without compression: there is little to compress and CPU to save. */
const shardOptions = (connection: ShardConnection): FetchingStrategyOptions => ({
  token: connection.token,
  gatewayInformation: connection.information,
  shardCount: connection.shardCount,
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

/** Methods that the package starts without waiting for them: a rejection would end the process. */
const UNWATCHED = ["onMessage", "onClose", "internalConnect", "destroy", "heartbeat"] as const;

type Method = (...args: unknown[]) => Promise<unknown>;

interface Socket {
  readonly on: (event: "error", listener: () => void) => void;
  readonly terminate: () => void;
}

type Internals = Record<(typeof UNWATCHED)[number], Method> & {
  readonly connection: Socket | null;
};

const internalsOf = (shard: WebSocketShard): Internals => shard as unknown as Internals;

/**
 * Keeps what goes wrong inside a shard there, a malformed frame for example. A shard that is left without a connection
 * by it is found by the watchdog.
 */
const guardShard = (shard: WebSocketShard, log: Logger): void => {
  const internals = internalsOf(shard);
  for (const name of UNWATCHED) {
    const method = internals[name].bind(shard);
    internals[name] = async (...args) => {
      // Whoever destroys a shard takes the listeners off a socket that may still fail, which would be thrown then.
      if (name === "destroy") internals.connection?.on("error", () => {});
      try {
        return await method(...args);
      } catch (error) {
        log.error({ err: error, shard: shard.id, in: name }, "a shard failed inside");
        return undefined;
      }
    };
  }
};

/** Closes what a destroyed shard may have left open: a connection that was being made, or a peer that does not answer. */
const terminateSocket = (shard: WebSocketShard): void => {
  internalsOf(shard).connection?.terminate();
};
