import type { Connection } from "./connection.ts";
import type { GatewayMisbehaviour } from "./gateway-control.ts";
import type { Session } from "./session.ts";

export interface GatewayOptions {
  readonly guildCount: number;
  readonly recommendedShards: number;
  readonly heartbeatIntervalMs: number;
}

/** Sessions, open connections and counts: what the gateway's parts share. */
export interface GatewayRoom {
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

export const createGatewayRoom = (): GatewayRoom => {
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
