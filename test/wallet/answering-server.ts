import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Server, Socket } from "node:net";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Answer =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  | ((socket: Socket) => void);

export interface AnsweringServer {
  readonly baseUrl: string;
  readonly received: readonly Received[];
  readonly connections: () => number;
  /** Resolves once the first request was read completely. */
  readonly arrived: () => Promise<void>;
}

/** Reads the request and stays silent. */
export const hang: Answer = () => {};

export const bytes =
  (text: string): Answer =>
  (socket) => {
    socket.end(text);
  };

export const reset: Answer = (socket) => {
  socket.resetAndDestroy();
};

/** A port for a server; `stop` destroys the connections that are open. */
export const listenOnLoopback = async (
  server: Server,
): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> => {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
};

/** A server on loopback that gives `answers` in turn and repeats the last one until the test ends. */
export const startAnsweringServer = async (
  ...answers: readonly Answer[]
): Promise<AnsweringServer> => {
  const received: Received[] = [];
  const first = Promise.withResolvers<void>();
  let connections = 0;

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = "", url: path = "", headers } = request;
    const body = (await buffer(request)).toString();
    received.push({ method, path, headers, body });
    first.resolve();
    const answer = answers[received.length - 1] ?? answers.at(-1) ?? {};
    if (typeof answer === "function") {
      answer(request.socket);
      return;
    }
    response.writeHead(answer.status ?? 200, {
      "content-type": "application/json",
      "x-request-id": "req_example",
      ...answer.headers,
    });
    response.end(answer.body ?? "");
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => request.socket.destroy());
  });
  server.on("connection", () => (connections += 1));
  const { port, stop } = await listenOnLoopback(server);
  onTestFinished(stop);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    received,
    connections: () => connections,
    arrived: () => first.promise,
  };
};
