import type { SettlementHooks } from "../delivery/deliver.job.ts";
import { type NewDelivery, notice, referenceOf, type RouteOwner } from "../delivery/delivery.ts";
import { type ReportSettlementNeeds, routeSettlement } from "../reports/daily-sales-report.job.ts";
import { isLate } from "../reports/report-schedule.ts";
import type { SalesDays } from "../reports/sales-days.store.ts";
import { keptDaysOf } from "../reports/report-reading.job.ts";
import { createTurns, createWorkers } from "../shared/concurrency.ts";
import type { Logger } from "../shared/log.ts";
import { type Clock, HOUR, msBetween } from "../shared/time.ts";
import {
  closeFigures,
  closeKey,
  type CloseRoute,
  type CloseSeller,
  closesOwed,
  isQuiet,
  lackingOf,
  mayWait,
  type OwedClose,
  periodBefore,
  type SellerDays,
} from "./close.ts";
import { closePost, uncertainCloseNotice } from "./close.view.ts";
import type { Closes } from "./closes.store.ts";

interface ClosesNeeds {
  readonly clock: Clock;
  /** A period is over by the clock of the service, which defines its days. */
  readonly serviceClock: Clock;
  readonly log: Logger;
  readonly closes: Pick<Closes, "lacking" | "sellers" | "record">;
  readonly salesDays: Pick<SalesDays, "between" | "ofGuild">;
  /** Called after each enqueued close. */
  readonly onOwed: () => void;
}

const CONCURRENCY = 4;
/** Servers looked at before the event loop gets a turn. */
const TURN = 25;
/** A longer break between two runs means that the machine slept. */
const LONGEST_BREAK_MS = 2 * HOUR;
/** The background, which runs as often as this job, reads a few days in each run. */
const FEWEST_RUNS = 10;

/** Enqueues the closes that are due and whose days are kept. One server's failure never rejects the run. */
export const createClosesJob = (needs: ClosesNeeds) => {
  const { clock, serviceClock, log, closes, salesDays } = needs;
  const turn = createTurns();
  let lastRun = serviceClock.now();
  let runs = 0;
  /**
   * Since when this process has seen each `progressId` lack a close. It begins again after the machine slept, the key was
   * refused or the channel was lost, as no days are read then.
   */
  const listedSince = new Map<string, Temporal.Instant>();

  const noticeBreaks = (now: Temporal.Instant): void => {
    if (msBetween(now, lastRun) > LONGEST_BREAK_MS) {
      runs = 0;
      listedSince.clear();
    }
    lastRun = now;
    runs++;
  };

  const daysOfSellers = async (
    sellers: readonly CloseSeller[],
    { route, period }: OwedClose,
  ): Promise<readonly SellerDays[]> => {
    const [first] = sellers;
    if (first === undefined) return [];
    const { from } = periodBefore(period);
    const kept = await keptDaysOf(salesDays, { ...route, ...first }, from, period.to);
    return sellers.map(({ ownerId, accountFp, isRefused }) => ({
      ownerId,
      isRefused,
      days: [...(kept.get(accountFp)?.values() ?? [])],
    }));
  };

  const prepare = async (owed: OwedClose): Promise<"done" | "waits"> => {
    const { route, period, dueAt } = owed;
    const sellers = route.seller ? [route.seller] : await closes.sellers(route.guildId, dueAt);
    const days = await daysOfSellers(sellers, owed);
    // SQLite's answers leave no turn to the event loop.
    await turn();
    const now = serviceClock.now();
    const lacking = lackingOf(period, days);
    const since = listedSince.get(route.progressId) ?? now;
    const mayCatchUp = runs <= FEWEST_RUNS || mayWait(lacking, dueAt, since, now);
    if (lacking !== "nothing" && mayCatchUp) return "waits";
    const figures = closeFigures(period, days);
    const isSilent = sellers.length === 0 || (isQuiet(figures) && route.emptyChoice === "skip");
    const accountIds = sellers.flatMap((seller) => seller.accountIds);
    const delivery = isSilent ? undefined : deliveryOf(owed, figures, accountIds, now);
    if (!(await closes.record(owed, accountIds, delivery, clock.now()))) return "waits";
    if (delivery !== undefined) needs.onOwed();
    return "done";
  };

  /** Closes of one server and kind stay in order: a mark never moves past a close that waits. */
  const prepareInOrder = async (owed: readonly OwedClose[], stopping: AbortSignal) => {
    const waiting = new Set<string>();
    for (const each of owed) {
      const { kind } = each.period;
      if (stopping.aborted || waiting.has(kind)) continue;
      await turn();
      try {
        if ((await prepare(each)) === "waits") waiting.add(kind);
      } catch (error) {
        waiting.add(kind);
        const { guildId, subscriberId } = each.route;
        log.error({ guildId, subscriberId, kind, err: error }, "a close cannot be prepared");
      }
    }
  };

  const prepareFor = async (
    routes: readonly CloseRoute[],
    now: Temporal.Instant,
    stopping: AbortSignal,
  ): Promise<void> => {
    const owing: (readonly OwedClose[])[] = [];
    for (const [place, route] of routes.entries()) {
      if (place % TURN === TURN - 1) await turn();
      const owed = closesOwed(route, now);
      if (owed.length > 0) owing.push(owed);
    }
    await createWorkers(CONCURRENCY)(owing, (owed) => prepareInOrder(owed, stopping), stopping);
  };

  return async (stopping: AbortSignal): Promise<void> => {
    const now = serviceClock.now();
    noticeBreaks(now);
    const listed = new Set<string>();
    for await (const routes of closes.lacking(now)) {
      if (stopping.aborted) return;
      for (const { progressId } of routes) {
        listed.add(progressId);
        listedSince.getOrInsert(progressId, now);
      }
      await prepareFor(routes, now, stopping);
    }
    for (const id of listedSince.keys()) if (!listed.has(id)) listedSince.delete(id);
  };
};

