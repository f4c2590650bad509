import { setImmediate } from "node:timers/promises";
import type { Account } from "../accounts/account.ts";
import type { Presences } from "../accounts/presences.store.ts";
import type { AccountWithKey } from "../accounts/account-connections.store.ts";
import {
  type ClaimedDelivery,
  loggedDelivery,
  type NewDelivery,
  notice,
  referenceOf,
  withoutSellers,
} from "../delivery/delivery.ts";
import { reportKinds } from "../delivery/delivery-policies.ts";
import { suspendLostRoute } from "../delivery/lost-channel.job.ts";
import { mayStand } from "../delivery/settlement.ts";
import { type DueReport, dueReportsAt, hoursDue, latestClosedDay } from "./report-schedule.ts";
import type { SalesDay } from "./sales-days.ts";
import type { SalesDays } from "./sales-days.store.ts";
import { type Clock, MINUTE, SECOND } from "../shared/time.ts";
import { isRefusedKey, WalletError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import type { Goals } from "../goals/goals.store.ts";
import type { OutboxStore } from "../delivery/outbox.store.ts";
import type { ReportLedger } from "./report-ledger.store.ts";
import type { ReportRoutesStore } from "./report-routes.store.ts";
import type { ReportSeller } from "./report-sellers.store.ts";
import { createComposeReports } from "./compose-report.job.ts";
import { type DueSeller, isReadFor, type KeptDays, keptDaysOf } from "./report-reading.job.ts";
import { tellsNothing } from "./daily-report.ts";
import { dailyReportPost } from "./daily-report.view.ts";
import { createTurns, createWorkers } from "../shared/concurrency.ts";
import type { Revalidate, SettlementHooks } from "../delivery/deliver.job.ts";
import { pauseRefusedKey } from "../accounts/account-notices.job.ts";
import {
  channelLostNotice,
  rejectedReportNotice,
  uncertainReportNotice,
} from "../accounts/notices.view.ts";

export interface DailySalesReportNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly ledger: Pick<ReportLedger, "hours" | "owing" | "record" | "recordDay" | "sellersOf">;
  readonly accounts: Pick<AccountsStore, "findByIdWithKey" | "ofOwner" | "pause" | "stayedIn">;
  /** Reads with background priority and keeps the figures. @throws WalletError */
  readonly readReport: (
    connection: AccountWithKey,
    day: Temporal.PlainDate,
  ) => Promise<Pick<SalesDay, "day" | "readAt">>;
  readonly days: Pick<SalesDays, "between" | "corrections" | "ofGuild">;
  readonly goals: Pick<Goals, "direct" | "shown">;
  /** Untrusted text; undefined when Discord does not tell the name. */
  readonly guildName: (guildId: string) => Promise<string | undefined>;
  /** Called when a run has a seller to read, a moment before its first post; not while all wait after a failure. */
  readonly onReading: () => void;
  /** Called after each enqueued report or notice. */
  readonly onOwed: () => void;
}

/** Each waits for the commit that it shares with the others. */
const CONCURRENCY = 64;
/** Subscriptions processed before the event loop gets a turn. */
const TURN = 50;

/**
 * Enqueues all reports that are due: reads each seller who lacks a day, and then writes the reports of each server whose
 * sellers were all tried. The figures are kept days, so that a new process does not read them again. One seller's failure
 * never rejects the run.
 */
