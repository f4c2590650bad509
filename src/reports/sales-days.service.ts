import type { Logger } from "../shared/log.ts";
import { type Clock, earlierInstant } from "../shared/time.ts";
import type { WalletClient } from "../wallet/client.ts";
import { byTheService, type ReadSalesReport, salesDayOf } from "./sales-days.ts";
import type { SalesDays } from "./sales-days.store.ts";
import type { SalesReport } from "./sales.ts";

interface KeepingNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly days: Pick<SalesDays, "keep">;
}

type ReadReport = (...asked: Parameters<WalletClient["salesReport"]>) => Promise<ReadSalesReport>;

/** When each answer was requested. Weak references: an entry ends with its answer. */
const asked = new WeakMap<SalesReport, Temporal.Instant>();

/**
 * The first request for an answer, from that of a caller, by the service's clock where ours is ahead. The wallet client
 * shares an answer among people's reads within two seconds, so an answer may be older than a caller's own request.
 */
const firstAsked = (answer: SalesReport, askedAt: Temporal.Instant): Temporal.Instant => {
  const first = earlierInstant(askedAt, asked.get(answer));
  asked.set(answer, first);
  return byTheService(first, answer);
};

/**
 * Dates each report that is read, and keeps its figures. Jobs wait until they are kept, people do not; a failure to keep
 * them fails no read.
 */
export const keepSalesDays =
  ({ clock, log, days }: KeepingNeeds, salesReport: WalletClient["salesReport"]): ReadReport =>
  async (key, day, priority) => {
    const askedAt = clock.now();
    const answer = await salesReport(key, day, priority);
    const report = { ...answer, readAt: firstAsked(answer, askedAt) };
    const isAwaited = priority === "background";
    const kept = days.keep(key.fingerprint, salesDayOf(report), isAwaited).catch((error) => {
      log.warn({ err: error }, "the figures of a day could not be kept");
    });
    if (isAwaited) await kept;
    return report;
  };
