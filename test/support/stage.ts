import { setImmediate } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { Account } from "#src/accounts/account.ts";
import { walletKeyOf } from "#src/accounts/wallet-key.ts";
import type { SalesReport } from "#src/reports/sales.ts";
import {
  createServiceClock,
  type ReadSalesReport,
  type SalesDay,
  salesDayOf,
} from "#src/reports/sales-days.ts";
import { keepSalesDays } from "#src/reports/sales-days.service.ts";
import { createSignal } from "#src/delivery/deliver.job.ts";
import { settlementHooks, upkeepOf } from "#src/bot-jobs.ts";
import { createDailySalesReport, withReportRoute } from "#src/reports/daily-sales-report.job.ts";
import { createClosesJob } from "#src/closes/closes.job.ts";
import { createSalesHistory } from "#src/reports/sales-history.job.ts";
import { createRevalidateAlert } from "#src/disputes/revalidate-alert.job.ts";
import { createScheduler, type Scheduler } from "#src/scheduler/scheduler.job.ts";
import { noMetrics } from "#src/shared/metrics.ts";
import { cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import { openTestDatabase, quietLog, standingClock } from "./databases.ts";
import { openTestStores } from "../database/use-store.ts";
import { createFakeChannels, testDeliver } from "./fake-channels.ts";
import { asRoute } from "./samples.ts";

export const GUILD = "g1";
export const CHANNEL = "c1";
export const ADMIN = "u-admin";

export interface Seller {
  readonly ownerId: string;
  readonly guildId?: string;
  readonly since: Temporal.Instant;
  /** Has the own report by direct message, and no part in the channel's. */
  readonly isDirect?: boolean;
  /** False: agreed to no report. */
  readonly agrees?: boolean;
  /** By default a key of this connection alone. */
  readonly apiKey?: string;
  /** The service's user, whose keys are all of one wallet account. */
  readonly userId?: string;
}

export interface Route {
  readonly guildId?: string;
  readonly channelId?: string;
  readonly time?: string;
  readonly timeZone?: string;
  readonly emptyChoice?: "send" | "line" | "skip";
  readonly active?: boolean;
  readonly since: Temporal.Instant;
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

export const sold = (day: Temporal.PlainDate, reais = 100): SalesReport => {
  const totals = { sales: cents(reais * 100), fees: cents(reais * 2), net: cents(reais * 98) };
  const nothing = { sales: cents(0), fees: cents(0), net: cents(0), count: 0 };
  return {
    day,
    userId: "123456789012345678",
    total: totals,
    byOrigin: { api: { ...totals, count: reais === 0 ? 0 : 1 }, esales: nothing },
  };
};

/** The same as kept figures. */
export const soldDay = (readAt: Temporal.Instant, ...sales: Parameters<typeof sold>): SalesDay =>
  salesDayOf({ ...sold(...sales), readAt });

/** The scheduled work on a real database, between a wallet that answers at once and recording channels, for one test. */
export const openStage = async (start: string, url = "sqlite::memory:") => {
  const clock = standingClock(start);
  const database = await openTestDatabase(url, clock);
  onTestFinished(database.close);
  const stores = await openTestStores(database);
  const { accounts, outbox, routes, ledger } = stores;
  const channels = createFakeChannels(clock);
  const wallet = {
    read: async (_: Account, day: Temporal.PlainDate): Promise<SalesReport> =>
      setImmediate(sold(day)),
  };
  const news = createSignal();
  const retries: Temporal.Instant[] = [];
  const counted: string[] = [];
  const stopping = new AbortController();
  const { signal } = stopping;
  let starts = 0;
  const work = (onOwed: () => void) => {
    const common = { clock, log: quietLog, accounts };
    const deliver = testDeliver({
      ...common,
      metrics: {
        ...noMetrics,
        delivery: (kind, outcome) => void counted.push(`${kind} ${outcome}`),
      },
      owner: `p${++starts}`,
      outbox,
      posting: channels,
      hooks: settlementHooks({ ...stores, clock }),
      revalidate: withReportRoute(
        { log: quietLog, routes },
        createRevalidateAlert({
          ...common,
          onOwed,
          watch: stores.disputeWatch,
          routes: stores.alertRoutes,
          wallet: { dispute: () => Promise.reject(new Error("no dispute is read here")) },
        }),
      ),
    });
    const serviceClock = createServiceClock(clock);
    const { closes, salesDays } = stores;
    const readReport = async (
      account: Account,
      day: Temporal.PlainDate,
    ): Promise<ReadSalesReport> => {
      const keeping = { clock, log: quietLog, days: salesDays };
      const read = keepSalesDays(keeping, () => wallet.read(account, day));
      const report = await read(walletKeyOf(account, new Secret("")), day, "background");
      serviceClock.note(report);
      return report;
    };
    const history = { ...common, days: salesDays, readReport };
    const closing = { ...common, serviceClock, closes, salesDays, onOwed };
    return {
      deliver,
      salesHistory: createSalesHistory(history),
      closes: createClosesJob(closing),
      dailySalesReport: createDailySalesReport({
        ...common,
        ledger,
        readReport: ({ account }, day) => readReport(account, day),
        days: salesDays,
        goals: stores.goals,
        guildName: async () => "Loja Aurora",
        onReading: () => {},
        onOwed,
      }),
    };
  };
  const { deliver: post, dailySalesReport } = work(() => {});
  const prepare = () => dailySalesReport(signal);
  const deliver = () =>
    post({ stopping: signal, news, retryAt: (instant) => void retries.push(instant) });
  return {
    clock,
    stores,
    db: database.db,
    channels,
    wallet,
    stopping,
    addSeller: async ({ ownerId, guildId = GUILD, since, ...given }: Seller): Promise<string> => {
      const { isDirect = false, agrees = true, userId } = given;
      const { apiKey = `sk_sandbox_${guildId}_${ownerId}` } = given;
      const walletUserId = userId ?? apiKey;
      const account = {
        guildId,
        ownerId,
        connectedBy: ownerId,
        ownerVerified: true,
        reportConsent: agrees && !isDirect,
        reportDirect: agrees && isDirect,
        reportConsentAt: agrees ? since : undefined,
        connectedAt: since,
      };
      return (await accounts.save(account, new Secret(apiKey), walletUserId)).id;
    },
    saveRoute: async ({ guildId = GUILD, since, ...route }: Route): Promise<void> => {
      const { channelId = CHANNEL, timeZone = "America/Sao_Paulo", time = "21:05" } = route;
      const { emptyChoice = "send", active = true } = route;
      const fixed = { guildId, active, locale: "pt-BR", updatedBy: ADMIN } as const;
      const chosen = { channelId, time: Temporal.PlainTime.from(time), timeZone, emptyChoice };
      await routes.save(...asRoute({ ...fixed, ...chosen }), since);
    },
    prepare,
    deliver,
    /** Prepares and posts the daily reports that are due after that time. */
    beat: async (afterMs = 0): Promise<void> => {
      clock.moveBy(afterMs);
      await prepare();
      await deliver();
    },
    /** Texts of a channel's messages, with plain spaces. */
    textsIn: (channelId = CHANNEL): readonly string[] =>
      channels.inChannel(channelId).map(({ text }) => text.replaceAll("\u00a0", " ")),
    /** Makes a running delivery look for more work. */
    news,
    /** Times of the retries that deliveries requested. */
    retries,
    counted,
    /** Starts all jobs as a new process would, with memory of its own. `closes`: those of weeks and months too. */
    startProcess: ({ closes } = { closes: false }): Scheduler => {
      const jobs = work(() => void scheduler.wake());
      const { deliver: post, dailySalesReport: prepare } = jobs;
      const tidy = upkeepOf(stores);
      const scheduler: Scheduler = createScheduler<string>({
        clock,
        log: quietLog,
        everyMinute: () => () => {},
        deliver: post,
        jobs: {
          reports: { run: prepare },
          upkeep: { run: (stopping) => tidy(clock.now(), stopping) },
          ...(closes && {
            sales_history: { run: jobs.salesHistory },
            closes: { run: jobs.closes },
          }),
        },
      });
      return scheduler;
    },
    close: database.close,
  };
};

/** A stage for one test, with Ana's reports due each day at 00:05 UTC since 18 November 2026. */
export const stageWithAna = async (start: string): Promise<Stage & { readonly anaId: string }> => {
  const stage = await openStage(start);
  const since = Temporal.Instant.from("2026-11-18T12:00Z");
  await stage.saveRoute({ since });
  return { ...stage, anaId: await stage.addSeller({ ownerId: "u-ana", since }) };
};