export const createDailySalesReport = (needs: DailySalesReportNeeds) => {
  const { clock, log, ledger, accounts } = needs;
  const backoff = createBackoff();
  const compose = createComposeReports(needs);
  const turn = createTurns();

  const giveUpForNow = async (
    { subscription, day }: DueReport,
    account: Account | undefined,
    error: unknown,
  ): Promise<void> => {
    backoff.failed(subscription.accountId, clock.now());
    const context = { accountId: subscription.accountId, day: day.toString(), err: error };
    if (!(error instanceof WalletError)) return log.error(context, "a report cannot be prepared");
    if (!isRefusedKey(error)) return log.warn(context, "a report cannot be read now");
    if (account !== undefined) await pauseRefusedKey(needs, account, subscription.locale, error);
  };

  /** The service's clock has not come to the report's hour. */
  const waitForService = (
    { subscription: { accountId } }: DueReport,
    { day, readAt }: Pick<SalesDay, "day" | "readAt">,
  ) => {
    backoff.failed(accountId, clock.now());
    const context = { accountId, day: day.toString(), readAt: readAt.toString() };
    log.warn(context, "a report waits: the service's clock has not come to its hour");
  };

  /** Asks the database once for all due days of a server, which come oldest first. */
  const knownDaysOf = (days: readonly DueSeller[]): KnownDays => {
    let asked: Promise<KeptDays> | undefined;
    return async (due) => {
      const [first, last] = [days[0] ?? due, days.at(-1) ?? due];
      asked ??= keptDaysOf(needs.days, first.subscription, first.day, last.day);
      const figures = (await asked).get(due.subscription.accountFp)?.get(due.day.toString());
      return figures !== undefined && isReadFor(figures, due.dueAt);
    };
  };

  /** Reads one seller's days, oldest first: no day is told before an earlier one. */
  const readInOrder = async ({ days, isKnown }: SellerTask, stopping: AbortSignal) => {
    for (const due of days) {
      await turn();
      if (stopping.aborted) return;
      let account: Account | undefined;
      try {
        if (await isKnown(due)) continue;
        const connection = await accounts.findByIdWithKey(due.subscription.accountId);
        if (connection === undefined) return;
        ({ account } = connection);
        const figures = await needs.readReport(connection, due.day);
        if (!isReadFor(figures, due.dueAt)) return waitForService(due, figures);
      } catch (error) {
        await giveUpForNow(due, account, error);
        return;
      }
    }
  };

  return async (stopping: AbortSignal): Promise<void> => {
    const now = clock.now();
    const hours = hoursDue(await ledger.hours(), now);
    const owing = new Set<string>();
    const left = new Map<string, number>();
    let isReading = false;
    // Server after server: the posts of the first go out while the sellers of the others are read.
    const tasks = async function* (): AsyncGenerator<SellerTask> {
      for await (const page of ledger.owing(latestClosedDay(now), hours)) {
        const subscribers = Map.groupBy(
          await allDue(page, now),
          ({ subscription }) => subscription.subscriberId,
        );
        for (const [subscriberId, days] of subscribers) {
          const isKnown = knownDaysOf(days);
          const sellers = Map.groupBy(days, ({ subscription }) => subscription.accountId);
          left.set(subscriberId, sellers.size);
          for (const [accountId, its] of sellers) {
            owing.add(accountId);
            yield { accountId, subscriberId, days: its, isKnown };
          }
        }
      }
      backoff.keepOnly(owing);
    };
    const work = async (task: SellerTask): Promise<void> => {
      const { accountId, subscriberId } = task;
      try {
        if (backoff.mayTry(accountId, now)) {
          if (!isReading) needs.onReading();
          isReading = true;
          await readInOrder(task, stopping);
        }
      } catch (error) {
        // One seller's failure, even a failure to record it, must not stop the others.
        log.error({ accountId, err: error }, "a seller's reports cannot be prepared");
      }
      const others = (left.get(subscriberId) ?? 0) - 1;
      left.set(subscriberId, others);
      if (others > 0 || stopping.aborted) return;
      await turn();
      try {
        await compose(subscriberId, stopping);
      } catch (error) {
        log.error({ subscriberId, err: error }, "the reports of a server cannot be prepared");
      }
    };
    await createWorkers(CONCURRENCY)(tasks(), work, stopping);
  };
};

/** Whether the figures of a due day are known well enough for its report. */
type KnownDays = (due: DueSeller) => Promise<boolean>;

interface SellerTask {
  readonly accountId: string;
  readonly subscriberId: string;
  readonly days: readonly DueSeller[];
  readonly isKnown: KnownDays;
}

