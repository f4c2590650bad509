import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import type { Logger } from "../shared/log.ts";
import { errorCode, PortError } from "../shared/errors.ts";
import { type Metrics, noMetrics } from "../shared/metrics.ts";
import { createPrometheus, type Gauges, type Prometheus } from "./prometheus.ts";
import { SECOND, within } from "../shared/time.ts";
import {
  answerCall,
  discardBody,
  limitConnections,
  serverLimits,
  type WebhookEndpoint,
} from "./webhook-endpoint.ts";

interface Address {
  readonly host: string;
  readonly port: number;
}

interface Health {
  readonly metrics: Metrics;
  readonly stop: () => Promise<void>;
}

/** Serves health, metrics and calls at `address`; an undefined address disables all three. */
export const startHealth = async (
  address: Address | undefined,
  log: Logger,
  checks: Pick<HealthChecks, "probeWrite"> & Omit<Gauges, "loopLagMs">,
  endpoint?: WebhookEndpoint,
): Promise<Health> => {
  if (address === undefined) return { metrics: noMetrics, stop: async () => {} };
  const lag = watchLoopLag();
  const prometheus = await createPrometheus({ ...checks, loopLagMs: lag.currentMs }, log);
  const server = await startHealthServer(
    address,
    { ...checks, loopLagMs: lag.currentMs, metricsPage: prometheus.page },
    log,
    endpoint,
  );
  return {
    metrics: prometheus.metrics,
    stop: async () => {
      lag.stop();
      await server.stop();
    },
  };
};

/** An `import` of this module copies its exports, among them Node's own web sockets: 16 MB and 40 ms. */
const { createServer } = process.getBuiltinModule("node:http");

const MOST_LAG_MS = 5 * SECOND;
const WRITE_DEADLINE_MS = 5 * SECOND;
/** One or two stale interactions may come from a replay to a resumed session. */
const MOST_STALE = 2;

export interface HealthChecks extends Pick<
  Gauges,
  "loopLagMs" | "shardStates" | "recentInteractions"
> {
  readonly probeWrite: () => Promise<void>;
  readonly metricsPage: Prometheus["page"];
}

export interface HealthServer {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/**
 * Serves `/healthz`, `/readyz`, `/metrics`, and calls where they have an endpoint.
 * @throws PortError when it cannot listen on the port
 */
export const startHealthServer = async (
  address: Address,
  checks: HealthChecks,
  log: Logger,
  endpoint?: WebhookEndpoint,
): Promise<HealthServer> => {
  const server = createServer(serverLimits, (request, response) => {
    discardBody(request, response);
    if (endpoint !== undefined && answerCall(endpoint, request, response)) return;
    // The exact target alone: in one that a proxy took for a call, a resolved `..` or `//` would lead here.
    const page = pages[request.url?.split("?", 1)[0] ?? ""];
    if (page === undefined || request.method !== "GET") {
      send(response, { status: 404, contentType: "text/plain", body: "Not found\n" });
      return;
    }
    page(checks).then(
      (answer) => send(response, answer),
      (err: unknown) => {
        log.error({ err }, "health page failed");
        send(response, json(false, {}));
      },
    );
  });
  limitConnections(server);
  await listen(server, address);
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
};

const listen = (server: Server, address: Address): Promise<void> =>
  new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(portError(address, error)));
    server.listen(address.port, address.host, resolve);
  });

/** @throws PortError when it cannot listen on the port */
export const requirePort = async (address: Address | undefined): Promise<void> => {
  if (address === undefined) return;
  const server = createServer();
  await listen(server, address);
  await new Promise<void>((resolve) => server.close(() => resolve()));
};

const portError = (address: Address, cause: Error) =>
  new PortError(
    `${address.host}:${address.port} (HTTP_HOST, HTTP_PORT) cannot be listened on (${errorCode(cause)}): another program has the port, this user may not take it, or the address is not this machine's`,
    { cause },
  );

type Page = { readonly status: number; readonly contentType: string; readonly body: string };

const json = (healthy: boolean, facts: object): Page => ({
  status: healthy ? 200 : 503,
  contentType: "application/json",
  body: JSON.stringify({ status: healthy ? "ok" : "failing", ...facts }),
});

const isWritable = async ({ probeWrite }: HealthChecks): Promise<boolean> => {
  const written = probeWrite().then(
    () => true,
    () => false,
  );
  return (await within(WRITE_DEADLINE_MS, written)) ?? false;
};

const pages: Readonly<Record<string, (checks: HealthChecks) => Promise<Page>>> = {
  /** Alive: the event loop turns and the database takes a write. Supervisors restart the process on failure. */
  "/healthz": async (checks) => {
    const lagMs = Math.round(checks.loopLagMs());
    const databaseWrites = await isWritable(checks);
    return json(databaseWrites && lagMs < MOST_LAG_MS, { loopLagMs: lagMs, databaseWrites });
  },
  /** Ready: every shard is connected, interactions arrive in time, and the database takes a write. */
  "/readyz": async (checks) => {
    const shards = await checks.shardStates();
    const { stale: staleInteractions, fresh } = checks.recentInteractions();
    const isDeaf = staleInteractions > MOST_STALE && fresh === 0;
    const states = Object.keys(shards);
    const isConnected = states.length > 0 && states.every((state) => state === "ready");
    const databaseWrites = await isWritable(checks);
    const isReady = isConnected && !isDeaf && databaseWrites;
    return json(isReady, { shards, staleInteractions, databaseWrites });
  },
  "/metrics": async ({ metricsPage }) => ({ status: 200, ...(await metricsPage()) }),
};

const send = (response: ServerResponse, { status, contentType, body }: Page): void => {
  response.writeHead(status, { "content-type": contentType, "cache-control": "no-store" });
  response.end(body);
};

const SAMPLE_MS = SECOND;

/**
 * The histogram of `perf_hooks.monitorEventLoopDelay` keeps neither the last sample nor the delay of the running one, and
 * a reader who resets it hides the lag from the next. At its 20 ms an idle process takes 138 ms of CPU in 30 s, with this
 * timer 35 ms (Node 26.10).
 */
const watchLoopLag = () => {
  let expected = performance.now() + SAMPLE_MS;
  let lastLag = 0;
  const timer = setInterval(() => {
    lastLag = Math.max(0, performance.now() - expected);
    expected = performance.now() + SAMPLE_MS;
  }, SAMPLE_MS);
  timer.unref();
  return {
    /** The lag of the last sample, or the delay of the running one if that is longer. */
    currentMs: () => Math.max(lastLag, performance.now() - expected, 0),
    stop: () => clearInterval(timer),
  };
};
