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
import { MINUTE, reconnectDelayMs, SECOND } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import type { Random } from "../shared/random.ts";
import type { IdentifyLimiter, Wait } from "./identify-limiter.ts";

/** A peer without an answer to the closing handshake is cut off after this time; the library would wait for 30 s. */
const CLOSE_WITHIN_MS = 2 * SECOND;
const INTERACTION_CREATE = "INTERACTION_CREATE";
const STATES: readonly ShardState[] = ["idle", "connecting", "resuming", "ready"];

interface GatewayShardParts {
  readonly id: number;
  readonly connection: ShardConnection;
  readonly identifyLimiter: IdentifyLimiter;
  readonly onInteraction: (raw: unknown) => void;
  /** Discord closed with a code that a reconnect cannot fix. */
  readonly onFatalClose: (code: number) => void;
  readonly random: Random;
  readonly log: Logger;
  readonly wait: Wait;
}

export type GatewayShard = ReturnType<typeof createGatewayShard>;

/** One gateway connection of `@discordjs/ws`, with its session, waits and health. */
export const createGatewayShard = (parts: GatewayShardParts) => {
  const { id, identifyLimiter, random, log, wait } = parts;
  const ready = Promise.withResolvers<void>();
  const stopping = new AbortController();
  let session: SessionInfo | null = null;
  /** Since the last HELLO. */
  let isLineBroken = false;
  /** Connections since the watchdog saw the shard Ready. */
  let failures = 0;
  let held = false;
  let acknowledged = false;
  let health = FRESH_HEALTH;

  /** Runs before each connection, with the shard idle. Never settles once the shard is stopped. */
  const beforeConnecting = async (): Promise<void> => {
    try {
      const delayMs = reconnectDelayMs(failures++, random.fraction());
      if (delayMs > 0) await wait(delayMs, stopping.signal);
      held = session === null;
      if (held) await identifyLimiter.budget(id, stopping.signal);
      held = false;
      stopping.signal.throwIfAborted();
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      // Any answer, even an error, would make the library open a connection.
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
        // After a socket error the library drops the session, whose own address may be gone: the first one takes RESUMEs too.
        const resumeURL = parts.connection.information.url;
        session =
          info === null && isLineBroken && session !== null ? { ...session, resumeURL } : info;
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
    .on(WebSocketShardEvents.Hello, () => {
      isLineBroken = false;
    })
    .on(WebSocketShardEvents.SocketError, (err) => {
      // An error while resuming may come of the RESUME itself: the next session is a new one.
      isLineBroken = state() !== "resuming";
      log.warn({ err, shard: id }, "socket error");
    });

  return {
    id,
    ready: ready.promise,
    connect: (): void => {
      // Rejects when the first connection has an error event; the shard logs it and goes on by itself.
      shard.connect().catch(() => {});
    },
    /** `silent`: Ready, but without answers to heartbeats. */
    state: () => (state() === "ready" && isSilent(health) ? "silent" : state()),
    sample: (elapsedMs: number): WatchdogAction => {
      // Not at Ready: a session that Discord ends right after each RESUME has not come back.
      if (state() === "ready") failures = 0;
      const watched = watchShard(health, { elapsedMs, state: state(), acknowledged, held });
      acknowledged = false;
      health = watched.health;
      return watched.action;
    },
    beginAnew: (): void => {
      void shard.destroy({
        reason: "RESUME was not answered",
        recover: WebSocketShardDestroyRecovery.Reconnect,
      });
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      const { connection } = internalsOf(shard);
      const closed = new Promise((resolve) => connection?.on("close", resolve));
      // A shard that waits for HELLO or READY destroys itself once more, and the first call then never hears of the close.
      await Promise.race([shard.destroy({ reason: "Stopping" }), closed]);
      // One that is still being made has no closing handshake.
      internalsOf(shard).connection?.terminate();
    },
  };
};

/** Interactions come without intents, and the bot needs no other event. */
const NO_INTENTS = 0;

interface ShardConnection {
  readonly token: string;
  readonly information: APIGatewayBotInfo;
  /** All shards of the bot, of every process. */
  readonly shardCount: number;
}

/** Options of the connection. Compression is off: there is little to compress, and it costs CPU. */
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

/** Methods that the package starts without awaiting them: a rejection would end the process. */
const UNWATCHED = ["onMessage", "onClose", "internalConnect", "destroy", "heartbeat"] as const;

type Method = (...args: unknown[]) => Promise<unknown>;

interface Socket {
  readonly on: (event: "error" | "close", listener: (value?: unknown) => void) => void;
  readonly terminate: () => void;
}

type Internals = Record<(typeof UNWATCHED)[number], Method> & {
  readonly connection: Socket | null;
};

const internalsOf = (shard: WebSocketShard): Internals => shard as unknown as Internals;

const endSocket = (connection: Socket | null): void => {
  // `destroy` removes the listeners of a socket that may still fail; without a listener the error would be thrown.
  connection?.on("error", () => {});
  setTimeout(() => connection?.terminate(), CLOSE_WITHIN_MS).unref();
};

/**
 * Catches errors inside a shard, from a malformed frame for example. The watchdog finds a shard that lost its
 * connection by one. `@discordjs/ws` 2.0.4 has no public way to catch them; its issue discordjs/discord.js#9103 mended
 * a single case.
 */
const guardShard = (shard: WebSocketShard, log: Logger): void => {
  const internals = internalsOf(shard);
  for (const name of UNWATCHED) {
    const method = internals[name].bind(shard);
    internals[name] = async (...args) => {
      if (name === "destroy") endSocket(internals.connection);
      try {
        return await method(...args);
      } catch (error) {
        log.error({ err: error, shard: shard.id, in: name }, "a shard failed inside");
        return undefined;
      }
    };
  }
};

export const SAMPLE_MS = 15 * SECOND;
/** Upper bound of one sample: a sleeping machine or a blocked loop is no outage of the shard. */
const LONGEST_SAMPLE_MS = 2 * SAMPLE_MS;
/** Two and a half of Discord's heartbeat intervals. */
const SILENCE_MS = 2.5 * 41_250;
const NOT_READY_MS = MINUTE;
const HOPELESS_MS = 3 * MINUTE;

type ShardState = "idle" | "connecting" | "resuming" | "ready";

interface ShardHealth {
  readonly wasReady: boolean;
  /** Time since the shard was Ready, without time in which the bot held it back. */
  readonly notReadyMs: number;
  /** Time for which a Ready shard has had no answer to heartbeats. */
  readonly silentMs: number;
  readonly reported: boolean;
}

export interface ShardSample {
  readonly elapsedMs: number;
  readonly state: ShardState;
  readonly acknowledged: boolean;
  /** The bot holds the shard back, to save session starts. */
  readonly held: boolean;
}

/**
 * - `warn`: an outage, reported once.
 * - `reconnect`: Discord does not answer a RESUME, and the library would wait for ever: begin a new session.
 * - `exit`: only a restart can help.
 */
export type WatchdogAction = "none" | "warn" | "reconnect" | "exit";

export const FRESH_HEALTH: ShardHealth = {
  wasReady: false,
  notReadyMs: 0,
  silentMs: 0,
  reported: false,
};

export const READY_HEALTH: ShardHealth = { ...FRESH_HEALTH, wasReady: true };

/** Takes one sample. Before the first Ready, the library's own timeouts apply. */
export const watchShard = (
  before: ShardHealth,
  sample: ShardSample,
): { readonly health: ShardHealth; readonly action: WatchdogAction } => {
  const { state, held, acknowledged } = sample;
  const ready = state === "ready";
  const elapsedMs = Math.min(sample.elapsedMs, LONGEST_SAMPLE_MS);
  const health = {
    wasReady: before.wasReady || ready,
    notReadyMs: ready ? 0 : before.notReadyMs + (held ? 0 : elapsedMs),
    silentMs: !ready || acknowledged ? 0 : before.silentMs + elapsedMs,
  };
  if (!health.wasReady) return { health: FRESH_HEALTH, action: "none" };
  if (Math.max(health.notReadyMs, health.silentMs) >= HOPELESS_MS)
    return { health: { ...health, reported: true }, action: "exit" };

  const outage = health.notReadyMs >= NOT_READY_MS || isSilent(health);
  const recovered = ready && health.silentMs === 0;
  const reported = outage || (before.reported && !recovered);
  if (!outage || before.reported) return { health: { ...health, reported }, action: "none" };
  return { health: { ...health, reported }, action: state === "resuming" ? "reconnect" : "warn" };
};

/** Ready, but without answers to heartbeats: the connection is dead. */
const isSilent = ({ silentMs }: Pick<ShardHealth, "silentMs">): boolean => silentMs >= SILENCE_MS;

/** Sharding required: the bot is in too many guilds for its number of shards. Source: "Gateway Close Event Codes". */
export const OUTGROWN = 4011;
/** Authentication failed: the token is not the bot's. */
export const UNAUTHENTICATED = 4004;

/** Token, shards, version or intents are wrong, and a reconnect cannot fix that. */
export const isFatalClose = (code: number): boolean =>
  code === UNAUTHENTICATED || (code >= 4010 && code <= 4014);