const deliveryOf = (
  owed: OwedClose,
  figures: ReturnType<typeof closeFigures>,
  sellers: readonly string[],
  now: Temporal.Instant,
): NewDelivery => {
  const { route, period, dueAt } = owed;
  const dedupeKey = closeKey(route, period);
  const { guildId, target, locale, seller } = route;
  const late = isLate(dueAt, now);
  const reference = referenceOf(dedupeKey);
  return {
    dedupeKey,
    kind: "close",
    target,
    // A direct message does not depend on the server's channel.
    guildId: target.kind === "channel" ? guildId : null,
    accountId: target.kind === "channel" ? null : route.progressId,
    payload: {
      ...closePost({
        figures,
        dueAt,
        late,
        locale,
        reference,
        directKey: seller?.keyLast4,
        hasOthers: seller?.hasOthers,
      }),
      sellers,
    },
    notBefore: now,
    day: period.to,
    closeKind: period.kind,
  };
};

/** A close is of all sellers: each owner of the route is told of one that may or may not have been posted. */
export const closeSettlement = (
  needs: Pick<ReportSettlementNeeds, "clock" | "outbox" | "routes">,
): SettlementHooks => {
  const { clock, outbox, routes } = needs;
  return routeSettlement(needs, async ({ day, closeKind: kind, dedupeKey }, place) => {
    const { guildId } = place;
    const route = await routes.find(guildId);
    if (day === undefined || kind === undefined || route === undefined) return;
    const now = clock.now();
    const unclearTo = async ({ id, locale = route.locale }: RouteOwner): Promise<NewDelivery> => {
      const key = `notice|uncertain|${dedupeKey}|${id}`;
      const post = { dedupeKey: key, guildId, accountId: null, notBefore: now };
      return notice(id, post, (reference) =>
        uncertainCloseNotice({ ...place, kind, locale, day, reference }),
      );
    };
    await outbox.enqueueEach(await routes.owners(guildId), unclearTo, now);
  });
};
