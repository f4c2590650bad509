import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { FromLoad, LoadAnswers, LoadOrder, NumberedOrder } from "./load-messages.ts";

export interface LoadServer {
  readonly pid: number;
  readonly apiUrl: string;
  readonly walletUrl: string;
  /** @throws Error when the load server failed to carry out the order, or has ended. */
  readonly ask: <Order extends LoadOrder>(order: Order) => Promise<LoadAnswers[Order["kind"]]>;
  readonly stop: () => Promise<void>;
}

export const startLoadServer = async (): Promise<LoadServer> => {
  const child = fork(fileURLToPath(new URL("./load-server.ts", import.meta.url)));
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  const listening = Promise.withResolvers<Extract<FromLoad, { kind: "listening" }>>();
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => {
      const reason = new Error("The load server ended");
      listening.reject(reason);
      for (const each of waiting.values()) each.reject(reason);
      resolve();
    });
  });
  let orders = 0;

  child.on("message", (message: FromLoad) => {
    if (message.kind === "listening") return listening.resolve(message);
    const order = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === "failed") order?.reject(new Error(message.message));
    else order?.resolve(message.result as never);
  });
  const { apiUrl, walletUrl } = await listening.promise;
  return {
    pid: child.pid ?? 0,
    apiUrl,
    walletUrl,
    ask: (order) => {
      const answer = Promise.withResolvers<never>();
      waiting.set(++orders, answer);
      child.send({ id: orders, order } satisfies NumberedOrder);
      return answer.promise;
    },
    stop: () => {
      child.kill("SIGTERM");
      return gone;
    },
  };
};
