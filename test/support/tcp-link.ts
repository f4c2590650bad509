import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy that can be cut, or stall without closing. */
export interface TcpLink {
  /** The target's URL through this link. */
  readonly url: string;
  readonly cut: () => void;
  readonly fallSilent: () => void;
  readonly recover: () => void;
  readonly connections: () => number;
  readonly stop: () => void;
}

export const startTcpLink = async (url: string): Promise<TcpLink> => {
  const target = new URL(url);
  const { hostname } = target;
  const port = Number(target.port);
  const pairs = new Set<readonly [Socket, Socket]>();
  let made = 0;
  let silent = false;
  const server = createServer((near) => {
    made++;
    const far = connect(port, hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on("data", (bytes) => silent || to.write(bytes));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        if (silent) return;
        to.destroy();
        pairs.delete(pair);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  target.port = String((server.address() as AddressInfo).port);
  return {
    url: target.href,
    cut: () => {
      for (const socket of [...pairs].flat()) socket.resetAndDestroy();
    },
    fallSilent: () => void (silent = true),
    recover: () => void (silent = false),
    connections: () => made,
    stop: () => {
      server.close();
      for (const socket of [...pairs].flat()) socket.destroy();
    },
  };
};
