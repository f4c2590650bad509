import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { APPLICATION } from "#src/sandbox/world.ts";
import type { Json, Running } from "./running.ts";

export interface Packet {
  readonly op: number;
  readonly t?: string;
  readonly s?: number;
  readonly d: Json;
}

/** A passive gateway client: each test decides which packets to send, and reads the answers in order. */
export interface GatewayClient {
  readonly send: (op: number, d: unknown) => void;
  readonly next: () => Promise<Packet>;
  /** Waits for the next matching packet and drops those before it. */
  readonly until: (fits: (packet: Packet) => boolean) => Promise<Packet>;
  readonly closed: Promise<number>;
  readonly close: (code: number) => void;
  /** Passes all further packets to the listener instead of `next`. */
  readonly listen: (listener: (packet: Packet) => void) => void;
}

export const openGateway = async (
  { discord }: Running,
  query = "v=10&encoding=json",
): Promise<GatewayClient> => {
  const socket = new WebSocket(`ws://127.0.0.1:${discord.port}/gateway?${query}`);
  const packets: Packet[] = [];
  let listener = (packet: Packet): void => {
    packets.push(packet);
    wake.resolve();
    wake = Promise.withResolvers<void>();
  };
  let wake = Promise.withResolvers<void>();
  socket.on("message", (data: Buffer) => listener(JSON.parse(data.toString()) as Packet));
  const closed = new Promise<number>((resolve) => {
    socket.on("close", resolve);
  });
  onTestFinished(() => socket.terminate());
  await new Promise((resolve, reject) => {
    socket.on("open", resolve);
    socket.on("error", reject);
  });

  const next = async (): Promise<Packet> => {
    while (packets.length === 0) await wake.promise;
    return packets.shift() as Packet;
  };

  return {
    send: (op, d) => socket.send(JSON.stringify({ op, d })),
    next,
    until: async (fits) => {
      for (;;) {
        const packet = await next();
        if (fits(packet)) return packet;
      }
    },
    closed,
    close: (code) => socket.close(code),
    listen: (given) => {
      for (const packet of packets.splice(0)) given(packet);
      listener = given;
    },
  };
};

export const identity = (intents = 0, more: object = {}): object => ({
  token: APPLICATION.token,
  intents,
  properties: { os: "linux", browser: "test", device: "test" },
  ...more,
});

export const identified = async (
  running: Running,
  intents = 0,
): Promise<GatewayClient & { readonly ready: Packet }> => {
  const client = await openGateway(running);
  await client.next();
  client.send(2, identity(intents));
  return { ...client, ready: await client.next() };
};
