import { GatewayIntentBits, GatewayOpcodes } from "discord-api-types/v10";
import {
  addEvent,
  type Connection,
  forgetSeen,
  isAlive,
  replay,
  sendReady,
  type Session,
  type SessionStarts,
} from "./session.ts";
import type { GatewayOptions, GatewayState } from "./control.ts";
import type { DiscordState } from "../state.ts";
import { APPLICATION } from "../../world.ts";
import { isRecord } from "../limits/checks.ts";

/** Close codes that end the session. Source: Discord's reference, "Gateway Close Event Codes". */
const ENDING_CODES = new Set([1000, 1001, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014]);

/** Further opcodes that an identified client may send, without an effect here. */
const SERVED = new Set<unknown>([GatewayOpcodes.PresenceUpdate, GatewayOpcodes.VoiceStateUpdate]);

/** In milliseconds, as at Discord. */
const HEARTBEAT_INTERVAL = 41_250;

/** Bits of all existing intents. Source: Discord's reference, "List of Intents". */
const KNOWN_INTENTS = 0b11_0001_1111_1111_1111_1111_1111;

const PRIVILEGED_INTENTS =
  GatewayIntentBits.GuildMembers |
  GatewayIntentBits.GuildPresences |
  GatewayIntentBits.MessageContent;

interface GatewayClient {
  readonly receive: (text: string) => void;
  readonly disconnected: (code: number) => void;
}

/** Serves a connection: sends HELLO, then answers the client's packets. */
export const createGatewayProtocol =
  (state: DiscordState, gateway: GatewayState, starts: SessionStarts, options: GatewayOptions) =>
  (connection: Connection): GatewayClient => {
    let session: Session | undefined;
    const send = (op: number, d: unknown): void => connection.send(JSON.stringify({ op, d }));

    /** False for a refused IDENTIFY. */
    const admit = ({ token, intents, shardId, shardCount }: Identify): boolean => {
      const refuse = (code: number, reason: string): false => {
        connection.close(code, reason);
        return false;
      };
      if (token !== APPLICATION.token) return refuse(4004, "Authentication failed.");
      gateway.identifyCount++;
      if (!starts.spend()) return refuse(4004, "Authentication failed.");
      if (shardId < 0 || shardId >= shardCount) return refuse(4010, "Invalid shard.");
      if (shardCount < gateway.misbehaviour.leastShards) return refuse(4011, "Sharding required.");
      if ((intents & ~KNOWN_INTENTS) !== 0) return refuse(4013, "Invalid intent(s).");
      if ((intents & PRIVILEGED_INTENTS) !== 0) return refuse(4014, "Disallowed intent(s).");
      return true;
    };

    const start = (identify: Identify): void => {
      if (session !== undefined) {
        connection.close(4005, "Already authenticated.");
        return;
      }
      if (gateway.misbehaviour.ignoreLogins) return;
      if (!admit(identify)) return;
      const { intents, shardId, shardCount } = identify;
      const created: Session = {
        id: state.newId(),
        intents,
        shardId,
        shardCount,
        sequence: 0,
        sent: [],
        connection,
        disconnectedAtMs: 0,
      };
      session = created;
      gateway.sessions.set(created.id, created);
      state.changed();
      void sendReady(state, created, options.guildCount);
    };

    const resume = ({ token, sessionId, sequence }: Resume): void => {
      gateway.resumeCount++;
      if (gateway.misbehaviour.ignoreLogins) return;
      if (token !== APPLICATION.token) {
        connection.close(4004, "Authentication failed.");
        return;
      }
      const found = gateway.sessions.get(sessionId);
      if (found === undefined || !isAlive(found, performance.now())) {
        send(GatewayOpcodes.InvalidSession, false);
        return;
      }
      if (!(sequence <= found.sequence)) {
        connection.close(4007, "Invalid seq.");
        return;
      }
      found.connection?.close(4000, "Resumed elsewhere.");
      found.connection = connection;
      session = found;
      replay(found, sequence);
      addEvent(found, "RESUMED", {}, false);
      state.changed();
    };

    const heartbeat = (sequence: unknown): void => {
      if (session !== undefined && typeof sequence === "number") forgetSeen(session, sequence);
      send(GatewayOpcodes.HeartbeatAck, null);
    };

    gateway.connections.add(connection);
    send(GatewayOpcodes.Hello, { heartbeat_interval: HEARTBEAT_INTERVAL });

    return {
      receive: (text) => {
        const packet = parsePacket(text);
        const { op, d } = packet ?? {};
        if (packet === undefined) connection.close(4002, "Decode error.");
        else if (op === GatewayOpcodes.Heartbeat) heartbeat(d);
        else if (op === GatewayOpcodes.Identify) start(parseIdentify(d));
        else if (op === GatewayOpcodes.Resume) resume(parseResume(d));
        else if (!SERVED.has(op)) connection.close(4001, "Unknown opcode.");
        else if (session === undefined) connection.close(4003, "Not authenticated.");
      },
      disconnected: (code) => {
        gateway.connections.delete(connection);
        if (session === undefined || session.connection !== connection) return;
        session.connection = undefined;
        session.disconnectedAtMs = performance.now();
        if (ENDING_CODES.has(code)) gateway.sessions.delete(session.id);
        state.changed();
      },
    };
  };

type Identify = ReturnType<typeof parseIdentify>;
type Resume = ReturnType<typeof parseResume>;

/** Undefined for text that is not a JSON object. */
const parsePacket = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const packet: unknown = JSON.parse(text);
    return isRecord(packet) ? packet : undefined;
  } catch {
    return undefined;
  }
};

const fieldsOf = (data: unknown): Readonly<Record<string, unknown>> => (isRecord(data) ? data : {});

/** Replaces malformed fields with values that the gateway refuses. */
const parseIdentify = (data: unknown) => {
  const { token, intents, shard } = fieldsOf(data);
  const [id, count] = Array.isArray(shard) ? (shard as unknown[]) : [0, 1];
  return {
    token: String(token),
    intents: Number.isInteger(intents) ? Number(intents) : -1,
    shardId: Number(id),
    shardCount: Number(count),
  };
};

const parseResume = (data: unknown) => {
  const { token, session_id: sessionId, seq } = fieldsOf(data);
  return { token: String(token), sessionId: String(sessionId), sequence: Number(seq) };
};
