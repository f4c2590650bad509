import type { Logger } from "../shared/log.ts";
import { type Metrics, noMetrics } from "../shared/metrics.ts";
import { type HealthChecks, startHealthServer } from "./health-server.ts";
import { watchLoopLag } from "./loop-lag.ts";
import { createPrometheus, type Gauges } from "./prometheus.ts";

export interface Health {
  readonly metrics: Metrics;
  readonly stop: () => Promise<void>;
}

/** Serves health and metrics at `address`; without one, nothing is counted and nothing listens. */
export const startHealth = async (
  address: { readonly host: string; readonly port: number } | undefined,
  log: Logger,
  checks: Pick<HealthChecks, "probeWrite" | "shardStates" | "recentInteractions"> & Gauges,
): Promise<Health> => {
  if (address === undefined) return { metrics: noMetrics, stop: async () => {} };
  const prometheus = await createPrometheus(checks);
  const lag = watchLoopLag();
  const server = await startHealthServer(
    address,
    { ...checks, loopLagMs: lag.currentMs, metricsPage: prometheus.page },
    log,
  );
  return {
    metrics: prometheus.metrics,
    stop: async () => {
      lag.stop();
      await server.stop();
    },
  };
};
