import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { GUILD } from "../../world.ts";
import {
  addEvent,
  createConnection,
  createSessionStarts,
  receivesGuild,
  isAlive,
} from "./session.ts";
import { createGatewayControl, createGatewayState, type GatewayOptions } from "./control.ts";
import { createGatewayProtocol } from "./protocol.ts";
import type { DiscordState } from "../state.ts";

export type Gateway = ReturnType<typeof createGateway>;

/** The gateway: connected clients and the events they receive. */
export const createGateway = (state: DiscordState, options: GatewayOptions) => {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const starts = createSessionStarts(state.clock);
  const gateway = createGatewayState();
  const openClient = createGatewayProtocol(state, gateway, starts, options);

  const accept = (socket: WebSocket, url: URL): void => {
    const connection = createConnection(socket, url.searchParams.get("compress") === "zlib-stream");
    if (url.searchParams.get("v") !== "10") {
      connection.close(4012, "Invalid API version");
      return;
    }
    if (url.searchParams.get("encoding") !== "json") {
      connection.close(4002, "Only JSON here");
      return;
    }
    const client = openClient(connection);
    socket.on("message", (data: Buffer) => client.receive(data.toString("utf8")));
    socket.on("close", (code) => client.disconnected(connection.closedWith ?? code));
    // The "close" event, which follows, handles a reset connection.
    socket.on("error", () => {});
  };

  return {
    guildCount: options.guildCount,
    get recommendedShards(): number {
      return Math.max(options.recommendedShards, gateway.misbehaviour.leastShards);
    },
    starts,
    control: createGatewayControl(gateway, state),
    /** Whether a client that receives the main guild is connected. */
    online: (): boolean => gateway.connected().some((session) => receivesGuild(session, GUILD.id)),
    /**
     * Sends an event of a guild, or of direct messages, to sessions with at least one of `intents` (0: all sessions).
     * Returns false if no session can receive it, now or after a RESUME.
     */
    dispatch: (
      guildId: string | undefined,
      intents: number,
      type: string,
      data: unknown,
    ): boolean => {
      let delivered = false;
      for (const session of gateway.sessions.values()) {
        if (!isAlive(session, performance.now())) {
          gateway.sessions.delete(session.id);
          continue;
        }
        if (!receivesGuild(session, guildId)) continue;
        if (intents !== 0 && (session.intents & intents) === 0) continue;
        addEvent(session, type, data);
        delivered = true;
      }
      return delivered;
    },
    upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
      const url = new URL(request.url ?? "/", "ws://localhost");
      if (!/^\/gateway\/?$/.test(url.pathname)) {
        socket.destroy();
        return;
      }
      server.handleUpgrade(request, socket, head, (accepted) => accept(accepted, url));
    },
    stop: (): void => {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
};
