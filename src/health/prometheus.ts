import type { collectDefaultMetrics as Collect, Gauge as GaugeType, Registry } from "prom-client";
import { DatabaseAwayError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import type { Metrics } from "../shared/metrics.ts";
import { SECOND, within } from "../shared/time.ts";

export interface Gauges {
  readonly outboxAgeMs: () => Promise<number>;
  /** Number of shards by state, for example `{ ready: 2 }`. */
  readonly shardStates: () => Promise<Readonly<Record<string, number>>>;
  /** Interactions of the last minute: dropped as too old, and others. */
  readonly recentInteractions: () => { readonly stale: number; readonly fresh: number };
  /** Open withdrawals by state, and the age of the oldest with an unknown outcome. */
  readonly withdrawals: () => Promise<WithdrawalGauges>;
  /** Subjects of wallet accounts that are polled less often, because calls announce their news. */
  readonly slowedPolls: () => number;
  /** Delay of the event loop; zero or more. */
  readonly loopLagMs: () => number;
}

interface WithdrawalGauges {
  readonly byState: Readonly<Record<string, number>>;
  readonly oldestUnknownMs: number;
}

export interface Prometheus {
  readonly metrics: Metrics;
  readonly page: () => Promise<{ readonly contentType: string; readonly body: string }>;
}

const ACK_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2.5, 5];
const CALL_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

const PREFIX = "balcao_";
const LOOP_LAG = `${PREFIX}nodejs_eventloop_lag_seconds`;
/** Milliseconds between two samples of the library's histogram: the longest that a timer takes. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * The library's metrics without those of the event loop's lag, whose histogram wakes an idle process a hundred times a
 * second: 126 ms of CPU in 20 s, without it 6 ms (Node 26.10). Our own sampler gives the lag.
 */
const addDefaultMetrics = (registry: Registry, collect: typeof Collect): void => {
  collect({ register: registry, prefix: PREFIX, eventLoopMonitoringPrecision: NEVER_MS });
  for (const { name } of registry.getMetricsAsArray())
    if (name.startsWith(`${PREFIX}nodejs_eventloop_lag_`)) registry.removeSingleMetric(name);
};

/** Two queries one after the other fit into the ten seconds after which Prometheus drops the whole page. */
const LONGEST_READ_MS = 4 * SECOND;

/** The value of a gauge; undefined while it cannot be read in time, which costs the page no other value. */
type ReadGauge = <Value>(gauge: () => Promise<Value>) => Promise<Value | undefined>;

const readGauge =
  (log: Logger): ReadGauge =>
  async (gauge) => {
    try {
      return await within(LONGEST_READ_MS, gauge());
    } catch (err) {
      const level = err instanceof DatabaseAwayError ? "debug" : "error";
      log[level]({ err }, "a metric cannot be read");
      return undefined;
    }
  };

const addGauges = (
  registry: Registry,
  Gauge: typeof GaugeType,
  gauges: Gauges,
  read: ReadGauge,
): void => {
  const registers = [registry];
  const outboxAge: GaugeType = new Gauge({
    name: "balcao_outbox_oldest_age_seconds",
    help: "Age of the oldest delivery not yet posted",
    registers,
    collect: async () => {
      const ageMs = await read(gauges.outboxAgeMs);
      if (ageMs === undefined) outboxAge.remove();
      else outboxAge.set(ageMs / 1_000);
    },
  });
  const stale: GaugeType = new Gauge({
    name: "balcao_interactions_stale_last_minute",
    help: "Interactions of the last minute that were dropped as too old to be answered",
    registers,
    collect: () => stale.set(gauges.recentInteractions().stale),
  });
  const slowed: GaugeType = new Gauge({
    name: "balcao_polls_slowed",
    help: "Polled subjects of wallet accounts whose news calls announce, so that they are polled less often",
    registers,
    collect: () => slowed.set(gauges.slowedPolls()),
  });
  const lag: GaugeType = new Gauge({
    name: LOOP_LAG,
    help: "Delay of the event loop: of the last second, or of the running one if it is longer",
    registers,
    collect: () => lag.set(gauges.loopLagMs() / 1_000),
  });
  const shards: GaugeType<"state"> = new Gauge({
    name: "balcao_gateway_shards",
    help: "Gateway shards by state",
    labelNames: ["state"],
    registers,
    collect: async () => {
      shards.reset();
      for (const [state, count] of Object.entries(await gauges.shardStates()))
        shards.set({ state }, count);
    },
  });
};

