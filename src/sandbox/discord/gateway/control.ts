import { GatewayOpcodes } from "discord-api-types/v10";
import type { Connection, Session } from "./session.ts";
import type { DiscordState } from "../state.ts";

export interface GatewayOptions {
  readonly guildCount: number;
  readonly recommendedShards: number;
}

export type GatewayState = ReturnType<typeof createGatewayState>;

/** Sessions, open connections and counters, shared by the gateway's files. */
export const createGatewayState = () => {
  const sessions = new Map<string, Session>();
  return {
    sessions,
    connections: new Set<Connection>(),
    misbehaviour: {
      /** IDENTIFY and RESUME get no answer; heartbeats still do. */
      ignoreLogins: false,
      /** The bot's guilds need as many shards: an IDENTIFY for fewer is closed, and `/gateway/bot` recommends no fewer. */
      leastShards: 0,
    },
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
  misbehave: (how: Partial<GatewayState["misbehaviour"]>): void => {
    Object.assign(gateway.misbehaviour, how);
  },
});
