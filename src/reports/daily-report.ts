import type { Locale } from "../shared/locale.ts";
import { type Cents, cents } from "../shared/money.ts";
import { openingMs } from "../shared/report-day.ts";
import { DAY } from "../shared/time.ts";
import {
  isCurrent,
  type SalesCorrection,
  type SalesDay,
  type SalesFigures,
  sumOf,
} from "./sales-days.ts";
import type { EmptyReportChoice } from "./report-route.ts";
import { isEmpty } from "./sales.ts";
import { daysOf, lastDays, type SalesChange, salesChange } from "./sales-period.ts";

/** A seller's part of a daily report. */
export interface SellerFigures {
  readonly accountId: string;
  readonly ownerId: string;
  /** In place of the owner, for an invented seller. */
  readonly name?: string | undefined;
  /** Number of the wallet account within the report: two sellers of one account count once. */
  readonly wallet: number;
  readonly figures: SalesFigures;
  /** Sales of the 14 days up to the report's day, oldest first; null where no current figures are kept. */
  readonly days: readonly (Cents | null)[];
  readonly corrections: readonly Correction[];
  /** Bar and line about the goal of the month, for a seller who shows it. */
  readonly goal?: string | undefined;
}

interface Correction {
  readonly day: string;
  readonly before: Cents;
  readonly now: Cents;
  /** Whether the amounts are of the net, because the sales are the same. */
  readonly isNet?: boolean;
}

/** A seller whose figures could not be read in time. */
export interface MissingSeller {
  readonly accountId: string;
  readonly ownerId: string;
  readonly isRefused: boolean;
}

/**
 * The figures of a server's day as they wait in the outbox; they become words when they are posted, so that a seller who
 * leaves in between takes only their own figures away. Days and instants are text, because the row is JSON.
 */
export interface DailyReport {
  readonly day: string;
  /** When the oldest of the figures were requested. */
  readonly readAt: string;
  readonly dueAt: string;
  /** Zone of the hour of delivery; absent in reports that were written without it, which are of Brasília. */
  readonly timeZone?: string;
  readonly locale: Locale;
  readonly emptyChoice: EmptyReportChoice;
  /** End of the key, in the report of one seller to that seller alone. */
  readonly directKey?: string | undefined;
  /** Whether that seller has other wallet accounts too, whose reports have sentences like this one's. */
  readonly hasOthers?: boolean;
  /** Untrusted text; undefined when Discord does not tell it. */
  readonly guildName?: string | undefined;
  readonly sellers: readonly SellerFigures[];
  readonly missing: readonly MissingSeller[];
  /** Account of a seller who was missing: this post completes the day's report, with the new sums. */
  readonly completes?: string | undefined;
  /** Known at posting: an older copy of the database was put back, so that a completion may have been told before. */
  readonly doubtful?: boolean;
}

/** Corrections that one post has room for, beside ten sellers and five goals; the rest wait for the next report. */
export const MOST_CORRECTIONS = 40;

const WEEK = 7;
/** Days of figures that a report carries: a week, and the one behind it. */
const DAYS_CARRIED = 2 * WEEK;

export const daysCarried = (day: Temporal.PlainDate): readonly Temporal.PlainDate[] =>
  daysOf(lastDays(DAYS_CARRIED, day));

/** Sales of the carried days up to the report's, from kept days that are current. */
const salesCarried = (figures: SalesDay, kept: Iterable<SalesDay>): readonly (Cents | null)[] => {
  const newestMs = openingMs(figures.day);
  const days = Array.from({ length: DAYS_CARRIED }, (): Cents | null => null);
  for (const known of kept) {
    const place = DAYS_CARRIED - 1 - (newestMs - openingMs(known.day)) / DAY;
    if (place in days && isCurrent(known)) days[place] = known.sales;
  }
  days[DAYS_CARRIED - 1] = figures.sales;
  return days;
};

/** A seller's part, from the kept days of the wallet account by `YYYY-MM-DD`. */
export const sellerFiguresOf = (
  { accountId, ownerId }: Pick<SellerFigures, "accountId" | "ownerId">,
  wallet: number,
  figures: SalesDay,
  kept: ReadonlyMap<string, SalesDay>,
  corrections: readonly SalesCorrection[],
): SellerFigures => ({
  accountId,
  ownerId,
  wallet,
  figures: {
    sales: figures.sales,
    fees: figures.fees,
    net: figures.net,
    api: figures.api,
    esales: figures.esales,
  },
  days: salesCarried(figures, kept.values()),
  corrections: corrections.map(({ day, oldSales, newSales, oldNet, newNet }) => {
    if (oldSales === newSales)
      return { day: day.toString(), before: oldNet, now: newNet, isNet: true };
    return { day: day.toString(), before: oldSales, now: newSales };
  }),
});

/** One seller for each wallet account. */
const wallets = (sellers: readonly SellerFigures[]): readonly SellerFigures[] => [
  ...new Map(sellers.map((seller) => [seller.wallet, seller])).values(),
];

export const sumOfSellers = (sellers: readonly SellerFigures[]): SalesFigures =>
  sumOf(wallets(sellers).map(({ figures }) => figures));

/** Their sales of a carried day; undefined where a seller's are not known. */
const salesAt = (place: number, those: readonly SellerFigures[]): Cents | undefined => {
  let sum = 0;
  for (const { days } of those) {
    const sales = days.at(place) ?? undefined;
    if (sales === undefined) return undefined;
    sum += sales;
  }
  return those.length === 0 ? undefined : cents(sum);
};

/** Sales of each carried day; undefined where a seller's are not known. */
export const salesByDay = (sellers: readonly SellerFigures[]): readonly (Cents | undefined)[] => {
  const those = wallets(sellers);
  return Array.from({ length: DAYS_CARRIED }, (_, place) => salesAt(place, those));
};

/** Change of the report's day against the day `daysAgo`, both of the same sellers. */
export const sellersChange = (sellers: readonly SellerFigures[], daysAgo: 1 | 7): SalesChange => {
  const those = wallets(sellers);
  const [now, before] = [salesAt(-1, those), salesAt(-1 - daysAgo, those)];
  if (now === undefined || before === undefined) return { kind: "unknown" };
  return salesChange(now, before);
};

/** Whether no seller sold. */
export const soldNothing = (sellers: readonly SellerFigures[]): boolean =>
  isEmpty(sumOfSellers(sellers));

/** Whether the sellers who sold have gone since, in a server that chose reports only of days with sales. */
export const tellsNothing = ({ emptyChoice, sellers, missing }: DailyReport): boolean =>
  emptyChoice === "skip" &&
  missing.length === 0 &&
  soldNothing(sellers) &&
  sellers.every(({ corrections }) => corrections.length === 0);

/** Best sellers first; of two equal ones the one who was connected first. */
export const ranked = (sellers: readonly SellerFigures[]): readonly SellerFigures[] =>
  sellers.toSorted((one, other) => other.figures.sales - one.figures.sales);
