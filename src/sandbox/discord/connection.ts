import { constants, createDeflate } from "node:zlib";
import type { WebSocket } from "ws";

/** One gateway connection. */
export interface Connection {
  /** Sends a serialised packet; in the order of the calls. */
  readonly send: (packet: string) => void;
  readonly close: (code: number, reason?: string) => void;
  /** Breaks it without a closing handshake. */
  readonly terminate: () => void;
  /** Bytes that wait to be sent. */
  readonly waiting: () => number;
  /** 4000 and up, or 1000, when this side closed it; undefined while it is open or when the other side did. */
  closedWith: number | undefined;
}

/** One zlib stream for the whole connection, flushed after each packet: Discord's `compress=zlib-stream`. */
const compressedSender = (socket: WebSocket): ((packet: string) => void) => {
  const deflate = createDeflate({ flush: constants.Z_SYNC_FLUSH });
  const parts: Buffer[] = [];
  deflate.on("data", (part: Buffer) => parts.push(part));
  return (packet) => {
    deflate.write(packet, () => {
      if (socket.readyState === socket.OPEN) socket.send(Buffer.concat(parts.splice(0)));
    });
  };
};

export const createConnection = (socket: WebSocket, compressed: boolean): Connection => {
  const send = compressed ? compressedSender(socket) : (packet: string) => socket.send(packet);
  const connection: Connection = {
    closedWith: undefined,
    send: (packet) => {
      if (socket.readyState === socket.OPEN) send(packet);
    },
    close: (code, reason) => {
      connection.closedWith = code;
      socket.close(code, reason);
    },
    terminate: () => socket.terminate(),
    waiting: () => socket.bufferedAmount,
  };
  return connection;
};
