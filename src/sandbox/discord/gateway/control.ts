import { GatewayOpcodes } from "discord-api-types/v10";
import type { Connection, Session } from "./session.ts";
import type { DiscordState } from "../state.ts";

/** A fault of a gateway that keeps its connections open, and the growth of the bot. Both are off at first. */
interface GatewayMisbehaviour {
  /** IDENTIFY and RESUME get no answer; heartbeats still do. */
  readonly ignoreLogins: boolean;
  /** The bot's guilds need as many shards: an IDENTIFY for fewer is closed, and `/gateway/bot` recommends no fewer. */
  readonly leastShards: number;
}

export interface GatewayOptions {
  readonly guildCount: number;
  readonly recommendedShards: number;
}

/** Sessions, open connections and counters, shared by the gateway's files. */
export interface GatewayState {
  readonly sessions: Map<string, Session>;
  readonly connections: Set<Connection>;
  misbehaviour: GatewayMisbehaviour;
  identifyCount: number;
  resumeCount: number;
  readonly connected: () => readonly Session[];
}

export const createGatewayState = (): GatewayState => {
  const sessions = new Map<string, Session>();
  return {
    sessions,
    connections: new Set(),
    misbehaviour: { ignoreLogins: false, leastShards: 0 },
    identifyCount: 0,
    resumeCount: 0,
    connected: () => [...sessions.values()].filter(({ connection }) => connection !== undefined),
  };
};

/** State of the gateway and controls that make it fail. */
export const createGatewayControl = (gateway: GatewayState, state: DiscordState) => ({
  /** Open connections that have identified or resumed. */
  connections: () => gateway.connected().length,
  identifyCount: () => gateway.identifyCount,
  resumeCount: () => gateway.resumeCount,
  /** Closes every connection with this code; without a code, resets the sockets. */
  drop: (code?: number): void => {
    for (const connection of gateway.connections) {
      if (code === undefined) connection.terminate();
      else connection.close(code);
    }
  },
  /** Op 9: deletes all sessions. */
  invalidate: (): void => {
    const packet = JSON.stringify({ op: GatewayOpcodes.InvalidSession, d: false });
    for (const connection of gateway.connections) connection.send(packet);
    gateway.sessions.clear();
    state.changed();
  },
  misbehave: (how: Partial<GatewayMisbehaviour>): void => {
    gateway.misbehaviour = { ...gateway.misbehaviour, ...how };
  },
});
