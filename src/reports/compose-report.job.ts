import type { NewDelivery } from "../delivery/delivery.ts";
import { createTurns } from "../shared/concurrency.ts";
import { earlierInstant, HOUR, MINUTE } from "../shared/time.ts";
import type { DailySalesReportNeeds } from "./daily-sales-report.job.ts";
import type { ToldSeller } from "./report-ledger.store.ts";
import {
  createReadings,
  type DueSeller,
  type OwedDay,
  type Part,
  type Reading,
  toldBefore,
} from "./report-reading.job.ts";
import { dailyReportKey } from "./report-schedule.ts";
import { type DailyReport, soldNothing } from "./daily-report.ts";

/** How long the sellers who were read wait for the others. */
const WAITS_MS = 15 * MINUTE;
/** A report that still waits after this is given up: switched off, or without sellers. */
const FORGOTTEN_MS = HOUR;

/** Who was told; undefined when a seller or the channel has changed since. */
type Told = readonly ToldSeller[] | undefined;

/** Whether the day's report waits, is posted, or was posted and is completed. */
const planOf = (
  { day, parts, missing }: OwedDay,
  postedDay: Temporal.PlainDate | undefined,
  isWaitOver: () => boolean,
): "hold" | "post" | "complete" => {
  if (parts.length === 0) return "hold";
  if (postedDay !== undefined && Temporal.PlainDate.compare(day, postedDay) <= 0) return "complete";
  // A refused key holds up no report.
  const waits = missing.some(({ subscription }) => !subscription.isPaused);
  return waits && !isWaitOver() ? "hold" : "post";
};

/**
 * Whether no seller sold, and the server chose reports only of days with sales. False where the day itself changed while
 * corrections wait: that change would be told later, as the correction of a report that was never posted.
 */
const mayBeSkipped = (parts: readonly Part[]): boolean =>
  parts[0]?.due.subscription.emptyChoice === "skip" &&
  soldNothing(parts.map(({ seller }) => seller)) &&
  !parts.some(({ seller, isRevised }) => isRevised && seller.corrections.length > 0);

/**
 * A skipped report tells no corrections: they wait for the next one. Without any, the changes noticed so far were of its
 * own day, which was not told yet.
 */
const toldBy = ({ due, seller, correctionsTold }: Part, isSkipped: boolean): ToldSeller => ({
  accountId: due.subscription.accountId,
  correctionsTold: isSkipped && seller.corrections.length > 0 ? undefined : correctionsTold,
});

/** Those of the missing sellers whose wallet account no other owner's key has in the sums. */
const uncounted = (missing: readonly DueSeller[], parts: readonly Part[]): readonly DueSeller[] => {
  const counted = new Set(parts.map(({ due }) => due.subscription.accountFp));
  return missing.filter(({ subscription }) => !counted.has(subscription.accountFp));
};

