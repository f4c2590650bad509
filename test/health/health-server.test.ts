import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { request } from "undici";
import { startBot } from "#src/bot.ts";
import { parseConfig } from "#src/config.ts";
import { type HealthChecks, type HealthServer, startHealthServer } from "#src/health/health.ts";
import { createPrometheus, type Gauges } from "#src/health/prometheus.ts";
import { startFailure } from "#src/program.ts";
import { DatabaseAwayError, PortError } from "#src/shared/errors.ts";
import { createLogger } from "#src/shared/log.ts";
import { createSecretScrubber } from "#src/shared/secret.ts";
import { SECOND } from "#src/shared/time.ts";
import { databases, standingClock, testRandom } from "../support/databases.ts";
import { connected } from "../support/start-postgres.ts";

const log = createLogger("silent", createSecretScrubber());
let server: HealthServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const healthy: HealthChecks = {
  loopLagMs: () => 3,
  probeWrite: async () => {},
  shardStates: async () => ({ ready: 2 }),
  recentInteractions: () => ({ stale: 0, fresh: 0 }),
  metricsPage: async () => ({ contentType: "text/plain", body: "" }),
};

const get = async (path: string, checks: Partial<HealthChecks> = {}) => {
  server = await startHealthServer({ host: "127.0.0.1", port: 0 }, { ...healthy, ...checks }, log);
  const answer = await request(`http://127.0.0.1:${server.port}${path}`);
  return { status: answer.statusCode, body: await answer.body.text() };
};

test("a port that another program has is told with its address, and tried again", async () => {
  server = await startHealthServer({ host: "127.0.0.1", port: 0 }, healthy, log);
  const taken = { host: "127.0.0.1", port: server.port };
  const refusal: unknown = await startHealthServer(taken, healthy, log).catch((error) => error);
  const { code, advice } = startFailure(refusal);
  expect(advice).toContain(`127.0.0.1:${server.port} (HTTP_HOST, HTTP_PORT)`);
  expect(advice).toContain("EADDRINUSE");
  expect(code).toBe(75);
});

test("a port that another program has ends a start before PostgreSQL's tables are changed", async () => {
  const { createEmpty } = databases.find(({ name }) => name === "PostgreSQL")!;
  const { url, drop } = await createEmpty();
  onTestFinished(drop);
  server = await startHealthServer({ host: "127.0.0.1", port: 0 }, healthy, log);
  const environment = {
    DISCORD_TOKEN: "a-bot-token-that-is-not-real-000000000000000000",
    WALLET_BASE_URL: "https://wallet.example",
    MASTER_KEY: `k1:${Buffer.from(testRandom.bytes(32)).toString("base64")}`,
    DATABASE_URL: url,
    HTTP_PORT: String(server.port),
  };
  const host = {
    clock: standingClock("2026-11-19T12:00:00Z"),
    everyMinute: () => () => {},
    random: testRandom,
    log,
    exit: () => {},
  };
  const starting = startBot(parseConfig(environment, "start"), host);
  await expect(starting).rejects.toBeInstanceOf(PortError);
  const { rows } = await connected(url, (client) =>
    client.query("select tablename from pg_tables where schemaname = 'public'"),
  );
  expect(rows).toEqual([]);
});

test("a bot whose loop turns and whose database writes is healthy", async () => {
  expect((await get("/healthz")).status).toBe(200);
});

test("a bot whose loop lags five seconds is not healthy", async () => {
  expect((await get("/healthz", { loopLagMs: () => 5_000 })).status).toBe(503);
});

test("a bot whose database refuses a write is not healthy", async () => {
  const answer = await get("/healthz", {
    probeWrite: () => Promise.reject(new Error("disk full")),
  });
  expect(answer.status).toBe(503);
  expect(answer.body).not.toContain("disk full");
});

test("a bot with every shard ready is ready", async () => {
  expect((await get("/readyz")).status).toBe(200);
});

test.each([[{ ready: 1, resuming: 1 }], [{}]])(
  "a bot with shards %j is not ready",
  async (shards) => {
    expect((await get("/readyz", { shardStates: async () => shards })).status).toBe(503);
  },
);

test("S4: a bot whose database is away is not ready, however well its shards are", async () => {
  const away = { probeWrite: () => Promise.reject(new Error("away")) };
  expect((await get("/readyz", away)).status).toBe(503);
});
test.each([
  [{ stale: 3, fresh: 0 }, 503],
  [{ stale: 2, fresh: 0 }, 200],
  [{ stale: 30, fresh: 1 }, 200],
])(
  "S23: a bot whose last minute of interactions was %j answers /readyz with %i",
  async (recent, status) => {
    const answer = await get("/readyz", { recentInteractions: () => recent });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ staleInteractions: recent.stale });
  },
);

test.each(["//", "http://[", "/healthz?//"])(
  "a request for %s does not end the process",
  async (path) => {
    server = await startHealthServer({ host: "127.0.0.1", port: 0 }, healthy, log);
    const socket = connect(server.port, "127.0.0.1");
    socket.end(`GET ${path} HTTP/1.1\r\nhost: health\r\nconnection: close\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(path.startsWith("/healthz") ? /^HTTP\/1.1 200/ : /^HTTP\/1.1 404/);
  },
);

test("a page that fails is logged with the name of its error", async () => {
  const lines: string[] = [];
  const noted = createLogger("error", createSecretScrubber(), {
    write: (line) => void lines.push(line),
  });
  const metricsPage = () => Promise.reject(new RangeError("private"));
  server = await startHealthServer(
    { host: "127.0.0.1", port: 0 },
    { ...healthy, metricsPage },
    noted,
  );
  const { statusCode } = await request(`http://127.0.0.1:${server.port}/metrics`);
  expect(statusCode).toBe(503);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ err: { name: "RangeError" } }]);
});

