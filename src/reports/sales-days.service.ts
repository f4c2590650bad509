import type { WalletKey } from "../accounts/wallet-key.ts";
import type { Logger } from "../shared/log.ts";
import { type Clock, DAY } from "../shared/time.ts";
import type { WalletClient } from "../wallet/client.ts";
import type { ReportSeller } from "./report-sellers.store.ts";
import { LARGEST_LEAD_MS, type SalesCorrection, type SalesDay, salesDayOf } from "./sales-days.ts";
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

/** By wallet account and day. */
export type KeptDays = ReadonlyMap<string, ReadonlyMap<string, SalesDay>>;

export const keptDaysOf = async (
  days: Pick<SalesDays, "between" | "ofGuild">,
  { guildId, accountFp, target }: Pick<ReportSeller, "accountFp" | "guildId" | "target">,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Promise<KeptDays> => {
  const byDay = (its: readonly SalesDay[]) =>
    new Map(its.map((each) => [each.day.toString(), each]));
  if (target.kind === "person")
    return new Map([[accountFp, byDay(await days.between(accountFp, from, to))]]);
  const rows = await days.ofGuild(guildId, from, to);
  const byAccount = Map.groupBy(rows, (row) => row.accountFp);
  return new Map([...byAccount].map(([fp, its]) => [fp, byDay(its)]));
};

/** Corrections that a seller was not told yet; of several late days the first with room tells them. */
export const correctionsFor = async (
  days: Pick<SalesDays, "corrections">,
  sellers: readonly ReportSeller[],
) => {
  const toldUntil = ({ correctionsTold, since }: ReportSeller) => correctionsTold ?? since;
  const after = new Map<string, Temporal.Instant>();
  for (const seller of sellers) {
    const until = toldUntil(seller);
    const known = after.get(seller.accountFp);
    if (known === undefined || Temporal.Instant.compare(until, known) < 0)
      after.set(seller.accountFp, until);
  }
  const found = await days.corrections(after);
  const noticed = Map.groupBy(found, ({ accountFp }) => accountFp);
  return (seller: ReportSeller, until = toldUntil(seller)): readonly SalesCorrection[] =>
    (noticed.get(seller.accountFp) ?? []).filter(
      ({ noticedAt }) => Temporal.Instant.compare(noticedAt, until) > 0,
    );
};
