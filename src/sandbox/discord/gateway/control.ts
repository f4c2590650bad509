import { GatewayOpcodes } from "discord-api-types/v10";
import type { Connection, Session, SessionStarts } from "./session.ts";
import type { DiscordState } from "../state.ts";

/** Faults of a gateway that keeps its connections open, and the growth of the bot. All are off at first. */
interface GatewayMisbehaviour {
  /** RESUME gets no answer; heartbeats still do. */
  readonly ignoreResume: boolean;
  /** IDENTIFY gets no answer. */
  readonly ignoreIdentify: boolean;
  /** Heartbeats get no acknowledgement: a zombie connection. */
  readonly ignoreHeartbeats: boolean;
  /** Events are not sent; live sessions get them after a RESUME. */
  readonly holdEvents: boolean;
  /** Delay before READY. */
  readonly readyDelayMs: number;
  /** Number of IDENTIFYs that get op 9 (not resumable) before an IDENTIFY is accepted. */
  readonly refuseIdentifies: number;
  /** The bot's guilds need as many shards: an IDENTIFY for fewer is closed, and `/gateway/bot` recommends no fewer. */
  readonly leastShards: number;
}

/** State of the gateway and controls that make it fail. */
export interface GatewayControl {
  /** Open connections that have identified or resumed. */
  readonly connections: () => number;
  readonly identifyCount: () => number;
  readonly resumeCount: () => number;
  /** Intents of each accepted IDENTIFY, oldest first. */
  readonly intents: () => readonly number[];
  /** Closes every connection with this code; without a code, resets the sockets. */
  readonly drop: (code?: number) => void;
  /** Op 7: asks every client to reconnect. */
  readonly askReconnect: () => void;
  /** Op 9: invalidates sessions, and deletes them unless `resumable`. */
  readonly invalidate: (resumable: boolean) => void;
  readonly misbehave: (how: Partial<GatewayMisbehaviour>) => void;
  /** Sets the remaining session starts that `/gateway/bot` reports. */
  readonly setSessionStartsLeft: (remaining: number) => void;
}

export interface GatewayOptions {
  readonly guildCount: number;
  readonly recommendedShards: number;
  readonly heartbeatIntervalMs: number;
  /** Bits of the privileged intents that the application was granted. */
  readonly privilegedIntents: number;
}

/** Sessions, open connections and counters, shared by the gateway's files. */
export interface GatewayState {
  readonly sessions: Map<string, Session>;
  readonly connections: Set<Connection>;
  misbehaviour: GatewayMisbehaviour;
  identifyCount: number;
  resumeCount: number;
  readonly intents: number[];
  readonly connected: () => readonly Session[];
}

const wellBehaved: GatewayMisbehaviour = {
  ignoreResume: false,
  ignoreIdentify: false,
  ignoreHeartbeats: false,
  holdEvents: false,
  readyDelayMs: 0,
  refuseIdentifies: 0,
  leastShards: 0,
};

export const createGatewayState = (): GatewayState => {
  const sessions = new Map<string, Session>();
  return {
    sessions,
    connections: new Set(),
    misbehaviour: wellBehaved,
    identifyCount: 0,
    resumeCount: 0,
    intents: [],
    connected: () => [...sessions.values()].filter(({ connection }) => connection !== undefined),
  };
};

export const createGatewayControl = (
  gateway: GatewayState,
  starts: SessionStarts,
  state: DiscordState,
): GatewayControl => {
  const sendAll = (packet: object): void => {
    const text = JSON.stringify(packet);
    for (const connection of gateway.connections) connection.send(text);
  };
  return {
    connections: () => gateway.connected().length,
    identifyCount: () => gateway.identifyCount,
    resumeCount: () => gateway.resumeCount,
    intents: () => gateway.intents,
    drop: (code) => {
      for (const connection of gateway.connections) {
        if (code === undefined) connection.terminate();
        else connection.close(code);
      }
    },
    askReconnect: () => sendAll({ op: GatewayOpcodes.Reconnect, d: null }),
    invalidate: (resumable) => {
      sendAll({ op: GatewayOpcodes.InvalidSession, d: resumable });
      if (!resumable) gateway.sessions.clear();
      state.changed();
    },
    misbehave: (how) => {
      gateway.misbehaviour = { ...gateway.misbehaviour, ...how };
    },
    setSessionStartsLeft: starts.setLeft,
  };
};
