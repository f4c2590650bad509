import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerRest } from "./rest.ts";
import type { RestParts } from "./rest.ts";
import type { DiscordState } from "./state.ts";

/** Any port that is free. */
const ANY_PORT = 0;

const sendFile = (state: DiscordState, path: string, response: ServerResponse): boolean => {
  const file = state.files.get(path);
  if (file === undefined) return false;
  // The page has another origin: without this its link would open the file instead of saving it.
  const disposition = file.type.startsWith("image/") ? "inline" : "attachment";
  const headers = {
    "content-type": file.type,
    "content-disposition": disposition,
    "x-content-type-options": "nosniff",
  };
  response.writeHead(200, headers).end(file.data);
  return true;
};

/** A mistake of the local Discord itself: told to whoever runs it, and to the client. */
const answerMistake = (
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  if (request.errored) {
    response.destroy();
    return;
  }
  console.error("The local Discord made a mistake", error);
  if (!response.headersSent) response.writeHead(500, { "content-type": "application/json" });
  response.end(JSON.stringify({ message: String(error), code: 0 }));
};

export interface LocalServer {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Listens on 127.0.0.1, for REST, downloads and the gateway. */
export const startServer = async (
  parts: RestParts,
  port: number = ANY_PORT,
): Promise<LocalServer> => {
  const { state, gateway } = parts.discord;
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    if (request.method === "GET" && sendFile(state, request.url ?? "", response)) return;
    answerRest(request, response, parts).catch((error: unknown) =>
      answerMistake(error, request, response),
    );
  });
  server.on("upgrade", gateway.upgrade);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  state.origin = `http://127.0.0.1:${address.port}`;
  return {
    port: address.port,
    stop: async () => {
      gateway.stop();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
