import { goalProgress } from "../goals/goal.ts";
import { goalInReport } from "../goals/goal.view.ts";
import type { Cents } from "../shared/money.ts";
import { closeOf, earlierDay } from "../shared/report-day.ts";
import type { DailySalesReportNeeds } from "./daily-sales-report.job.ts";
import type { ReportSeller } from "./report-sellers.store.ts";
import { dueInstant, type DueReport, dueReportsAt } from "./report-schedule.ts";
import {
  correctionsBehind,
  correctionsInRoom,
  correctionsToTell,
  isStale,
  isWhole,
  type SalesCorrection,
  type SalesDay,
} from "./sales-days.ts";
import type { SalesDays } from "./sales-days.store.ts";
import {
  daysCarried,
  MOST_CORRECTIONS,
  type SellerFigures,
  sellerFiguresOf,
} from "./daily-report.ts";

/** Sellers processed before the event loop gets a turn. */
const TURN = 50;

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
const correctionsFor = async (
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

/** Whether the figures are good for a report that was due then. */
export const isReadFor = (
  figures: Pick<SalesDay, "day" | "readAt">,
  dueAt: Temporal.Instant,
): boolean => isWhole(figures) && Temporal.Instant.compare(figures.readAt, dueAt) >= 0;

/** Whether the report told the day. Rows of before say it by the consent alone. */
const wasTold = (day: Temporal.PlainDate, { firstDay, since, ...hour }: ReportSeller): boolean =>
  firstDay === undefined
    ? Temporal.Instant.compare(dueInstant(closeOf(day), hour), since) > 0
    : Temporal.PlainDate.compare(day, firstDay) >= 0;

export type DueSeller = DueReport<ReportSeller>;

/** One seller's figures for a day, with the mark of the corrections that come with them. */
export interface Part {
  readonly due: DueSeller;
  readonly seller: SellerFigures;
  readonly readAt: Temporal.Instant;
  readonly correctionsTold: Temporal.Instant | undefined;
  /** Whether the figures of the day itself changed before it was told. */
  readonly isRevised: boolean;
}

/** The parts of an owed day, and the sellers without one: their figures are not read, or an earlier day is untold. */
export interface OwedDay {
  readonly day: Temporal.PlainDate;
  readonly parts: readonly Part[];
  readonly missing: readonly DueSeller[];
}

/** Kept figures, corrections and goals from which the due reports of a server are written. */
export interface Reading {
  readonly sellers: readonly ReportSeller[];
  /** Wallet accounts of the sellers: the place of each is its number within the reports. */
  readonly wallets: readonly string[];
  /** Owed days with the sellers who lack them, oldest first. */
  readonly owed: readonly (readonly [Temporal.PlainDate, readonly DueSeller[]])[];
  /** Newest day of which the server has its report. */
  readonly postedDay: Temporal.PlainDate | undefined;
  readonly kept: KeptDays;
  /** By account id. */
  readonly goals: ReadonlyMap<string, Cents>;
  readonly noticedFor: Awaited<ReturnType<typeof correctionsFor>>;
}

const figuresOf = (
  { kept }: Reading,
  { subscription, day, dueAt }: DueSeller,
): SalesDay | undefined => {
  if (!subscription.isEntitled) return undefined;
  const figures = kept.get(subscription.accountFp)?.get(day.toString());
  return figures !== undefined && isReadFor(figures, dueAt) ? figures : undefined;
};

/** The corrections that the figures of all owed days have: another reading may have left later ones since. */
const shownBy = (
  { owed, kept }: Reading,
  accountFp: string,
  noticed: readonly SalesCorrection[],
): readonly SalesCorrection[] =>
  owed.reduce((shown, [day]) => {
    const its = kept.get(accountFp)?.get(day.toString());
    return its === undefined ? shown : correctionsBehind(its, shown);
  }, noticed);

/** @param room corrections that the post can still take */
const partOf = (
  { kept, wallets, goals }: Reading,
  due: DueSeller,
  figures: SalesDay,
  noticed: readonly SalesCorrection[],
  room: number,
  now: Temporal.Instant,
): Part => {
  const { subscription } = due;
  const { accountFp, accountId, lastDay, locale } = subscription;
  const days = kept.get(accountFp) ?? new Map<string, SalesDay>();
  const changed = noticed.filter(({ day }) => wasTold(day, subscription));
  const fitting = correctionsInRoom(changed, lastDay, room);
  const corrections = correctionsToTell(fitting, lastDay);
  const toldLast = fitting.length < changed.length ? fitting.at(-1) : noticed.at(-1);
  const aim = goals.get(accountId);
  const counted = (): readonly SalesDay[] =>
    [...days.values()].filter((each) => each === figures || !isStale(each));
  const progress = aim === undefined ? undefined : goalProgress(aim, counted(), now, due.day);
  const seller = {
    ...sellerFiguresOf(subscription, wallets.indexOf(accountFp), figures, days, corrections),
    goal: progress && goalInReport(progress, locale),
  };
  const isRevised = noticed.some(({ day }) => day.equals(due.day));
  return { due, seller, readAt: figures.readAt, correctionsTold: toldLast?.noticedAt, isRevised };
};

/** Sellers who have the day already, for the sums of a completion. */
export const toldBefore = (
  { sellers, wallets, kept }: Reading,
  { day, dueAt }: DueSeller,
): readonly Part[] =>
  sellers.flatMap((subscription): Part[] => {
    const { lastDay, accountFp, since } = subscription;
    if (Temporal.Instant.compare(since, dueAt) >= 0) return [];
    if (lastDay === undefined || Temporal.PlainDate.compare(lastDay, day) < 0) return [];
    const its = kept.get(accountFp);
    const figures = its?.get(day.toString());
    if (its === undefined || figures === undefined || !isWhole(figures)) return [];
    const seller = sellerFiguresOf(subscription, wallets.indexOf(accountFp), figures, its, []);
    const due = { subscription, day, dueAt, notBefore: dueAt };
    const { readAt } = figures;
    return [{ due, seller, readAt, correctionsTold: undefined, isRevised: false }];
  });

/** Reads the sources of the due reports of a server, and each day's parts of it. */
export const createReadings = (
  needs: Pick<DailySalesReportNeeds, "clock" | "days" | "goals" | "ledger">,
  turn: () => Promise<void>,
) => {
  const goalsOf = async (
    { accountId, target }: ReportSeller,
    due: readonly DueSeller[],
  ): Promise<Reading["goals"]> => {
    if (target.kind === "channel")
      return await needs.goals.shown(due.map(({ subscription }) => subscription.accountId));
    const goal = await needs.goals.direct(accountId);
    return new Map(goal === undefined ? [] : [[accountId, goal]]);
  };

  /** Undefined when no report is due. */
  const read = async (subscriberId: string): Promise<Reading | undefined> => {
    const sellers = await needs.ledger.sellersOf(subscriberId);
    const due = dueReportsAt(needs.clock.now())(sellers);
    const owed = [...Map.groupBy(due, ({ day }) => day.toString())]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([day, those]) => [Temporal.PlainDate.from(day), those] as const);
    const [someone, first, last] = [sellers[0], owed[0]?.[0], owed.at(-1)?.[0]];
    if (someone === undefined || first === undefined || last === undefined) return undefined;
    const goals = await goalsOf(someone, due);
    const [carried = first] = daysCarried(first);
    // A goal is told with the month so far.
    const from = goals.size > 0 ? earlierDay(carried, first.with({ day: 1 })) : carried;
    const kept = await keptDaysOf(needs.days, someone, from, last);
    // SQLite's answers leave no turn to the event loop.
    await turn();
    const noticedFor = await correctionsFor(
      needs.days,
      due.map(({ subscription }) => subscription),
    );
    const wallets = [...new Set(sellers.map(({ accountFp }) => accountFp))];
    const { postedDay } = someone;
    return { sellers, wallets, owed, postedDay, kept, goals, noticedFor };
  };

  /**
   * @param held account ids of sellers with an untold earlier day
   * @param told until when the corrections of sellers were told, by account id, where it is later than the reading says
   */
  const dayOf = async (
    reading: Reading,
    day: Temporal.PlainDate,
    due: readonly DueSeller[],
    held: ReadonlySet<string>,
    told: ReadonlyMap<string, Temporal.Instant>,
  ): Promise<OwedDay> => {
    const parts: Part[] = [];
    const missing: DueSeller[] = [];
    let left = MOST_CORRECTIONS;
    /** By wallet account: its sellers have the same corrections, which the post shows once. */
    const rooms = new Map<string, number>();
    for (const [place, one] of due.entries()) {
      if (place % TURN === TURN - 1) await turn();
      const { accountFp, accountId } = one.subscription;
      const figures = held.has(accountId) ? undefined : figuresOf(reading, one);
      if (figures === undefined) {
        missing.push(one);
        continue;
      }
      const found = reading.noticedFor(one.subscription, told.get(accountId));
      const noticed = shownBy(reading, accountFp, found);
      const room = rooms.getOrInsert(accountFp, left);
      const part = partOf(reading, one, figures, noticed, room, needs.clock.now());
      left = Math.min(left, Math.max(0, room - part.seller.corrections.length));
      parts.push(part);
    }
    await turn();
    return { day, parts, missing };
  };

  return { read, dayOf };
};
