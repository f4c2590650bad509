import type { PaidWithdrawals } from "../accounting-files/accounting.ts";
import { targetIdOf } from "../delivery/delivery.ts";
import { calendarDate, closeOf } from "../shared/report-day.ts";
import { type Cents, cents } from "../shared/money.ts";
import { DAY, HOUR, MINUTE, type ReadingTimes, readingTimes } from "../shared/time.ts";
import {
  type DeliveryHour,
  firstDelivery,
  latestClosedDay,
  type ReportSubscription,
} from "../reports/report-schedule.ts";
import {
  isCurrent,
  isWhole,
  type SalesDay,
  type SalesFigures,
  sumOf,
} from "../reports/sales-days.ts";
import { isEmpty } from "../reports/sales.ts";
import { daysOf, type SalesChange, salesChangeOf } from "../reports/sales-period.ts";
import { type FeeDifference, type PaidCharge, salesFeeDifferences } from "./fees.ts";

export const closeKinds = ["week", "month"] as const;
export type CloseKind = (typeof closeKinds)[number];

/** The kinds that a server, or a seller, wants. */
export type CloseChoices = Readonly<Record<CloseKind, boolean>>;

/** Report days, Monday to Sunday or a calendar month. */
export interface ClosePeriod {
  readonly kind: CloseKind;
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
}

const WEEK = 7;

const weekTo = (to: Temporal.PlainDate): ClosePeriod => ({
  kind: "week",
  from: to.subtract({ days: WEEK - 1 }),
  to,
});

const monthTo = (to: Temporal.PlainDate): ClosePeriod => ({
  kind: "month",
  from: to.with({ day: 1 }),
  to,
});

/** The newest period that is over when that day is. */
export const newestPeriod = (kind: CloseKind, day: Temporal.PlainDate): ClosePeriod => {
  if (kind === "week") return weekTo(day.subtract({ days: day.dayOfWeek % WEEK }));
  return monthTo(day.day === day.daysInMonth ? day : day.subtract({ days: day.day }));
};

export const periodBefore = ({ kind, from }: ClosePeriod): ClosePeriod =>
  (kind === "week" ? weekTo : monthTo)(from.subtract({ days: 1 }));

