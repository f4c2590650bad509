import type { GatewayControl } from "./gateway-control.ts";
import type { GatewayRoom } from "./gateway-room.ts";
import type { SessionStarts } from "./session-starts.ts";
import type { DiscordState } from "./state.ts";

const RECONNECT = 7;
const INVALID_SESSION = 9;

/** What tests and people pull to make the gateway fail. */
export const createGatewayControl = (
  room: GatewayRoom,
  starts: SessionStarts,
  state: DiscordState,
): GatewayControl => {
  const sendAll = (packet: object): void => {
    const text = JSON.stringify(packet);
    for (const connection of room.connections) connection.send(text);
  };
  return {
    connections: () => room.connected().length,
    identifyCount: () => room.identifyCount,
    resumeCount: () => room.resumeCount,
    intents: () => room.intents,
    drop: (code) => {
      for (const connection of room.connections) {
        if (code === undefined) connection.terminate();
        else connection.close(code);
      }
    },
    askReconnect: () => sendAll({ op: RECONNECT, d: null }),
    invalidate: (resumable) => {
      sendAll({ op: INVALID_SESSION, d: resumable });
      if (!resumable) room.sessions.clear();
      state.changed();
    },
    misbehave: (how) => {
      room.misbehaviour = { ...room.misbehaviour, ...how };
    },
    setSessionStartsLeft: starts.setLeft,
  };
};
