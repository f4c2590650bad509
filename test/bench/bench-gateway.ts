import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type RawData, type WebSocket } from "ws";
import { BOTS, type BenchBot, type BotName } from "./bench-world.ts";
import { guildId, guildWriter } from "./guild-payload.ts";

const HELLO = 10;
const HEARTBEAT = 1;
const IDENTIFY = 2;
const RESUME = 6;
const GUILDS_INTENT = 1;
const HEARTBEAT_INTERVAL_MS = 41_250;
const GUILDS_BETWEEN_PAUSES = 50;
const MOST_BUFFERED_BYTES = 8_000_000;

export interface BenchGateway {
  readonly url: string;
  readonly setGuilds: (count: number) => void;
  readonly ready: (name: BotName) => Promise<void>;
  /** Resolves when the bot has received READY, before or after its guilds. */
  readonly identified: (name: BotName) => Promise<void>;
  /** `data` is already JSON. */
  readonly dispatch: (name: BotName, event: string, data: string) => void;
}

interface Session {
  socket: WebSocket | undefined;
  sequence: number;
  identified: PromiseWithResolvers<void>;
  ready: PromiseWithResolvers<void>;
}

/** A minimal Discord gateway: login and event dispatch. */
export const startBenchGateway = async (): Promise<BenchGateway> => {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
  await once(server, "listening");
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sessions: Record<BotName, Session> = { ours: newSession(), yardstick: newSession() };
  let guilds = 0;

  const write = (session: Session, event: string, data: string): void =>
    session.socket?.send(`{"op":0,"s":${++session.sequence},"t":"${event}","d":${data}}`);

  const identify = async (socket: WebSocket, data: Identify): Promise<void> => {
    const bot = Object.values(BOTS).find(({ token }) => token === data.token);
    if (bot === undefined) return socket.close(4004);
    const session = sessions[bot.name];
    session.socket = socket;
    session.sequence = 0;
    write(session, "READY", JSON.stringify(ready(bot, url, guilds)));
    session.identified.resolve();
    if ((data.intents & GUILDS_INTENT) !== 0) await writeGuilds(session, bot, guilds);
    session.ready.resolve();
  };
  const writeGuilds = async (session: Session, bot: BenchBot, count: number): Promise<void> => {
    const guild = guildWriter(bot.applicationId);
    for (let index = 0; index < count; index++) {
      write(session, "GUILD_CREATE", guild(index));
      if (index % GUILDS_BETWEEN_PAUSES !== 0) continue;
      do await new Promise(setImmediate);
      while ((session.socket?.bufferedAmount ?? 0) > MOST_BUFFERED_BYTES);
    }
  };

  server.on("connection", (socket) => {
    socket.send(`{"op":${HELLO},"d":{"heartbeat_interval":${HEARTBEAT_INTERVAL_MS}}}`);
    socket.on("message", (raw: RawData) => {
      const { op, d } = JSON.parse(textOf(raw)) as { op: number; d: Identify };
      if (op === HEARTBEAT) socket.send('{"op":11}');
      if (op === RESUME) socket.send('{"op":9,"d":false}');
      if (op === IDENTIFY) void identify(socket, d);
    });
    socket.on("close", () => {
      for (const [name, session] of Object.entries(sessions))
        if (session.socket === socket) sessions[name as BotName] = newSession();
    });
    // Bots are killed between measurements.
    socket.on("error", () => socket.terminate());
  });

  return {
    url,
    setGuilds: (count) => {
      guilds = count;
    },
    ready: (name) => sessions[name].ready.promise,
    identified: (name) => sessions[name].identified.promise,
    dispatch: (name, event, data) => write(sessions[name], event, data),
  };
};

interface Identify {
  readonly token: string;
  readonly intents: number;
}

const textOf = (raw: RawData): string =>
  raw instanceof Buffer ? raw.toString("utf8") : Buffer.concat(raw as Buffer[]).toString("utf8");

const newSession = (): Session => ({
  socket: undefined,
  sequence: 0,
  identified: Promise.withResolvers(),
  ready: Promise.withResolvers(),
});

const ready = (bot: BenchBot, url: string, guilds: number) => ({
  v: 10,
  user: {
    id: bot.applicationId,
    username: "balcao",
    discriminator: "0000",
    global_name: null,
    avatar: null,
    bot: true,
    mfa_enabled: false,
    verified: true,
    email: null,
    flags: 0,
  },
  guilds: Array.from({ length: guilds }, (_, index) => ({ id: guildId(index), unavailable: true })),
  session_id: `bench-${bot.name}`,
  resume_gateway_url: url,
  session_type: "normal",
  private_channels: [],
  relationships: [],
  presences: [],
  user_settings: {},
  geo_ordered_rtc_regions: [],
  shard: [0, 1],
  application: { id: bot.applicationId, flags: 0 },
});
