import { constants, createDeflate } from "node:zlib";
import { setTimeout as wait } from "node:timers/promises";
import { GatewayIntentBits } from "discord-api-types/v10";
import type { WebSocket } from "ws";
import { type Clock, DAY, MINUTE } from "../../../shared/time.ts";
import { extraGuild, extraGuildIds, mainGuild, shardOf } from "../guilds.ts";
import { APPLICATION, GUILD } from "../../world.ts";
import { botUser } from "../api-objects.ts";
import { type DiscordState, gatewayUrl } from "../state.ts";

/** One gateway connection. */
export interface Connection {
  /** Sends serialised packets in the order of the calls. */
  readonly send: (packet: string) => void;
  readonly close: (code: number, reason?: string) => void;
  /** Breaks the connection without a closing handshake. */
  readonly terminate: () => void;
  /** Bytes in the send buffer. */
  readonly waiting: () => number;
  /** The close code that this server sent; undefined while open, or after the client closed the connection. */
  closedWith: number | undefined;
}

/** One zlib stream for the whole connection, flushed after each packet: Discord's `compress=zlib-stream`. */
const compressedSender = (socket: WebSocket): ((packet: string) => void) => {
  const deflate = createDeflate({ flush: constants.Z_SYNC_FLUSH });
  const parts: Buffer[] = [];
  deflate.on("data", (part: Buffer) => parts.push(part));
  return (packet) => {
    deflate.write(packet, () => {
      if (socket.readyState === socket.OPEN) socket.send(Buffer.concat(parts.splice(0)));
    });
  };
};

export const createConnection = (socket: WebSocket, compressed: boolean): Connection => {
  const send = compressed ? compressedSender(socket) : (packet: string) => socket.send(packet);
  const connection: Connection = {
    closedWith: undefined,
    send: (packet) => {
      if (socket.readyState === socket.OPEN) send(packet);
    },
    close: (code, reason) => {
      connection.closedWith = code;
      socket.close(code, reason);
    },
    terminate: () => socket.terminate(),
    waiting: () => socket.bufferedAmount,
  };
  return connection;
};

/** How long, in real time, a disconnected session can be resumed. */
const RESUMABLE_MS = 3 * MINUTE;
const EVENTS_KEPT = 1_000;

/** A client's session, which outlives its connection for as long as a RESUME is possible. */
export interface Session {
  readonly id: string;
  readonly intents: number;
  readonly shardId: number;
  readonly shardCount: number;
  sequence: number;
  /** Serialised events that a RESUME may have to send again. */
  readonly sent: { readonly sequence: number; readonly packet: string }[];
  connection: Connection | undefined;
  disconnectedAtMs: number;
}

/** Whether this session receives events of this guild. Direct messages (undefined) belong to shard 0. */
export const receivesGuild = (session: Session, guildId: string | undefined): boolean =>
  session.shardId === (guildId === undefined ? 0 : shardOf(guildId, session.shardCount));

/** Whether the client is connected or may still resume. */
export const isAlive = (session: Session, nowMs: number): boolean =>
  session.connection !== undefined || nowMs - session.disconnectedAtMs < RESUMABLE_MS;

/** Sends an event of the session, and keeps it for a RESUME unless told otherwise. */
export const addEvent = (session: Session, type: string, data: unknown, isKept = true): void => {
  session.sequence++;
  const packet = JSON.stringify({ op: 0, t: type, s: session.sequence, d: data });
  if (isKept) {
    session.sent.push({ sequence: session.sequence, packet });
    if (session.sent.length > EVENTS_KEPT) session.sent.shift();
  }
  session.connection?.send(packet);
};

/** Drops the kept events that the client has acknowledged. */
export const forgetSeen = (session: Session, sequence: number): void => {
  while ((session.sent[0]?.sequence ?? Infinity) <= sequence) session.sent.shift();
};

/** Sends the kept events after `sequence` again, oldest first. */
export const replay = (session: Session, sequence: number): void => {
  for (const event of session.sent) {
    if (event.sequence > sequence) session.connection?.send(event.packet);
  }
};

/** Limit of the socket's send buffer; the next guild is serialised only below it. */
const BACKLOG_BYTES = 4 * 1_024 * 1_024;

/** Sends READY, then GUILD_CREATE for each guild if the client has the guilds intent. */
export const sendReady = async (
  state: DiscordState,
  session: Session,
  guildCount: number,
): Promise<void> => {
  const extra = extraGuildIds(guildCount).filter((id) => receivesGuild(session, id));
  const hasMain = receivesGuild(session, GUILD.id);
  const guilds = [...(hasMain ? [GUILD.id] : []), ...extra];
  const ready = {
    v: 10,
    user: { ...botUser, verified: true, mfa_enabled: false, email: null, bio: "" },
    guilds: guilds.map((id) => ({ id, unavailable: true })),
    session_id: session.id,
    resume_gateway_url: gatewayUrl(state),
    shard: [session.shardId, session.shardCount],
    application: { id: APPLICATION.id, flags: 0 },
    session_type: "normal",
    private_channels: [],
    relationships: [],
    presences: [],
    guild_join_requests: [],
    user_settings: {},
    auth: {},
    geo_ordered_rtc_regions: [],
    _trace: [],
  };
  addEvent(session, "READY", ready, false);
  if ((session.intents & GatewayIntentBits.Guilds) === 0) return;
  if (hasMain) addEvent(session, "GUILD_CREATE", mainGuild(state));
  for (const id of extra) {
    if (session.connection === undefined) return;
    addEvent(session, "GUILD_CREATE", extraGuild(state, id), false);
    while ((session.connection?.waiting() ?? 0) > BACKLOG_BYTES) await wait(1);
  }
};

const STARTS_A_DAY = 1_000;
/** IDENTIFYs allowed in 5 seconds; the value of a large bot, so that many shards start quickly. */
const MAX_CONCURRENCY = 16;

export type SessionStarts = ReturnType<typeof createSessionStarts>;

/** The application's daily session starts. Source: Discord's reference, "Session Start Limit". */
export const createSessionStarts = (clock: Clock) => {
  let remaining = STARTS_A_DAY;
  let endsAtMs = clock.now().epochMilliseconds + DAY;

  const renew = (): number => {
    const nowMs = clock.now().epochMilliseconds;
    if (nowMs >= endsAtMs) {
      remaining = STARTS_A_DAY;
      endsAtMs = nowMs + DAY;
    }
    return nowMs;
  };

  return {
    /** Takes a session start; false if the day's limit is reached. */
    spend: (): boolean => {
      renew();
      if (remaining === 0) return false;
      remaining--;
      return true;
    },
    /** `session_start_limit` of `/gateway/bot`. */
    limit: (): object => {
      const nowMs = renew();
      return {
        total: STARTS_A_DAY,
        remaining,
        reset_after: endsAtMs - nowMs,
        max_concurrency: MAX_CONCURRENCY,
      };
    },
  };
};