/** @returns a setter for both gauges, whose values come from one query; undefined leaves both without a value. */
const addMoneyGauges = (
  registry: Registry,
  Gauge: typeof GaugeType,
): ((withdrawals: WithdrawalGauges | undefined) => void) => {
  const registers = [registry];
  const oldestUnknown = new Gauge({
    name: "balcao_withdrawals_oldest_unknown_seconds",
    help: "Age of the oldest withdrawal whose outcome is not known",
    registers,
  });
  const open = new Gauge({
    name: "balcao_withdrawals_open",
    help: "Withdrawals that did not end yet, by state",
    labelNames: ["state"],
    registers,
  });
  return (withdrawals) => {
    open.reset();
    if (withdrawals === undefined) {
      oldestUnknown.remove();
      return;
    }
    oldestUnknown.set(withdrawals.oldestUnknownMs / 1_000);
    for (const [state, count] of Object.entries(withdrawals.byState)) open.set({ state }, count);
  };
};

/** Metrics for Prometheus. Loads its library only when called: a bot without `HTTP_PORT` does not carry it. */
export const createPrometheus = async (gauges: Gauges, log: Logger): Promise<Prometheus> => {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } =
    await import("prom-client");
  const registry = new Registry();
  const registers = [registry];
  addDefaultMetrics(registry, collectDefaultMetrics);
  const read = readGauge(log);
  addGauges(registry, Gauge, gauges, read);
  const setMoneyGauges = addMoneyGauges(registry, Gauge);
  const interactions = new Counter({
    name: "balcao_interactions_total",
    help: "Interactions by command and outcome",
    labelNames: ["command", "outcome"],
    registers,
  });
  const ack = new Histogram({
    name: "balcao_interaction_ack_seconds",
    help: "From an interaction's arrival to Discord taking our first response",
    buckets: ACK_SECONDS,
    registers,
  });
  const wallet = new Histogram({
    name: "balcao_wallet_call_seconds",
    help: "Calls to the wallet service by route and outcome",
    labelNames: ["route", "outcome"],
    buckets: CALL_SECONDS,
    registers,
  });
  const deliveries = new Counter({
    name: "balcao_deliveries_total",
    help: "Attempts to post from the outbox by kind and outcome",
    labelNames: ["kind", "outcome"],
    registers,
  });
  const webhooks = new Counter({
    name: "balcao_webhook_calls_total",
    help: "Calls to webhooks: right, wrong, limited (dropped or joined)",
    labelNames: ["outcome"],
    registers,
  });
  const looks = new Counter({
    name: "balcao_webhook_looks_total",
    help: "Looks at wallet accounts that calls woke",
    registers,
  });
  return {
    metrics: {
      interaction: (command, outcome, ackMs) => {
        interactions.inc({ command, outcome });
        if (ackMs !== undefined) ack.observe(ackMs / 1_000);
      },
      walletCall: (route, outcome, durationMs) =>
        wallet.observe({ route, outcome }, durationMs / 1_000),
      delivery: (kind, outcome) => deliveries.inc({ kind, outcome }),
      webhook: (event) => (event === "look" ? looks.inc() : webhooks.inc({ outcome: event })),
    },
    page: async () => {
      setMoneyGauges(await read(gauges.withdrawals));
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
};
