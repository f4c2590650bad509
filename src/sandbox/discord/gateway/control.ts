import { GatewayOpcodes } from "discord-api-types/v10";
import type { Connection, Session, SessionStarts } from "./session.ts";
import type { DiscordState } from "../state.ts";

/** Ways in which a gateway misbehaves without closing anything. Each is off until set. */
interface GatewayMisbehaviour {
  /** RESUME is never answered, while heartbeats are. */
  readonly ignoreResume: boolean;
  /** IDENTIFY is never answered. */
  readonly ignoreIdentify: boolean;
  /** Heartbeats are not acknowledged: a zombie connection. */
  readonly ignoreHeartbeats: boolean;
  /** Events are not delivered; those of live sessions wait for a RESUME. */
  readonly holdEvents: boolean;
  /** READY comes this much later. */
  readonly readyDelayMs: number;
  /** So many IDENTIFYs are answered with op 9 (not resumable) before one is accepted. */
  readonly refuseIdentifies: number;
}

/** Ground truth and levers of the gateway. */
export interface GatewayControl {
  /** Open connections that have identified or resumed. */
  readonly connections: () => number;
  readonly identifyCount: () => number;
  readonly resumeCount: () => number;
  /** Intents of each accepted IDENTIFY, oldest first. */
  readonly intents: () => readonly number[];
  /** Closes every connection with this code; without one, by a reset of the socket. */
  readonly drop: (code?: number) => void;
  /** Op 7: asks every client to come back. */
  readonly askReconnect: () => void;
  /** Op 9; sessions are forgotten unless resumable. */
  readonly invalidate: (resumable: boolean) => void;
  readonly misbehave: (how: Partial<GatewayMisbehaviour>) => void;
  /** What `/gateway/bot` says is left of the day's session starts. */
  readonly setSessionStartsLeft: (remaining: number) => void;
}

export interface GatewayOptions {
  readonly guildCount: number;
  readonly recommendedShards: number;
  readonly heartbeatIntervalMs: number;
}

/** Sessions, open connections and counts: what the gateway's parts share. */
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

/** What tests and people pull to make the gateway fail. */
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