/** Due reports, longest overdue first. */
const allDue = async (
  owing: readonly ReportSeller[],
  now: Temporal.Instant,
): Promise<readonly DueSeller[]> => {
  const due: DueSeller[] = [];
  const dueOf = dueReportsAt(now);
  for (let start = 0; start < owing.length; start += TURN) {
    if (start > 0) await setImmediate();
    due.push(...dueOf(owing.slice(start, start + TURN)));
  }
  return due.sort((one, other) => Temporal.Instant.compare(one.dueAt, other.dueAt));
};

/**
 * Keeps a report or close out of a channel that an admin has replaced or switched off after it was claimed. Other
 * deliveries, and those whose route cannot be read, are left to `revalidate`.
 */
export const withReportRoute =
  (
    needs: { readonly log: Logger; readonly routes: Pick<ReportRoutesStore, "find"> },
    revalidate: Revalidate,
  ): Revalidate =>
  async (claim) => {
    const { guildId, kind, target } = claim;
    const isRouted = target.kind === "channel" && reportKinds.includes(kind);
    if (!isRouted || guildId === null) return await revalidate(claim);
    try {
      const route = await needs.routes.find(guildId);
      if (route?.active === false) return { kind: "untrue", unsent: undefined };
      if (route !== undefined && route.channelId !== target.channelId)
        return { kind: "moved", target: { kind: "channel", channelId: route.channelId } };
    } catch (error) {
      needs.log.error({ ...loggedDelivery(claim), err: error }, "a report's channel is not known");
    }
    return await revalidate(claim);
  };

export interface ReportSettlementNeeds {
  readonly clock: Clock;
  readonly accounts: Pick<AccountsStore, "findById">;
  readonly outbox: Pick<OutboxStore, "enqueueEach">;
  readonly presences: Pick<Presences, "hasLeft">;
  readonly routes: Pick<ReportRoutesStore, "find" | "suspend" | "lift" | "owners">;
}

interface ReportPlace {
  readonly guildId: string;
  readonly channelId: string;
}

/** To the admin who set the route: Discord rejects the post for good. */
const tellOfRejection = async (
  { clock, outbox, routes }: Pick<ReportSettlementNeeds, "clock" | "outbox" | "routes">,
  { day, dedupeKey, closeKind }: ClaimedDelivery,
  place: ReportPlace,
): Promise<void> => {
  const route = await routes.find(place.guildId);
  if (route === undefined || day === undefined) return;
  const facts = { ...place, locale: route.locale, day, closeKind };
  const now = clock.now();
  const key = `notice|rejected|${dedupeKey}`;
  const post = { guildId: place.guildId, accountId: null, notBefore: now, dedupeKey: key };
  const toAdmin = async (adminId: string): Promise<NewDelivery> =>
    notice(adminId, post, (reference) => rejectedReportNotice({ ...facts, reference }));
  await outbox.enqueueEach([route.updatedBy], toAdmin, now);
};

/**
 * Suspends a route whose channel is lost, and resumes it when the channel is back. The admin who set it is told of a post
 * that Discord rejects.
 */