const idle: Gauges = {
  outboxAgeMs: async () => 0,
  shardStates: async () => ({ ready: 1 }),
  recentInteractions: () => ({ stale: 0, fresh: 0 }),
  slowedPolls: () => 0,
  loopLagMs: () => 0,
  withdrawals: async () => ({ byState: { sending: 1 }, oldestUnknownMs: 0 }),
};

test("S4: metrics lack only the values of the database while it is away", async () => {
  let isAway = true;
  const orAway = async <Value>(value: Promise<Value>): Promise<Value> => {
    if (isAway) throw new DatabaseAwayError();
    return await value;
  };
  const errors: unknown[] = [];
  const { page } = await createPrometheus(
    {
      ...idle,
      outboxAgeMs: () => orAway(idle.outboxAgeMs()),
      withdrawals: () => orAway(idle.withdrawals()),
    },
    { ...log, error: (facts: unknown) => void errors.push(facts) },
  );
  const values = async () =>
    (await page()).body.match(/^balcao_(outbox|withdrawals|gateway)\S* .*$/gm);
  const shards = 'balcao_gateway_shards{state="ready"} 1';
  expect(await values()).toEqual([shards]);
  isAway = false;
  expect(await values()).toEqual([
    "balcao_outbox_oldest_age_seconds 0",
    shards,
    "balcao_withdrawals_oldest_unknown_seconds 0",
    'balcao_withdrawals_open{state="sending"} 1',
  ]);
  isAway = true;
  expect(await values()).toEqual([shards]);
  expect(errors).toEqual([]);
});

test("S4: metrics come within the ten seconds that Prometheus waits while the database is silent, without its values", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const silent = (): Promise<never> => new Promise(() => {});
  const gauges = { ...idle, outboxAgeMs: silent, withdrawals: silent };
  let answer = "";
  const { page } = await createPrometheus(gauges, log);
  page().then(({ body }) => (answer = body), log.error);
  await vi.advanceTimersByTimeAsync(9 * SECOND);
  expect(answer).toContain('balcao_gateway_shards{state="ready"} 1');
  expect(answer).not.toMatch(/^balcao_(outbox|withdrawals)/m);
});

test("metrics tell interactions, ack time, wallet calls, outbox age, shards, open withdrawals, calls from outside, the loop's lag and memory", async () => {
  const { metrics, page } = await createPrometheus(
    {
      outboxAgeMs: async () => 2_000,
      shardStates: async () => ({ ready: 1 }),
      recentInteractions: () => ({ stale: 4, fresh: 0 }),
      slowedPolls: () => 3,
      loopLagMs: () => 7,
      withdrawals: async () => ({ byState: { unknown: 2 }, oldestUnknownMs: 90_000 }),
    },
    log,
  );
  metrics.interaction("vendas", "answered", 30);
  metrics.walletCall("/v1/sales/report", "timeout", 900);
  metrics.delivery("sales_report", "posted");
  for (const event of ["right", "wrong", "wrong", "limited", "look"] as const)
    metrics.webhook(event);
  const { status, body } = await get("/metrics", { metricsPage: page });
  expect(status).toBe(200);
  expect(body).toContain('balcao_interactions_total{command="vendas",outcome="answered"} 1');
  expect(body).toContain("balcao_interaction_ack_seconds_sum 0.03");
  expect(body).toContain(
    'balcao_wallet_call_seconds_count{route="/v1/sales/report",outcome="timeout"} 1',
  );
  expect(body).toContain('balcao_deliveries_total{kind="sales_report",outcome="posted"} 1');
  expect(body).toContain("balcao_outbox_oldest_age_seconds 2");
  expect(body).toContain('balcao_gateway_shards{state="ready"} 1');
  expect(body).toContain('balcao_webhook_calls_total{outcome="right"} 1');
  expect(body).toContain('balcao_webhook_calls_total{outcome="wrong"} 2');
  expect(body).toContain('balcao_webhook_calls_total{outcome="limited"} 1');
  expect(body).toContain("balcao_webhook_looks_total 1");
  expect(body).toContain("balcao_polls_slowed 3");
  expect(body).toContain("balcao_interactions_stale_last_minute 4");
  expect(body).toContain('balcao_withdrawals_open{state="unknown"} 2');
  expect(body).toContain("balcao_withdrawals_oldest_unknown_seconds 90");
  expect(body).toMatch(/balcao_process_resident_memory_bytes \d+/);
  // The library's own are without the histogram that wakes an idle process.
  expect(body.match(/^\w*eventloop\S* .*$/gm)).toEqual([
    "balcao_nodejs_eventloop_lag_seconds 0.007",
  ]);
});

test("a reading of the metrics counts the open withdrawals once", async () => {
  let censuses = 0;
  const withdrawals = async () => {
    censuses++;
    return { byState: censuses === 1 ? { sending: 1 } : {}, oldestUnknownMs: 0 };
  };
  const { page } = await createPrometheus({ ...idle, withdrawals }, log);
  await page();
  expect((await page()).body).not.toContain("balcao_withdrawals_open{");
  expect(censuses).toBe(2);
});

test("nothing else is served", async () => {
  expect((await get("/")).status).toBe(404);
});
