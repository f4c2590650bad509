import type { WalletKey } from "../accounts/wallet-key.ts";
import type { Logger } from "../shared/log.ts";
import { type Clock, DAY } from "../shared/time.ts";
import type { WalletClient } from "../wallet/client.ts";
import { LARGEST_LEAD_MS, salesDayOf } from "./sales-days.ts";
import type { SalesDays } from "./sales-days.store.ts";
import type { SalesReport } from "./sales.ts";

/** When each answer was requested. Weak references: an entry ends with its answer. */
const asked = new WeakMap<SalesReport, Temporal.Instant>();

/**
 * A larger lead of ours is a wrong `Date` of the service: a machine is hardly so far ahead. Reports wait for a `Date` that
 * stands still no longer than this, and are owed for a week.
 */
const LARGEST_TRUSTED_MS = 3 * DAY;

/** The service's time where ours is ahead of it: its days end by its own clock. */
const byTheService = (at: Temporal.Instant, { skewMs = 0 }: SalesReport): Temporal.Instant => {
  const isAhead = skewMs < -LARGEST_LEAD_MS && skewMs >= -LARGEST_TRUSTED_MS;
  return isAhead ? at.add({ milliseconds: skewMs }) : at;
};

/**
 * From an answer and the time of a caller's request to the time of the first request for it, by the service's clock where
 * ours is ahead. The wallet client shares an answer among people's reads within two seconds, so an answer may be older
 * than a caller's own request.
 */
export const firstAsked = (answer: SalesReport, askedAt: Temporal.Instant): Temporal.Instant => {
  const before = asked.get(answer);
  const first =
    before !== undefined && Temporal.Instant.compare(before, askedAt) < 0 ? before : askedAt;
  asked.set(answer, first);
  return byTheService(first, answer);
};

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
