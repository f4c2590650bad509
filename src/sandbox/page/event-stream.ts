import type { IncomingMessage, ServerResponse } from "node:http";

/** Changes come in bursts (a message, its edit, the clock): one push for each burst is enough. */
const SETTLE_MS = 40;

export interface EventStreams {
  /** Keeps the answer open and sends what `read` gives, now and after each change. */
  readonly open: (request: IncomingMessage, response: ServerResponse, read: () => string) => void;
  readonly changed: () => void;
  readonly close: () => void;
}

/** Server-sent events: each listener gets its whole view again whenever something changed. */
export const createEventStreams = (): EventStreams => {
  const listeners = new Map<ServerResponse, () => string>();
  let due: NodeJS.Timeout | undefined;

  const push = (response: ServerResponse, read: () => string): void => {
    response.write(`data: ${read()}\n\n`);
  };

  return {
    open: (request, response, read) => {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.write("retry: 500\n\n");
      push(response, read);
      listeners.set(response, read);
      request.on("close", () => listeners.delete(response));
    },
    changed: () => {
      due ??= setTimeout(() => {
        due = undefined;
        for (const [response, read] of listeners) push(response, read);
      }, SETTLE_MS);
    },
    close: () => {
      clearTimeout(due);
      for (const response of listeners.keys()) response.end();
      listeners.clear();
    },
  };
};
