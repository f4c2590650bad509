import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createDiscordApi, type DiscordApi } from "#src/discord/discord-api.ts";
import { Secret } from "#src/shared/secret.ts";
import { recordingLog } from "./parts.ts";

export interface RestRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** Parsed JSON; undefined for other content. */
  readonly body: unknown;
  readonly bytes: Buffer;
}

export interface RestAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Sends the headers only. */
  readonly stall?: boolean;
}

/** `reset` and `hang` happen after the whole request was read. */
export type RestConduct = RestAnswer | "reset" | "hang";

/** A Discord REST API made of one function, on a real socket, with faults on demand. */
export interface FakeRest {
  /** Includes the base path, without the version. */
  readonly apiUrl: string;
  readonly requests: readonly RestRequest[];
  /** The first matching request, past or future; rejects with a list of the other requests when the test times out. */
  readonly request: (fits: (request: RestRequest) => boolean) => Promise<RestRequest>;
  readonly answer: (conduct: (request: RestRequest) => RestConduct | Promise<RestConduct>) => void;
  readonly connections: () => number;
  readonly stop: () => Promise<void>;
}

const NO_CONTENT: RestAnswer = { status: 204 };

export const startFakeRest = async (): Promise<FakeRest> => {
  const requests: RestRequest[] = [];
  const arrivals = new EventEmitter().setMaxListeners(0);
  let connections = 0;
  let conductOf: (request: RestRequest) => RestConduct | Promise<RestConduct> = () => NO_CONTENT;

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const isForm = incoming.headers["content-type"]?.startsWith("multipart/") === true;
    const request: RestRequest = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      headers: incoming.headers,
      body: bytes.length === 0 || isForm ? undefined : JSON.parse(bytes.toString("utf8")),
      bytes,
    };
    requests.push(request);
    arrivals.emit("request", request);
    const conduct = await conductOf(request);
    if (conduct === "hang") return;
    if (conduct === "reset") {
      incoming.socket.resetAndDestroy();
      return;
    }
    const { status, headers = {}, body, stall = false } = conduct;
    const json = typeof body !== "string";
    response.writeHead(status, { ...(json && { "content-type": "application/json" }), ...headers });
    if (stall) response.flushHeaders();
    else if (status === 204) response.end();
    else response.end(json ? JSON.stringify(body ?? {}) : body);
  };

  const server = createServer((incoming, response) => {
    // Some tests disconnect the client during the answer.
    serve(incoming, response).catch(() => response.destroy());
  });
  server.on("connection", () => connections++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    requests,
    request: async (fits) => {
      for (;;) {
        const found = requests.find(fits);
        if (found !== undefined) return found;
        await once(arrivals, "request");
      }
    },
    answer: (conduct) => {
      conductOf = conduct;
    },
    connections: () => connections,
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

/** The same with the bot's client of it, both closed when the test ends. */
export const connectFakeRest = async (
  wait?: (ms: number) => Promise<void>,
  share?: number,
): Promise<{ readonly discord: FakeRest; readonly api: DiscordApi }> => {
  const discord = await startFakeRest();
  const { log } = recordingLog();
  const token = new Secret("bot-token");
  const api = createDiscordApi({
    apiUrl: discord.apiUrl,
    token,
    log,
    ...(wait && { wait }),
    ...(share !== undefined && { share }),
  });
  onTestFinished(async () => {
    await discord.stop();
    await api.close();
  });
  return { discord, api };
};
