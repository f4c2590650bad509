import { monitorEventLoopDelay } from "node:perf_hooks";
import { SECOND } from "../shared/duration.ts";
import type { Logger } from "../shared/log.ts";
import { type Metrics, noMetrics } from "../shared/metrics.ts";
import { type HealthChecks, startHealthServer } from "./health-server.ts";
import { createPrometheus, type Gauges } from "./prometheus.ts";

/** How often the event loop is asked to run a timer, to see how late it comes. */
const LAG_SAMPLE_MS = SECOND;

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
  const delays = monitorEventLoopDelay({ resolution: LAG_SAMPLE_MS });
  delays.enable();
  /** The worst since it was asked last. */
  const loopLagMs = (): number => {
    const worstMs = delays.max / 1e6;
    delays.reset();
    return Math.max(0, worstMs - LAG_SAMPLE_MS);
  };
  const server = await startHealthServer(
    address,
    { ...checks, loopLagMs, metricsPage: prometheus.page },
    log,
  );
  return {
    metrics: prometheus.metrics,
    stop: async () => {
      delays.disable();
      await server.stop();
    },
  };
};
