import { setImmediate } from "node:timers/promises";
import type { Account } from "../accounts/account.ts";
import {
  channelLostNotices,
  type ClaimedDelivery,
  type NewDelivery,
  notice,
  referenceOf,
} from "../delivery/delivery.ts";
import {
  type DueReport,
  dueReportsAt,
  hoursDue,
  latestClosedDay,
  reportKey,
  type ReportSubscription,
} from "./report-schedule.ts";
import type { ReportRoute } from "./report-route.ts";
import type { SalesReport } from "./sales.ts";
import { correctionsToTell, type SalesCorrection } from "./sales-days.ts";
import type { SalesDays } from "./sales-days.store.ts";
import { type Clock, MINUTE, SECOND } from "../shared/time.ts";
import { WalletError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import type { OutboxStore } from "../delivery/outbox.store.ts";
import type { ReportLedger } from "./report-ledger.store.ts";
import type { ReportRoutesStore } from "./report-routes.store.ts";
import { dailyReportPost } from "./sales-report.view.ts";
import { createWorkers } from "../shared/concurrency.ts";
import type { SettlementHooks } from "../delivery/deliver.job.ts";
import { pauseRefusedKey } from "../accounts/account-notices.job.ts";
import { channelLostNotice, uncertainReportNotice } from "../accounts/notices.view.ts";

export interface DailySalesReportNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly ledger: ReportLedger;
  readonly accounts: Pick<AccountsStore, "findById" | "pause">;
  /** Reads with background priority. @throws WalletError */
  readonly readReport: (account: Account, day: Temporal.PlainDate) => Promise<SalesReport>;
  /** Corrections of kept days that were noticed after that instant. */
  readonly corrections: SalesDays["corrections"];
  /** Called after each enqueued report. */
  readonly onOwed: () => void;
}

/** Enqueues all reports that are due. One seller's failure never rejects the run. */
export type DailySalesReport = (stopping: AbortSignal) => Promise<void>;

const CONCURRENCY = 12;
/** Subscriptions processed before the event loop gets a turn. */
const TURN = 50;

export const createDailySalesReport = (needs: DailySalesReportNeeds): DailySalesReport => {
  const { clock, log, ledger, accounts, readReport } = needs;
  const backoff = createBackoff();

  const prepare = async (due: DueReport, isFirst: boolean): Promise<"done" | "stop"> => {
    const { subscription, day } = due;
    const account = await accounts.findById(subscription.accountId);
    if (account === undefined) return "stop";
    // Taken before the request: the answer may lack sales made while it was under way.
    const readAt = clock.now();
    const report = await readReport(account, day);
    // Of several late days the first tells them.
    const noticed = isFirst ? await correctionsFor(account, subscription) : [];
    const delivery = deliveryOf(due, report, readAt, noticed);
    const told = delivery && noticed.at(-1)?.noticedAt;
    const recorded = await ledger.record(account.id, day, delivery, clock.now(), told);
    if (!recorded) return "stop";
    needs.onOwed();
    return "done";
  };

  const correctionsFor = async (
    { accountFp }: Account,
    { lastDay, correctionsTold, since }: ReportSubscription,
  ): Promise<readonly SalesCorrection[]> =>
    lastDay === undefined ? [] : await needs.corrections(accountFp, correctionsTold ?? since);

  const giveUpForNow = async (due: DueReport, error: unknown): Promise<void> => {
    const { subscription, day } = due;
    const now = clock.now();
    backoff.failed(subscription.accountId, now);
    const context = { accountId: subscription.accountId, day: day.toString(), err: error };
    if (!(error instanceof WalletError)) return log.error(context, "a report cannot be prepared");
    if (error.kind !== "unauthorized") return log.warn(context, "a report cannot be read now");
    const account = await accounts.findById(subscription.accountId);
    if (account === undefined) return undefined;
    await pauseRefusedKey(accounts, subscription, account, error, now);
    return log.warn(context, "a key is refused; its jobs wait");
  };

  /** Prepares one seller's days, oldest first: the window must not move past an unprepared day. */
  const prepareInOrder = async (days: readonly DueReport[], stopping: AbortSignal) => {
    for (const [place, due] of days.entries()) {
      if (stopping.aborted) return;
      try {
        if ((await prepare(due, place === 0)) === "stop") return;
      } catch (error) {
        await giveUpForNow(due, error);
        return;
      }
    }
  };

  return async (stopping) => {
    const now = clock.now();
    const hours = hoursDue(await ledger.hours(), now);
    const owing = await ledger.owing(latestClosedDay(now), hours);
    const sellers = await bySeller(owing, now);
    backoff.keepOnly(new Set(sellers.keys()));
    const waiting = [...sellers].filter(([accountId]) => backoff.mayTry(accountId, now));
    const prepareFor = async ([accountId, days]: (typeof waiting)[number]): Promise<void> => {
      try {
        await prepareInOrder(days, stopping);
      } catch (error) {
        // One seller's failure, even a failure to record it, must not stop the others.
        log.error({ accountId, err: error }, "a seller's reports cannot be prepared");
      }
    };
    await createWorkers(CONCURRENCY)(waiting, prepareFor, stopping);
  };
};

/** Due reports by seller, longest overdue first. */
const bySeller = async (
  owing: readonly ReportSubscription[],
  now: Temporal.Instant,
): Promise<ReadonlyMap<string, readonly DueReport[]>> => {
  const due: DueReport[] = [];
  const dueOf = dueReportsAt(now);
  for (let start = 0; start < owing.length; start += TURN) {
    if (start > 0) await setImmediate();
    due.push(...dueOf(owing.slice(start, start + TURN)));
  }
  due.sort((one, other) => Temporal.Instant.compare(one.dueAt, other.dueAt));
  return Map.groupBy(due, ({ subscription }) => subscription.accountId);
};

