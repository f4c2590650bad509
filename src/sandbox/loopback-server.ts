import { once } from "node:events";
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens on 127.0.0.1, by default on a free port. Rejects when the port is in use. */
export const listenOnLoopback = async (server: Server, asked = 0) => {
  server.listen(asked, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    /** Ends the open connections, too. */
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
};

/** The body of a request; undefined for one of more than `most` bytes. */
export const readBody = async (
  request: IncomingMessage,
  most: number,
): Promise<Buffer | undefined> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= most) parts.push(part);
  }
  return size > most ? undefined : Buffer.concat(parts);
};
