import { MINUTE, SECOND } from "../shared/time.ts";

export const SAMPLE_MS = 15 * SECOND;
/** Upper bound of one sample: a sleeping machine or a blocked loop is no outage of the shard. */
const LONGEST_SAMPLE_MS = 2 * SAMPLE_MS;
/** Two and a half of Discord's heartbeat intervals. */
const SILENCE_MS = 2.5 * 41_250;
const NOT_READY_MS = MINUTE;
const HOPELESS_MS = 3 * MINUTE;

export type ShardState = "idle" | "connecting" | "resuming" | "ready";

export interface ShardHealth {
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
export const isSilent = ({ silentMs }: Pick<ShardHealth, "silentMs">): boolean =>
  silentMs >= SILENCE_MS;

/** Token, shards, version or intents are wrong, and a restart cannot fix that. Source: "Gateway Close Event Codes". */
export const isFatalClose = (code: number): boolean =>
  code === 4004 || (code >= 4010 && code <= 4014);