const deliveryOf = (
  due: DueReport,
  report: SalesReport,
  readAt: Temporal.Instant,
  noticed: readonly SalesCorrection[],
): NewDelivery | undefined => {
  const { subscription, day, dueAt, late, notBefore } = due;
  const { accountId, guildId, ownerId, channelId, locale, emptyChoice } = subscription;
  const dedupeKey = reportKey(subscription, day);
  const reference = referenceOf(dedupeKey);
  const corrections = correctionsToTell(noticed, subscription.lastDay);
  const facts = {
    report,
    readAt,
    ownerId,
    late,
    dueAt,
    locale,
    reference,
    emptyChoice,
    corrections,
  };
  const payload = dailyReportPost(facts);
  if (payload === undefined) return undefined;
  const target = { kind: "channel", channelId } as const;
  // Not before `readAt`: the outbox then finds the first of many deliveries without sorting them.
  const from = Temporal.Instant.compare(notBefore, readAt) < 0 ? readAt : notBefore;
  const kind = "sales_report";
  return { dedupeKey, kind, target, guildId, accountId, payload, notBefore: from, day };
};

interface ReportSettlementNeeds {
  readonly clock: Clock;
  readonly accounts: Pick<AccountsStore, "findById">;
  readonly outbox: Pick<OutboxStore, "enqueue">;
  readonly routes: Pick<ReportRoutesStore, "find" | "suspend" | "lift" | "owners">;
}

/** Tells owners of unclear reports and lost channels, and resumes a route whose channel is back. */
export const reportSettlement = (needs: ReportSettlementNeeds): SettlementHooks => {
  const { clock, accounts, outbox, routes } = needs;

  const notifyOfUncertainty = async (claim: ClaimedDelivery, channelId: string): Promise<void> => {
    const { accountId, day, dedupeKey } = claim;
    if (accountId === null || day === undefined) return;
    const account = await accounts.findById(accountId);
    const route = account && (await routes.find(account.guildId));
    if (account === undefined || route === undefined) return;
    const now = clock.now();
    const channel = { channelId, locale: route.locale };
    await outbox.enqueue(uncertainReport(dedupeKey, day, account, channel, now), now);
  };

  return {
    onSettling: async (claim, { state }) => {
      const { target, guildId, wasBlocked } = claim;
      if (target.kind !== "channel" || guildId === null) return;
      if (state === "unknown") await notifyOfUncertainty(claim, target.channelId);
      if (state === "sent" && wasBlocked) await routes.lift(guildId, target.channelId);
    },
    onSettled: async ({ target, guildId }, { state }) => {
      if (state !== "blocked" || target.kind !== "channel" || guildId === null) return;
      const route = await routes.find(guildId);
      if (route === undefined || route.suspendedAt !== undefined) return;
      const now = clock.now();
      const owners = await routes.owners(guildId);
      const { channelId, locale } = route;
      const lost = { guildId, channelId, locale, noticedAt: now };
      const notices = channelLostNotices("channel_lost", lost, owners, now, (reference) =>
        channelLostNotice({ ...lost, reference }),
      );
      // Has no effect if the guild has chosen another channel by now.
      await routes.suspend(guildId, target.channelId, now, notices);
    },
  };
};

/** The first wait is shorter than a heartbeat, so that one failure costs one minute. */
const WAITS_MS = [30 * SECOND, 90 * SECOND, 4 * MINUTE, 8 * MINUTE, 15 * MINUTE];
const LONGEST_WAIT_MS = 15 * MINUTE;

/** Makes an account wait longer after each failure. In memory only: a restart costs one attempt and loses no report. */
interface Backoff {
  readonly mayTry: (id: string, now: Temporal.Instant) => boolean;
  readonly failed: (id: string, now: Temporal.Instant) => void;
  readonly keepOnly: (ids: ReadonlySet<string>) => void;
}

const createBackoff = (): Backoff => {
  const waiting = new Map<string, { readonly failures: number; readonly untilMs: number }>();
  return {
    mayTry: (id, now) => {
      const leftMs = (waiting.get(id)?.untilMs ?? 0) - now.epochMilliseconds;
      // A wait beyond the longest means that the clock was set back.
      return leftMs <= 0 || leftMs > LONGEST_WAIT_MS;
    },
    failed: (id, now) => {
      const failures = (waiting.get(id)?.failures ?? 0) + 1;
      const waitMs = WAITS_MS[Math.min(failures, WAITS_MS.length) - 1] ?? LONGEST_WAIT_MS;
      waiting.set(id, { failures, untilMs: now.epochMilliseconds + waitMs });
    },
    keepOnly: (ids) => {
      for (const id of waiting.keys()) if (!ids.has(id)) waiting.delete(id);
    },
  };
};

type ReportChannel = Pick<ReportRoute, "guildId" | "channelId" | "locale">;

/** Tells the owner that a report may or may not have been posted. */
const uncertainReport = (
  reportKey: string,
  day: Temporal.PlainDate,
  { id, guildId, ownerId }: Account,
  { channelId, locale }: Pick<ReportChannel, "channelId" | "locale">,
  now: Temporal.Instant,
): NewDelivery =>
  notice(
    ownerId,
    { dedupeKey: `notice|uncertain|${reportKey}`, guildId, accountId: id, notBefore: now },
    (reference) => uncertainReportNotice({ guildId, channelId, locale, day, reference }),
  );
