import type { WalletKey } from "../accounts/wallet-key.ts";
import type { Logger } from "../shared/log.ts";
import type { Clock } from "../shared/time.ts";
import type { WalletClient } from "../wallet/client.ts";
import { firstAsked, salesDayOf } from "./sales-days.ts";
import type { SalesDays } from "./sales-days.store.ts";
import type { SalesReport } from "./sales.ts";

interface KeepingNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly days: Pick<SalesDays, "keep">;
}

/**
 * Keeps the figures of every report that is read. Jobs wait until they are kept, people do not; a failure to keep them
 * fails no read.
 */
export const keepSalesDays = (
  { clock, log, days }: KeepingNeeds,
  salesReport: WalletClient["salesReport"],
): WalletClient["salesReport"] => {
  const keep = async (
    key: WalletKey,
    report: SalesReport,
    askedAt: Temporal.Instant,
    isAwaited: boolean,
  ) => {
    try {
      const day = salesDayOf(report, firstAsked(report, askedAt));
      await days.keep(key.fingerprint, day, isAwaited);
    } catch (error) {
      log.warn({ err: error }, "the figures of a day could not be kept");
    }
  };
  return async (key, day, priority) => {
    const askedAt = clock.now();
    const report = await salesReport(key, day, priority);
    const isAwaited = priority === "background";
    const kept = keep(key, report, askedAt, isAwaited);
    if (isAwaited) await kept;
    return report;
  };
};
