import type { WebSocketShard } from "@discordjs/ws";
import type { Logger } from "../shared/log.ts";

/** Methods that the package starts without waiting for them: a rejection would end the process. */
const UNWATCHED = ["onMessage", "onClose", "internalConnect", "destroy", "heartbeat"] as const;

type Method = (...args: unknown[]) => Promise<unknown>;

/**
 * Keeps what goes wrong inside a shard there, a malformed frame for example. A shard that is left without a connection
 * by it is found by the watchdog.
 */
export const guardShard = (shard: WebSocketShard, log: Logger): void => {
  const methods = shard as unknown as Record<(typeof UNWATCHED)[number], Method>;
  for (const name of UNWATCHED) {
    const method = methods[name].bind(shard);
    methods[name] = async (...args) => {
      try {
        return await method(...args);
      } catch (error) {
        log.error({ err: error, shard: shard.id, in: name }, "a shard failed inside");
        return undefined;
      }
    };
  }
};
