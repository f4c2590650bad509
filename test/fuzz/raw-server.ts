import { createServer } from "node:http";
import type { Socket } from "node:net";

import { listenOnLoopback } from "../wallet/answering-server.ts";
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
  const server = createServer((request) => {
    received += 1;
    request.resume();
    request.on("end", () => {
      // The client may already have closed the connection.
      give(current, request.socket).catch(() => request.socket.destroy());
    });
  });
  const { port, stop } = await listenOnLoopback(server);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    answerWith: (answer) => {
      current = answer;
    },
    received: () => received,
    stop,
  };
};
