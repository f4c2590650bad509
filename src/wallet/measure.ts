import { WalletError } from "../shared/errors.ts";
import type { Metrics } from "../shared/metrics.ts";
import type { Timers } from "./timers.ts";

/** Counts how an operation ended and how long it took, waits and retries included. Fails as `work` fails. */
export const measured = async <T>(
  metrics: Metrics,
  timers: Timers,
  route: string,
  work: () => Promise<T>,
): Promise<T> => {
  const begunAt = timers.now();
  try {
    const value = await work();
    metrics.walletCall(route, "ok", timers.now() - begunAt);
    return value;
  } catch (error) {
    if (error instanceof WalletError) {
      metrics.walletCall(route, error.kind, timers.now() - begunAt);
    }
    throw error;
  }
};
