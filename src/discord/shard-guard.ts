import type { WebSocketShard } from "@discordjs/ws";
import type { Logger } from "../shared/log.ts";

/** Methods that the package starts without waiting for them: a rejection would end the process. */
const UNWATCHED = ["onMessage", "onClose", "internalConnect", "destroy", "heartbeat"] as const;

type Method = (...args: unknown[]) => Promise<unknown>;

interface Socket {
  readonly on: (event: "error", listener: () => void) => void;
  readonly terminate: () => void;
}

type Internals = Record<(typeof UNWATCHED)[number], Method> & {
  readonly connection: Socket | null;
};

const internalsOf = (shard: WebSocketShard): Internals => shard as unknown as Internals;

/**
 * Keeps what goes wrong inside a shard there, a malformed frame for example. A shard that is left without a connection
 * by it is found by the watchdog.
 */
export const guardShard = (shard: WebSocketShard, log: Logger): void => {
  const internals = internalsOf(shard);
  for (const name of UNWATCHED) {
    const method = internals[name].bind(shard);
    internals[name] = async (...args) => {
      // Whoever destroys a shard takes the listeners off a socket that may still fail, which would be thrown then.
      if (name === "destroy") internals.connection?.on("error", () => {});
      try {
        return await method(...args);
      } catch (error) {
        log.error({ err: error, shard: shard.id, in: name }, "a shard failed inside");
        return undefined;
      }
    };
  }
};

/** Closes what a destroyed shard may have left open: a connection that was being made, or a peer that does not answer. */
export const terminateSocket = (shard: WebSocketShard): void => {
  internalsOf(shard).connection?.terminate();
};
