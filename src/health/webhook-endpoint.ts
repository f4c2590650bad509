import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { SECOND } from "../shared/time.ts";

/** Where calls come in from outside. */
export interface WebhookEndpoint {
  /** Path of all calls, with slashes around it. */
  readonly path: string;
  /** Host name under which strangers reach the port: it leads to calls, and to no other page. */
  readonly publicHost: string | undefined;
  /** Whether calls are taken: not while the bot starts or stops. */
  readonly isOpen: () => boolean;
  /** Takes the rest of the path, after the answer has been written. */
  readonly receive: (token: string) => void;
}

/** Limits of every connection, and of all together. */
export const endpointLimits = {
  /** A longer body ends the connection: calls are read by their path alone. */
  bodyBytes: 64 * 1024,
  /** Time in which a caller who still sends can read the answer: an end at once would take it away unread. */
  lingerMs: SECOND,
  /** Before any more, the connection that is open longest is ended. */
  connections: 512,
  requestsPerConnection: 1_000,
} as const;

/** Options of a server that strangers reach. */
export const serverLimits = {
  headersTimeout: 5 * SECOND,
  requestTimeout: 10 * SECOND,
  keepAliveTimeout: 5 * SECOND,
  connectionsCheckingInterval: SECOND,
} as const;

const TEXT = { "content-type": "text/plain", "cache-control": "no-store" } as const;

/**
 * Ends the oldest connection before a further one. Slow strangers thus never keep others out, and no health page waits
 * behind them.
 */
export const limitConnections = (server: Server): void => {
  const open = new Set<Socket>();
  server.maxRequestsPerSocket = endpointLimits.requestsPerConnection;
  server.on("connection", (socket: Socket) => {
    const [oldest] = open;
    if (open.size >= endpointLimits.connections) oldest?.destroy();
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
};

/**
 * Says that nothing more follows the answer, and destroys the connection a little later. Until then nothing is read,
 * so that the connection holds no more than the buffers of any other.
 */
const endSlowly = ({ socket }: IncomingMessage): void => {
  socket.end();
  const timer = setTimeout(() => socket.destroy(), endpointLimits.lingerMs).unref();
  socket.once("close", () => clearTimeout(timer));
};

/** Reads the body only to throw it away, and no more of it than a call may need. */
export const discardBody = (request: IncomingMessage, response: ServerResponse): void => {
  let read = 0;
  const end = (): void => {
    if (response.writableFinished) endSlowly(request);
    else response.once("finish", () => endSlowly(request));
  };
  request.on("error", () => {});
  request.on("data", (bytes: Buffer) => {
    read += bytes.length;
    if (read <= endpointLimits.bodyBytes) return;
    request.pause();
    end();
  });
};

/** A trailing dot names the same host. */
const hostOf = (header: string | undefined): string =>
  URL.parse(`http://${header ?? ""}`)?.hostname.replace(/\.$/, "") ?? "";

const isForwarded = (name: string): boolean =>
  name === "forwarded" || name.startsWith("x-forwarded-");

/** Whether the request came by the public address or through a proxy, as far as its headers let this be seen. */
const isFromOutside = ({ headers }: IncomingMessage, { publicHost }: WebhookEndpoint): boolean =>
  publicHost !== undefined &&
  (hostOf(headers.host) === publicHost || Object.keys(headers).some(isForwarded));

/**
 * Answers a call, or a stranger who looks around; false for requests to other pages. Every POST below the
 * path gets the same answer as any other at that time, written before any part of it is looked at.
 */
export const answerCall = (
  endpoint: WebhookEndpoint,
  request: IncomingMessage,
  response: ServerResponse,
): boolean => {
  const url = request.url ?? "";
  if (!url.startsWith(endpoint.path)) {
    if (!isFromOutside(request, endpoint)) return false;
    response.writeHead(404, TEXT).end("Not found\n");
    return true;
  }
  if (request.method !== "POST")
    response.writeHead(405, { ...TEXT, allow: "POST" }).end("Method not allowed\n");
  else if (endpoint.isOpen()) {
    response.once("close", () => endpoint.receive(url.slice(endpoint.path.length)));
    response.writeHead(202, TEXT).end("Accepted\n");
  } else response.writeHead(503, TEXT).end("Unavailable\n");
  return true;
};
