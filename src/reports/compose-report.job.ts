import type { NewDelivery } from "../delivery/delivery.ts";
import { goalProgress } from "../goals/goal.ts";
import { goalInReport } from "../goals/goal.view.ts";
import type { Cents } from "../shared/money.ts";
import { createTurns } from "../shared/concurrency.ts";
import { closeOf, earlierDay } from "../shared/report-day.ts";
import { earlierInstant, HOUR, MINUTE } from "../shared/time.ts";
import type { DailySalesReportNeeds } from "./daily-sales-report.job.ts";
import type { ToldSeller } from "./report-ledger.store.ts";
import type { ReportSeller } from "./report-sellers.store.ts";
import { correctionsFor, type KeptDays, keptDaysOf } from "./kept-days.job.ts";
import {
  dueInstant,
  type DueReport,
  dueReportsAt,
  reportKey,
  dailyReportKey,
} from "./report-schedule.ts";
import {
  correctionsBehind,
  correctionsInRoom,
  correctionsToTell,
  isWhole,
  type SalesCorrection,
  type SalesDay,
} from "./sales-days.ts";
import {
  daysCarried,
  soldNothing,
  MOST_CORRECTIONS,
  type DailyReport,
  type SellerFigures,
  sellerFiguresOf,
} from "./daily-report.ts";

/** How long the sellers who were read wait for the others. */
const WAITS_MS = 15 * MINUTE;
/** A report that still waits after this is given up: switched off, or without sellers. */
const FORGOTTEN_MS = HOUR;

/** Sellers processed before the event loop gets a turn. */
const TURN = 50;

/** Whether the figures are good for a report that was due then. */
export const isReadFor = (figures: SalesDay, dueAt: Temporal.Instant): boolean =>
  isWhole(figures) && Temporal.Instant.compare(figures.readAt, dueAt) >= 0;

/** Whether the report told the day. Rows of before say it by the consent alone. */
const wasTold = (day: Temporal.PlainDate, { firstDay, since, ...hour }: ReportSeller): boolean =>
  firstDay === undefined
    ? Temporal.Instant.compare(dueInstant(closeOf(day), hour), since) > 0
    : Temporal.PlainDate.compare(day, firstDay) >= 0;

export type DueSeller = DueReport<ReportSeller>;

/** One seller's figures for a day, with the mark of the corrections that come with them. */
interface Part {
  readonly due: DueSeller;
  readonly seller: SellerFigures;
  readonly readAt: Temporal.Instant;
  readonly correctionsTold: Temporal.Instant | undefined;
  /** Whether the figures of the day itself changed before it was told. */
  readonly isRevised: boolean;
}

/**
 * A skipped report tells no corrections: they wait for the next one. Without any, the changes noticed so far were of its
 * own day, which was not told yet.
 */
const toldBy = (
  { seller, correctionsTold }: Part,
  isSkipped: boolean,
): Temporal.Instant | undefined =>
  isSkipped && seller.corrections.length > 0 ? undefined : correctionsTold;

/**
 * Whether no seller sold, and the server chose reports only of days with sales. False where the day itself changed while
 * corrections wait: that change would be told later, as the correction of a report that was never posted.
 */
const mayBeSkipped = (parts: readonly Part[]): boolean =>
  parts[0]?.due.subscription.emptyChoice === "skip" &&
  soldNothing(parts.map(({ seller }) => seller)) &&
  !parts.some(({ seller, isRevised }) => isRevised && seller.corrections.length > 0);

/** Those of the missing sellers whose wallet account no other owner's key has in the sums. */
const uncounted = (missing: readonly DueSeller[], parts: readonly Part[]): readonly DueSeller[] => {
  const counted = new Set(parts.map(({ due }) => due.subscription.accountFp));
  return missing.filter(({ subscription }) => !counted.has(subscription.accountFp));
};

/** Goals that the report tells, by account id. */
type ShownGoals = ReadonlyMap<string, Cents>;

