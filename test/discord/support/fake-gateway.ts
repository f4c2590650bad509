import { EventEmitter, once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";

const HELLO = 10;
const ACK = 11;
const HEARTBEAT = 1;
const IDENTIFY = 2;
const RESUME = 6;

interface GatewayConduct {
  readonly heartbeatMs?: number;
  /** By default this gateway's own address. */
  readonly resumeUrl?: string;
  /** Replaces READY. */
  readonly onIdentify?: "ignore" | "invalid_session" | { readonly close: number };
  /** Replaces RESUMED. `broken`: a frame that no client takes; `replay` sends these events first. */
  readonly onResume?:
    | "ignore"
    | "invalid_session"
    | "broken"
    | { readonly replay: readonly object[] };
  /** `mute`: answers nothing any more, a closing handshake neither. */
  readonly onHeartbeat?: "ignore" | "mute";
}

export interface Received {
  readonly op: number;
  readonly d: unknown;
}

/** Discord's gateway on a real socket; `conduct` sets its behaviour. */
export interface FakeGateway {
  readonly url: string;
  readonly received: readonly Received[];
  conduct: GatewayConduct;
  /** The `count`-th packet with this op, past or future. */
  readonly packet: (op: number, count?: number) => Promise<Received>;
  readonly counted: (op: number) => number;
  readonly dispatch: (event: string, data: unknown) => void;
  /** Sends raw text to every client. */
  readonly say: (text: string) => void;
  readonly closeAll: (code: number) => void;
  /** Drops the connections without a closing handshake, like a network failure. */
  readonly cut: () => void;
  readonly stop: () => Promise<void>;
}

export const op = { heartbeat: HEARTBEAT, identify: IDENTIFY, resume: RESUME } as const;

export const startFakeGateway = async (port = 0): Promise<FakeGateway> => {
  const server = new WebSocketServer({ port, host: "127.0.0.1" });
  await once(server, "listening");
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const events = new EventEmitter().setMaxListeners(0);
  const received: Received[] = [];
  let sequence = 0;

  const send = (socket: WebSocket, packet: object): void => socket.send(JSON.stringify(packet));
  const event = (socket: WebSocket, t: string, d: unknown): void =>
    send(socket, { op: 0, t, s: ++sequence, d });

  const identify = (socket: WebSocket): void => {
    const { onIdentify, resumeUrl: resume_gateway_url = url } = gateway.conduct;
    if (onIdentify === "ignore") return;
    if (onIdentify === "invalid_session") send(socket, { op: 9, d: false });
    else if (onIdentify !== undefined) socket.close(onIdentify.close);
    else event(socket, "READY", { session_id: "session", resume_gateway_url, guilds: [] });
  };

  const sockets = new WeakMap<WebSocket, Socket>();

  const resume = (socket: WebSocket): void => {
    const { onResume } = gateway.conduct;
    if (onResume === "ignore") return;
    if (onResume === "invalid_session") return send(socket, { op: 9, d: false });
    if (onResume === "broken") return void sockets.get(socket)?.write(Buffer.from("ff00", "hex"));
    for (const missed of onResume?.replay ?? []) event(socket, "INTERACTION_CREATE", missed);
    event(socket, "RESUMED", {});
  };

  const heartbeat = (socket: WebSocket): void => {
    const { onHeartbeat } = gateway.conduct;
    if (onHeartbeat === "mute") socket.pause();
    else if (onHeartbeat !== "ignore") send(socket, { op: ACK });
  };

  server.on("connection", (socket, request) => {
    sockets.set(socket, request.socket);
    send(socket, { op: HELLO, d: { heartbeat_interval: gateway.conduct.heartbeatMs ?? 41_250 } });
    socket.on("message", (data) => {
      const packet = JSON.parse((data as Buffer).toString("utf8")) as Received;
      received.push(packet);
      if (packet.op === IDENTIFY) identify(socket);
      if (packet.op === RESUME) resume(socket);
      if (packet.op === HEARTBEAT) heartbeat(socket);
      events.emit("change");
    });
  });

  const counted = (wanted: number): number =>
    received.filter((packet) => packet.op === wanted).length;
  const gateway: FakeGateway = {
    url,
    received,
    conduct: {},
    packet: async (wanted, count = 1) => {
      for (;;) {
        const found = received.filter((packet) => packet.op === wanted)[count - 1];
        if (found !== undefined) return found;
        await once(events, "change");
      }
    },
    counted,
    dispatch: (name, data) => server.clients.forEach((socket) => event(socket, name, data)),
    say: (text) => server.clients.forEach((socket) => socket.send(text)),
    closeAll: (code) => server.clients.forEach((socket) => socket.close(code)),
    cut: () => server.clients.forEach((socket) => socket.terminate()),
    stop: async () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
      await once(server, "close");
    },
  };
  return gateway;
};
