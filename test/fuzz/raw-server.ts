import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";

import type { RawAnswer } from "./malformed-answers.ts";

export interface RawServer {
  readonly baseUrl: string;
  /** Sets the answer to all further requests. */
  readonly answerWith: (answer: RawAnswer) => void;
  readonly received: () => number;
  readonly stop: () => Promise<void>;
}

const give = async (answer: RawAnswer, socket: Socket): Promise<void> => {
  for (const piece of answer.pieces) {
    socket.write(piece);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  if (answer.ending === "end") socket.end();
  if (answer.ending === "reset") socket.resetAndDestroy();
};

/** A server on loopback that sends raw bytes. */
export const startRawServer = async (): Promise<RawServer> => {
  let current: RawAnswer = { pieces: [], ending: "end", whole: undefined };
  let received = 0;
  const sockets = new Set<Socket>();
  const server = createServer((request) => {
    received += 1;
    request.resume();
    request.on("end", () => {
      // The client may already have closed the connection.
      give(current, request.socket).catch(() => request.socket.destroy());
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    answerWith: (answer) => {
      current = answer;
    },
    received: () => received,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
};