/** Writes the reports of a server's due days, oldest first: each once all its sellers are read, or waited for enough. */
export const createComposeReports = (needs: DailySalesReportNeeds) => {
  const { clock, ledger } = needs;
  const turn = createTurns();

  const goalsOf = async (
    { accountId, target }: ReportSeller,
    due: readonly DueSeller[],
  ): Promise<ShownGoals> => {
    if (target.kind === "channel")
      return await needs.goals.shown(due.map(({ subscription }) => subscription.accountId));
    const goal = await needs.goals.direct(accountId);
    return new Map(goal === undefined ? [] : [[accountId, goal]]);
  };

  /** `hasGoals`: with the month so far. */
  const keptOf = async (
    seller: ReportSeller,
    days: readonly Temporal.PlainDate[],
    hasGoals: boolean,
  ): Promise<KeptDays> => {
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined) return new Map();
    const [carried = first] = daysCarried(first);
    const from = hasGoals ? earlierDay(carried, first.with({ day: 1 })) : carried;
    const kept = await keptDaysOf(needs.days, seller, from, last);
    // SQLite's answers leave no turn to the event loop.
    await turn();
    return kept;
  };

  const partOf = (
    due: DueSeller,
    {
      figures,
      wallet,
      kept,
      goals,
      noticed,
      room,
    }: {
      readonly figures: SalesDay;
      readonly wallet: number;
      readonly kept: KeptDays;
      readonly goals: ShownGoals;
      readonly noticed: readonly SalesCorrection[];
      readonly room: number;
    },
  ): Part => {
    const { subscription } = due;
    const days = kept.get(subscription.accountFp) ?? new Map<string, SalesDay>();
    const { lastDay } = subscription;
    const changed = noticed.filter(({ day }) => wasTold(day, subscription));
    const fitting = correctionsInRoom(changed, lastDay, room);
    const corrections = correctionsToTell(fitting, lastDay);
    const toldLast = fitting.length < changed.length ? fitting.at(-1) : noticed.at(-1);
    const aim = goals.get(subscription.accountId);
    const progress =
      aim === undefined ? undefined : goalProgress(aim, [...days.values()], clock.now(), due.day);
    const seller = {
      ...sellerFiguresOf(subscription, wallet, figures, days, corrections),
      goal: progress && goalInReport(progress, subscription.locale),
    };
    const isRevised = noticed.some(({ day }) => day.equals(due.day));
    return { due, seller, readAt: figures.readAt, correctionsTold: toldLast?.noticedAt, isRevised };
  };

  const reportOf = async (
    first: Part,
    parts: readonly Part[],
    missing: readonly DueSeller[],
  ): Promise<DailyReport> => {
    const { due } = first;
    const { guildId, locale, emptyChoice, target, keyLast4 } = due.subscription;
    const readAt = parts.map((part) => part.readAt).reduce(earlierInstant);
    return {
      day: due.day.toString(),
      readAt: readAt.toString(),
      dueAt: due.dueAt.toString(),
      locale,
      emptyChoice,
      ...(target.kind === "person"
        ? { directKey: keyLast4 }
        : { guildName: await needs.guildName(guildId) }),
      sellers: parts.map(({ seller }) => seller),
      missing: uncounted(missing, parts).map(
        ({ subscription: { accountId, ownerId, isPaused } }) => ({
          accountId,
          ownerId,
          isRefused: isPaused,
        }),
      ),
    };
  };

  const deliveryOf = (
    dedupeKey: string,
    { due: { subscription, day, notBefore } }: Part,
    accountId: string | null,
    report: DailyReport,
  ): NewDelivery => {
    const now = clock.now();
    const { target, guildId } = subscription;
    return {
      dedupeKey,
      kind: "sales_report",
      target,
      // What happens to the server's channel is no concern of a direct report.
      guildId: target.kind === "channel" ? guildId : null,
      accountId,
      payload: { report },
      // Not before now: the outbox then finds the first of many deliveries without sorting them.
      notBefore: Temporal.Instant.compare(notBefore, now) < 0 ? now : notBefore,
      day,
    };
  };

  /** The day of all who were read. False when somebody or the channel has changed meanwhile. */
  const postGuild = async (
    [first, ...others]: readonly Part[],
    missing: readonly DueSeller[],
    isSkipped: boolean,
  ): Promise<boolean> => {
    if (first === undefined) return true;
    const parts = [first, ...others];
    const { subscription, day } = first.due;
    const { accountId, target } = subscription;
    const isDirect = target.kind === "person";
    const delivery = isSkipped
      ? undefined
      : deliveryOf(
          dailyReportKey(subscription, day),
          first,
          isDirect ? accountId : null,
          await reportOf(first, parts, missing),
        );
    if (isDirect)
      return await ledger.recordDirect(
        subscription,
        day,
        delivery,
        clock.now(),
        first.correctionsTold,
      );
    const told = parts.map((part): ToldSeller => ({
      accountId: part.due.subscription.accountId,
      correctionsTold: toldBy(part, isSkipped),
    }));
    return await ledger.recordGuild(subscription.guildId, day, told, delivery, clock.now());
  };

  /** The day of a seller who was missing, with the sums of all who are known by now. */
  const postCompletion = async (
    part: Part,
    all: readonly Part[],
    missing: readonly DueSeller[],
    isSkipped: boolean,
  ): Promise<boolean> => {
    const { subscription, day } = part.due;
    const { accountId } = subscription;
    const report = { ...(await reportOf(part, all, missing)), completes: accountId };
    const key = reportKey(subscription, day);
    const delivery = isSkipped ? undefined : deliveryOf(key, part, accountId, report);
    const told = toldBy(part, isSkipped);
    return await ledger.record(accountId, day, delivery, clock.now(), told);
  };

  /** First reading of each report that waits, oldest first: who asks for the day again makes the kept one newer. */
  const firstReadings = new Map<string, number>();

  const isWaitOver = (reportOfDay: string, parts: readonly Part[]): boolean => {
    const nowMs = clock.now().epochMilliseconds;
    for (const [waiting, readMs] of firstReadings) {
      if (nowMs - readMs < FORGOTTEN_MS) break;
      firstReadings.delete(waiting);
    }
    const keptMs = Math.min(...parts.map(({ readAt }) => readAt.epochMilliseconds));
    const firstReadMs = Math.min(firstReadings.get(reportOfDay) ?? keptMs, keptMs);
    firstReadings.set(reportOfDay, firstReadMs);
    const waitedMs = nowMs - firstReadMs;
    // A reading in the future means that the clock was set back.
    return waitedMs >= WAITS_MS || waitedMs < 0;
  };

  return async (subscriberId: string, stopping: AbortSignal): Promise<void> => {
    const sellers = await ledger.sellersOf(subscriberId);
    const [someone] = sellers;
    if (someone === undefined) return;
    const due = dueReportsAt(clock.now())(sellers);
    if (due.length === 0) return;
    const byDay = Map.groupBy(due, ({ day }) => day.toString());
    const days = [...byDay.keys()].sort().map((day) => Temporal.PlainDate.from(day));
    const goals = await goalsOf(someone, due);
    const kept = await keptOf(someone, days, goals.size > 0);
    const fps = [...new Set(sellers.map(({ accountFp }) => accountFp))];
    const noticedFor = await correctionsFor(
      needs.days,
      due.map(({ subscription }) => subscription),
    );
    /** Sellers with an untold earlier day, and until when the corrections of others were told in this run. */
    const held = new Set<string>();
    const told = new Map<string, Temporal.Instant>();
    let { postedDay } = someone;

    const figuresOf = ({ subscription, day, dueAt }: DueSeller): SalesDay | undefined => {
      if (!subscription.isEntitled) return undefined;
      const figures = kept.get(subscription.accountFp)?.get(day.toString());
      return figures !== undefined && isReadFor(figures, dueAt) ? figures : undefined;
    };

    /** The corrections that the figures of all owed days have: another reading may have left later ones since. */
    const shownBy = (
      figures: ReadonlyMap<string, SalesDay> | undefined,
      noticed: readonly SalesCorrection[],
    ): readonly SalesCorrection[] =>
      days.reduce((shown, day) => {
        const its = figures?.get(day.toString());
        return its === undefined ? shown : correctionsBehind(its, shown);
      }, noticed);

    const partsOf = async (those: readonly DueSeller[]): Promise<readonly Part[]> => {
      const parts: Part[] = [];
      let left = MOST_CORRECTIONS;
      /** By wallet account: its sellers have the same corrections, which the post shows once. */
      const rooms = new Map<string, number>();
      for (const [place, one] of those.entries()) {
        if (place % TURN === TURN - 1) await turn();
        const figures = figuresOf(one);
        const { accountFp, accountId } = one.subscription;
        if (figures === undefined) continue;
        const wallet = fps.indexOf(accountFp);
        const found = noticedFor(one.subscription, told.get(accountId));
        const noticed = shownBy(kept.get(accountFp), found);
        const room = rooms.getOrInsert(accountFp, left);
        const part = partOf(one, { figures, wallet, kept, goals, noticed, room });
        left = Math.min(left, Math.max(0, room - part.seller.corrections.length));
        parts.push(part);
      }
      return parts;
    };

    /** Sellers who have the day already, for the sums of a completion. */
    const toldBefore = (day: Temporal.PlainDate, dueAt: Temporal.Instant): readonly Part[] =>
      sellers.flatMap((subscription): Part[] => {
        const { lastDay, accountFp, since } = subscription;
        if (Temporal.Instant.compare(since, dueAt) >= 0) return [];
        const figures = kept.get(accountFp)?.get(day.toString());
        if (lastDay === undefined || Temporal.PlainDate.compare(lastDay, day) < 0) return [];
        if (figures === undefined || !isWhole(figures)) return [];
        const its = kept.get(accountFp) ?? new Map<string, SalesDay>();
        const seller = sellerFiguresOf(subscription, fps.indexOf(accountFp), figures, its, []);
        const report = { subscription, day, dueAt, late: false, notBefore: dueAt };
        const { readAt } = figures;
        return [{ due: report, seller, readAt, correctionsTold: undefined, isRevised: false }];
      });

    for (const day of days) {
      if (stopping.aborted) return;
      const those = byDay.get(day.toString()) ?? [];
      const isHeld = (one: DueSeller) => held.has(one.subscription.accountId);
      const parts = await partsOf(those.filter((one) => !isHeld(one)));
      await turn();
      const ready = new Set(parts.map((part) => part.due));
      const missing = those.filter((one) => !ready.has(one));
      for (const { subscription } of missing) held.add(subscription.accountId);
      const isPosted = postedDay !== undefined && Temporal.PlainDate.compare(day, postedDay) <= 0;
      const isComplete = uncounted(missing, parts).length === 0;
      const isSkipped = !isPosted && isComplete && mayBeSkipped(parts);
      const skipped = new Set(isSkipped ? parts : []);
      if (isPosted) {
        const before = [...toldBefore(day, those[0]?.dueAt ?? clock.now())];
        for (const [place, part] of parts.entries()) {
          const rest = [...missing, ...parts.slice(place + 1).map(({ due: one }) => one)];
          // A wallet account that the sums have was not missing.
          if (mayBeSkipped([part]) || uncounted([part.due], before).length === 0) skipped.add(part);
          before.push(part);
          if (!(await postCompletion(part, before, rest, skipped.has(part)))) return;
          needs.onOwed();
        }
      } else {
        const waits = missing.some(({ subscription }) => !subscription.isPaused);
        const reportOfDay = `${subscriberId} ${day.toString()}`;
        if (parts.length === 0 || (waits && !isWaitOver(reportOfDay, parts))) {
          for (const { due: one } of parts) held.add(one.subscription.accountId);
          continue;
        }
        if (!(await postGuild(parts, missing, isSkipped))) return;
        firstReadings.delete(reportOfDay);
        postedDay = day;
        needs.onOwed();
      }
      for (const part of parts) {
        const correctionsTold = toldBy(part, skipped.has(part));
        if (correctionsTold !== undefined)
          told.set(part.due.subscription.accountId, correctionsTold);
      }
    }
  };
};