/** Writes the reports of a server's due days, oldest first: each once all its sellers are read, or waited for enough. */
export const createComposeReports = (needs: DailySalesReportNeeds) => {
  const { clock, ledger } = needs;
  const turn = createTurns();
  const readings = createReadings(needs, turn);

  const reportOf = async (
    { due }: Part,
    parts: readonly Part[],
    missing: readonly DueSeller[],
  ): Promise<DailyReport> => {
    const { guildId, timeZone, locale, emptyChoice, target, keyLast4, hasOthers } =
      due.subscription;
    const readAt = parts.map((part) => part.readAt).reduce(earlierInstant);
    return {
      day: due.day.toString(),
      readAt: readAt.toString(),
      dueAt: due.dueAt.toString(),
      timeZone,
      locale,
      emptyChoice,
      ...(target.kind === "person"
        ? { directKey: keyLast4, hasOthers }
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
      // A direct report does not depend on the server's channel.
      guildId: target.kind === "channel" ? guildId : null,
      accountId,
      payload: { report },
      // Not before now: the outbox then finds the first of many deliveries without sorting them.
      notBefore: Temporal.Instant.compare(notBefore, now) < 0 ? now : notBefore,
      day,
    };
  };

  /** The day of all who were read. */
  const post = async ({ day, parts, missing }: OwedDay): Promise<Told> => {
    const [first] = parts;
    if (first === undefined) return [];
    const { subscription } = first.due;
    const isSkipped = uncounted(missing, parts).length === 0 && mayBeSkipped(parts);
    const told = parts.map((part) => toldBy(part, isSkipped));
    const report = isSkipped ? undefined : await reportOf(first, parts, missing);
    const key = dailyReportKey(subscription, day);
    const accountId = subscription.target.kind === "person" ? subscription.accountId : null;
    const delivery = report && deliveryOf(key, first, accountId, report);
    if (!(await ledger.recordDay(subscription, day, told, delivery, clock.now()))) return undefined;
    needs.onOwed();
    return told;
  };

  /** The day of each seller who was missing, with the sums of all who are known by then. */
  const complete = async (reading: Reading, { day, parts, missing }: OwedDay): Promise<Told> => {
    const [first] = parts;
    const known = first === undefined ? [] : [...toldBefore(reading, first.due)];
    const told: ToldSeller[] = [];
    for (const [place, part] of parts.entries()) {
      // A wallet account that the sums have was not missing.
      const isSkipped = mayBeSkipped([part]) || uncounted([part.due], known).length === 0;
      const seller = toldBy(part, isSkipped);
      const { accountId, correctionsTold } = seller;
      const rest = [...missing, ...parts.slice(place + 1).map(({ due }) => due)];
      known.push(part);
      const report = { ...(await reportOf(part, known, rest)), completes: accountId };
      const { target } = part.due.subscription;
      const key = dailyReportKey({ subscriberId: accountId, target }, day);
      const delivery = isSkipped ? undefined : deliveryOf(key, part, accountId, report);
      if (!(await ledger.record(accountId, day, delivery, clock.now(), correctionsTold)))
        return undefined;
      needs.onOwed();
      told.push(seller);
    }
    return told;
  };

  /** First reading of each report that waits, oldest first: who asks for the day again makes the kept one newer. */
  const firstReadings = new Map<string, number>();

  const isWaitOver = (report: string, parts: readonly Part[]): boolean => {
    const nowMs = clock.now().epochMilliseconds;
    for (const [waiting, readMs] of firstReadings) {
      if (nowMs - readMs < FORGOTTEN_MS) break;
      firstReadings.delete(waiting);
    }
    const keptMs = Math.min(...parts.map(({ readAt }) => readAt.epochMilliseconds));
    const firstReadMs = Math.min(firstReadings.get(report) ?? keptMs, keptMs);
    firstReadings.set(report, firstReadMs);
    const waitedMs = nowMs - firstReadMs;
    // A reading in the future means that the clock was set back.
    return waitedMs >= WAITS_MS || waitedMs < 0;
  };

  return async (subscriberId: string, stopping: AbortSignal): Promise<void> => {
    const reading = await readings.read(subscriberId);
    if (reading === undefined) return;
    let { postedDay } = reading;
    /** Sellers with an untold earlier day, and until when the corrections of others were told in this run. */
    const held = new Set<string>();
    const told = new Map<string, Temporal.Instant>();
    for (const [day, due] of reading.owed) {
      if (stopping.aborted) return;
      const owed = await readings.dayOf(reading, day, due, held, told);
      const report = `${subscriberId} ${day.toString()}`;
      const plan = planOf(owed, postedDay, () => isWaitOver(report, owed.parts));
      for (const { subscription } of plan === "hold" ? due : owed.missing)
        held.add(subscription.accountId);
      if (plan === "hold") continue;
      const written = plan === "post" ? await post(owed) : await complete(reading, owed);
      if (written === undefined) return;
      if (plan === "post") {
        firstReadings.delete(report);
        postedDay = day;
      }
      for (const { accountId, correctionsTold } of written)
        if (correctionsTold !== undefined) told.set(accountId, correctionsTold);
    }
  };
};