/** The period of a button, `week:2026-11-16:2026-11-22`; undefined when no close has these days. */
export const periodOfText = (text: string): ClosePeriod | undefined => {
  const [, kind, year, month, day] = /^(week|month):[\d-]+:(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const last = calendarDate(Number(year), Number(month), Number(day));
  if ((kind !== "week" && kind !== "month") || last === undefined) return undefined;
  const period = newestPeriod(kind, last);
  return textOfPeriod(period) === text ? period : undefined;
};

export const textOfPeriod = ({ kind, from, to }: ClosePeriod): string =>
  `${kind}:${from.toString()}:${to.toString()}`;

/**
 * Due time of a close: the hour of delivery on the Monday or the 1st in the zone. Where the period's last day closes
 * later than that, the next delivery.
 */
export const closeDueAt = ({ to }: Pick<ClosePeriod, "to">, hour: DeliveryHour): Temporal.Instant =>
  firstDelivery(closeOf(to), to.add({ days: 1 }), hour);

/** Choice of a server, or a seller, about one kind of close, and the last period that was settled. */
export interface CloseProgress {
  readonly active: boolean;
  /** When it was switched on; periods that were over by then are not owed. Undefined: with the reports. */
  readonly since: Temporal.Instant | undefined;
  readonly lastDay: Temporal.PlainDate | undefined;
}

/** A seller of a close. Two owners of one wallet account are one seller. */
export interface CloseSeller {
  readonly ownerId: string;
  readonly accountFp: string;
  /** No key of the wallet account is accepted. */
  readonly isRefused: boolean;
  /** All consenting connections of the server to the wallet account. */
  readonly accountIds: readonly string[];
}

/** A server with a working route, or a seller with direct reports. */
export interface CloseRoute extends Omit<
  ReportSubscription,
  "accountId" | "correctionsTold" | "lastDay" | "ownerId"
> {
  /** The server, or the connection, whose marks are `progress`. */
  readonly progressId: string;
  readonly progress: Readonly<Record<CloseKind, CloseProgress>>;
  /** The seller of direct messages. */
  readonly seller?: CloseSeller & { readonly keyLast4: string; readonly hasOthers: boolean };
}

export interface OwedClose {
  readonly route: CloseRoute;
  readonly period: ClosePeriod;
  readonly dueAt: Temporal.Instant;
}

/** Closes due earlier are not owed: of their days fewer are kept than they need. */
const HORIZON_MS = 21 * DAY;

/**
 * Closes owed to a server now, oldest first within each kind: none of a period that was over when the route, or the
 * kind, was switched on.
 */
export const closesOwed = (route: CloseRoute, now: Temporal.Instant): readonly OwedClose[] =>
  closeKinds.flatMap((kind) => {
    const { active, since, lastDay } = route.progress[kind];
    if (!active) return [];
    const onMs = Math.max(route.since.epochMilliseconds, since?.epochMilliseconds ?? -Infinity);
    const owed: OwedClose[] = [];
    let period = newestPeriod(kind, latestClosedDay(now));
    for (; ; period = periodBefore(period)) {
      if (lastDay !== undefined && Temporal.PlainDate.compare(period.to, lastDay) <= 0) break;
      if (closeOf(period.to).epochMilliseconds <= onMs) break;
      const dueAt = closeDueAt(period, route);
      if (now.epochMilliseconds - dueAt.epochMilliseconds > HORIZON_MS) break;
      if (Temporal.Instant.compare(dueAt, now) <= 0) owed.unshift({ route, period, dueAt });
    }
    return owed;
  });

/** Permanent key of a close in one channel, or to one person. */
export const closeKey = (
  { subscriberId, target }: Pick<CloseRoute, "subscriberId" | "target">,
  period: ClosePeriod,
): string => `close|${subscriberId}|${targetIdOf(target)}|${textOfPeriod(period)}`;

/** A close waits this long after its hour for days that cannot be read. */
const DEADLINE_MS = 6 * HOUR;
/** After a start, a sleep or a refused key the background needs some minutes to read the missed days. */
const CATCH_UP_MS = 30 * MINUTE;

/**
 * Whether a close waits for missing days: six hours for its own, half an hour for those that it is compared with.
 * `listedSince`: since when the background can read the days without a break.
 */
export const mayWait = (
  lacking: ReturnType<typeof lackingOf>,
  dueAt: Temporal.Instant,
  listedSince: Temporal.Instant,
  now: Temporal.Instant,
): boolean => {
  const deadlineMs = lacking === "days" ? DEADLINE_MS : CATCH_UP_MS;
  return (
    now.epochMilliseconds <
    Math.max(dueAt.epochMilliseconds + deadlineMs, listedSince.epochMilliseconds + CATCH_UP_MS)
  );
};

/** Kept days of one seller: of the period and of the one before. */
export interface SellerDays {
  readonly ownerId: string;
  readonly isRefused?: boolean;
  readonly days: readonly SalesDay[];
}

/** Whether the figures of a day are final enough for the close: a month's days are read again once it is over. */
const isSettled = (day: SalesDay, { kind, to }: ClosePeriod): boolean =>
  isCurrent(day) && (kind === "week" || isWhole({ day: to, readAt: day.readAt }));

/** Days of the sellers that cannot be told, or compared with, yet. A key refused for the whole period is not waited for. */
export const lackingOf = (
  period: ClosePeriod,
  sellers: readonly SellerDays[],
): "days" | "base" | "nothing" => {
  const isInPeriod = ({ day }: SalesDay): boolean =>
    Temporal.PlainDate.compare(day, period.from) >= 0;
  const awaited = sellers.filter(
    ({ days, isRefused }) => isRefused !== true || days.some(isInPeriod),
  );
  const hasAll = (wanted: ClosePeriod, isKept: (day: SalesDay) => boolean): boolean =>
    awaited.every(({ days }) => {
      const kept = new Set(days.filter(isKept).map(({ day }) => day.toString()));
      return daysOf(wanted).every((day) => kept.has(day.toString()));
    });
  if (!hasAll(period, (day) => isSettled(day, period))) return "days";
  return hasAll(periodBefore(period), isCurrent) ? "nothing" : "base";
};

export interface Tally {
  readonly count: number;
  readonly amount: Cents;
}

/**
 * Movements of a seller in the period beside the sales. Shown to the seller alone: the consent to a report is about
 * sales, and the sum of a server of few sellers tells each one's.
 */
export interface CloseActivity {
  readonly withdrawals: PaidWithdrawals;
  /** Made through the bot. */
  readonly refunds: Tally;
  readonly charges: readonly PaidCharge[];
  /** By the gross amount of the sale, which the seller knows. */
  readonly disputes: Readonly<Record<"opened" | "won" | "lost", Tally>>;
  /** False while MED alerts are off on all of the seller's connections: MEDs are not read then. */
  readonly isWatched: boolean;
}

export const tallyOf = (amounts: readonly number[]): Tally => ({
  count: amounts.length,
  amount: cents(amounts.reduce((sum, each) => sum + each, 0)),
});

export interface CloseFigures {
  readonly period: ClosePeriod;
  /** Of all known days. */
  readonly total: SalesFigures;
  /** When the figures in the total were read; undefined when no day of the period is known. */
  readonly readings: ReadingTimes | undefined;
  readonly change: SalesChange | undefined;
  /** Sums of the days that are known of every seller in the total, also of the period before, by `YYYY-MM-DD`. */
  readonly known: ReadonlyMap<string, SalesDay>;
  /** Both undefined where no known day sold more than another one. */
  readonly best: SalesDay | undefined;
  readonly worst: SalesDay | undefined;
  readonly missing: readonly {
    readonly ownerId: string;
    readonly isRefused: boolean;
    readonly days: readonly Temporal.PlainDate[];
  }[];
  readonly fees: readonly FeeDifference[];
}

/** The close of one seller, for the seller alone. */
export interface OwnClose {
  readonly figures: CloseFigures;
  readonly activity: CloseActivity;
  /** Missing days that the background reads, once the key works. */
  readonly asked: readonly Temporal.PlainDate[];
  /** Missing days that are too old for the background. */
  readonly tooOld: readonly Temporal.PlainDate[];
  readonly isKeyRefused: boolean;
}

/** Sums of the days for which the figures of every seller are current. */
const closeDays = (
  days: readonly Temporal.PlainDate[],
  sellers: readonly SellerDays[],
): ReadonlyMap<string, SalesDay> => {
  const current = sellers.flatMap((seller) => seller.days.filter(isCurrent));
  const byDay = Map.groupBy(current, ({ day }) => day.toString());
  return new Map(
    days.flatMap((day) => {
      const found = byDay.get(day.toString()) ?? [];
      const [first] = found;
      if (first === undefined || found.length < sellers.length) return [];
      return [[day.toString(), { ...sumOf(found), day, readAt: first.readAt }] as const];
    }),
  );
};

export const closeFigures = (period: ClosePeriod, sellers: readonly SellerDays[]): CloseFigures => {
  const [wanted, base] = [daysOf(period), daysOf(periodBefore(period))];
  const inPeriod = new Set(wanted.map((day) => day.toString()));
  const isTold = (day: SalesDay): boolean => isCurrent(day) && inPeriod.has(day.day.toString());
  // Sellers without a part in the total are left out of the total that it is compared with.
  const known = closeDays(
    [...base, ...wanted],
    sellers.filter(({ days }) => days.some(isTold)),
  );
  const kept = sellers.map(({ days, ...seller }) => ({ ...seller, days: days.filter(isTold) }));
  const told = kept.flatMap((seller) => seller.days);
  const ranked = wanted
    .flatMap((day) => known.get(day.toString()) ?? [])
    .toSorted((one, other) => other.sales - one.sales);
  const [best, worst] = [ranked[0], ranked.at(-1)];
  const isTelling = best !== undefined && worst !== undefined && best.sales > worst.sales;
  return {
    period,
    total: sumOf(told),
    readings: told[0] && readingTimes(told, told[0].readAt),
    change: salesChangeOf(wanted, base, known),
    known,
    best: isTelling ? best : undefined,
    worst: isTelling ? worst : undefined,
    missing: kept.flatMap(({ ownerId, isRefused = false, days }) => {
      const read = new Set(days.map(({ day }) => day.toString()));
      const lacking = wanted.filter((day) => !read.has(day.toString()));
      return lacking.length === 0 ? [] : [{ ownerId, isRefused, days: lacking }];
    }),
    fees: salesFeeDifferences(told),
  };
};

/** A close without a sale or a missing day tells no news. */
export const isQuiet = ({ total, missing }: CloseFigures): boolean =>
  isEmpty(total) && missing.length === 0;