export const routeSettlement = (
  { clock, outbox, routes }: Pick<ReportSettlementNeeds, "clock" | "outbox" | "routes">,
  notifyOfUncertainty: (claim: ClaimedDelivery, place: ReportPlace) => Promise<void>,
): SettlementHooks => ({
  onSettling: async (claim, { state }) => {
    const { target, guildId, wasBlocked } = claim;
    if (target.kind !== "channel" || guildId === null) return;
    const { channelId } = target;
    if (state === "unknown" || (state === "dead" && mayStand(claim)))
      return await notifyOfUncertainty(claim, { guildId, channelId });
    if (state === "dead")
      await tellOfRejection({ clock, outbox, routes }, claim, { guildId, channelId });
    if (state !== "sent") return;
    // The first post after all that waited were given up was not blocked itself.
    const isLost = wasBlocked || (await routes.find(guildId))?.suspendedAt !== undefined;
    if (isLost) await routes.lift(guildId, channelId);
  },
  onSettled: async (claim, { state }) => {
    if (state !== "blocked") return;
    await suspendLostRoute(claim, clock, routes, "channel_lost", channelLostNotice);
    const { target, guildId, firstAttemptAt, claimedAt } = claim;
    if (target.kind !== "channel" || guildId === null) return;
    // An earlier attempt may have posted it: its next one would search the lost channel again, and at once.
    if (Temporal.Instant.compare(firstAttemptAt, claimedAt) < 0) return;
    // A channel that was chosen during the attempt left it where it was: it goes there with its next attempt.
    const route = await routes.find(guildId);
    const isReplaced = route?.active === true && route.channelId !== target.channelId;
    if (isReplaced) await routes.lift(guildId, target.channelId);
  },
});

/** Words a report when it is posted, and tells the owners of one that may or may not have been posted. */
export const reportSettlement = (needs: ReportSettlementNeeds): SettlementHooks => {
  const { clock, accounts, outbox, presences, routes } = needs;

  return {
    ...routeSettlement(needs, async ({ accountId, day, dedupeKey, payload }, { channelId }) => {
      if (day === undefined) return;
      const told = payload.report?.sellers.map((seller) => seller.accountId) ?? [];
      const now = clock.now();
      const unclearTo = async (id: string): Promise<NewDelivery | undefined> => {
        const account = await accounts.findById(id);
        const route = account && (await routes.find(account.guildId));
        if (account === undefined || route === undefined) return undefined;
        // The post left out who has left the server.
        if (await presences.hasLeft(account)) return undefined;
        const { guildId, ownerId } = account;
        const locale = account.locale ?? route.locale;
        const key = `notice|uncertain|${accountId === null ? `${dedupeKey}|${id}` : dedupeKey}`;
        const post = { dedupeKey: key, guildId, accountId: id, notBefore: now };
        return notice(ownerId, post, (reference) =>
          uncertainReportNotice({ guildId, channelId, locale, day, reference }),
        );
      };
      await outbox.enqueueEach(accountId === null ? told : [accountId], unclearTo, now);
    }),
    payloadOf: ({ dedupeKey, payload, lostLives }, absent) => {
      if (payload.report === undefined) return payload;
      const report = withoutSellers(payload.report, absent);
      if (report === undefined || tellsNothing(report)) return undefined;
      const doubtful = lostLives.some(({ cause }) => cause === "restored");
      return dailyReportPost({ ...report, doubtful }, clock.now(), referenceOf(dedupeKey));
    },
  };
};

/** The first wait is shorter than a heartbeat, so that one failure costs one minute. */
const WAITS_MS = [30 * SECOND, 90 * SECOND, 4 * MINUTE, 8 * MINUTE];
const LONGEST_WAIT_MS = 15 * MINUTE;

/** Makes an account wait longer after each failure. In memory only: a restart costs one attempt and loses no report. */
const createBackoff = () => {
  const waiting = new Map<string, { readonly failures: number; readonly untilMs: number }>();
  return {
    mayTry: (id: string, now: Temporal.Instant): boolean => {
      const leftMs = (waiting.get(id)?.untilMs ?? 0) - now.epochMilliseconds;
      // A wait beyond the longest means that the clock was set back.
      return leftMs <= 0 || leftMs > LONGEST_WAIT_MS;
    },
    failed: (id: string, now: Temporal.Instant): void => {
      const failures = (waiting.get(id)?.failures ?? 0) + 1;
      const waitMs = WAITS_MS[failures - 1] ?? LONGEST_WAIT_MS;
      waiting.set(id, { failures, untilMs: now.epochMilliseconds + waitMs });
    },
    keepOnly: (ids: ReadonlySet<string>): void => {
      for (const id of waiting.keys()) if (!ids.has(id)) waiting.delete(id);
    },
  };
};
