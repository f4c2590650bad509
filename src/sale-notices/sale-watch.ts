import { type Cents, cents } from "../shared/money.ts";
import type { ListedTransaction } from "../transactions/transaction.ts";
import {
  DAY,
  earlierInstant,
  earliestOf,
  HOUR,
  MINUTE,
  msBetween,
  SECOND,
} from "../shared/time.ts";
import { type SaleEvent, type SaleFacts, TOLERANCE_MS } from "./sale-notice.ts";

export type SaleState = "pending" | "approved" | "refunded";

/** A payment of the list. */
export interface ListedSale extends SaleFacts {
  readonly state: SaleState;
  readonly createdAt: Temporal.Instant | undefined;
  readonly updatedAt: Temporal.Instant | undefined;
}

/** The stored part of a listed sale. */
export interface SeenSale {
  readonly state: SaleState;
  /** The newest time that the list gave; without one, when the sale was first listed. */
  readonly at: Temporal.Instant;
}

/** Last sales report, while the list cannot be read. */
export interface ReportCount {
  readonly day: Temporal.PlainDate;
  readonly count: number;
  readonly total: Cents;
  /** When it was read. */
  readonly readAt: Temporal.Instant;
  /** Sales and refunds told by their number that the list has not shown yet. */
  readonly toldSales: number;
  readonly toldRefunds: number;
  /** Whether the list was read since: it tells what the next reading of the report would tell again. */
  readonly isPassed: boolean;
  /** Set where the report was zero since: a second reading has to confirm it. */
  readonly isZeroSince?: boolean;
}

export interface WatchState {
  /** Sales before it are not told. By the service's clock where the list has times. */
  readonly since: Temporal.Instant;
  /** When the first reading of the list ended, of which no sale is told; undefined before. */
  readonly baselineAt: Temporal.Instant | undefined;
  readonly lookedAt: Temporal.Instant | undefined;
  readonly lastSaleAt: Temporal.Instant | undefined;
  /** Newest time in the list when it was last read as far as needed. */
  readonly readTo: Temporal.Instant | undefined;
  /** Query of the page with which an unfinished reading goes on. */
  readonly resume: string | undefined;
  /** Query of the page with which an unfinished reading of older sales goes on. */
  readonly deepResume: string | undefined;
  /** When pages with older sales were last read to their end, for their refunds. */
  readonly deepAt: Temporal.Instant | undefined;
  readonly listTriedAt: Temporal.Instant | undefined;
  /** Set while the sales report stands in for the list, and until the list has shown what the report told. */
  readonly report: ReportCount | undefined;
}

export interface SaleWatch extends WatchState {
  readonly accountFp: string;
  readonly nextLookAt: Temporal.Instant;
  /** When a call last made the wallet account due. */
  readonly calledAt: Temporal.Instant | undefined;
  readonly heldUntil: Temporal.Instant | undefined;
}

export const newWatch = (at: Temporal.Instant): WatchState => ({
  since: at,
  baselineAt: undefined,
  lookedAt: undefined,
  lastSaleAt: undefined,
  readTo: undefined,
  resume: undefined,
  deepResume: undefined,
  deepAt: undefined,
  listTriedAt: undefined,
  report: undefined,
});

const RANK: Readonly<Record<SaleState, number>> = { pending: 0, approved: 1, refunded: 2 };

type Stated = Pick<SeenSale, "state">;

/** Whether the sale has gone on since it was seen before. */
export const isFurther = (sale: Stated, before: Stated): boolean =>
  RANK[sale.state] > RANK[before.state];

/** Older sales are told only if they were awaited; their rows are deleted as long after. */
const KEPT_MS = 7 * DAY;
/** Longest time from a charge to its payment that every look covers. */
const PAYMENT_MS = HOUR;
const DEEP_EVERY_MS = HOUR;

const plus = (at: Temporal.Instant, milliseconds: number): Temporal.Instant =>
  at.add({ milliseconds });
const isBefore = (one: Temporal.Instant, other: Temporal.Instant): boolean =>
  Temporal.Instant.compare(one, other) < 0;
export const latest = (
  one: Temporal.Instant | undefined,
  other: Temporal.Instant | undefined,
): Temporal.Instant | undefined =>
  one === undefined || (other !== undefined && isBefore(one, other)) ? other : one;

/** The documented statuses of a payment. Source: service.md 2.3, 2.7. */
const STATES: ReadonlyMap<string, SaleState> = new Map([
  ["pending", "pending"],
  ["expired", "pending"],
  ["approved", "approved"],
  ["refunded", "refunded"],
]);

/** An unknown status awaits one that is known. */
const stateOf = (status: string): SaleState => STATES.get(status) ?? "pending";

const isLegible = ({ type, status, amount }: ListedTransaction): boolean =>
  type === "payment" && STATES.has(status ?? "") && amount !== undefined;

/**
 * Whether the rows tell sales: all of them in known words, or half of them with an approved one among them, which shows
 * that no unknown word stands for it. Otherwise a sale may stand there in other words.
 */
export const isUsable = (rows: readonly ListedTransaction[]): boolean => {
  const sales = rows.filter(({ type }) => type !== "withdrawal");
  const legible = sales.filter(isLegible);
  if (legible.length === sales.length) return true;
  const isHalf = 2 * legible.length >= sales.length;
  return isHalf && legible.some(({ status }) => status === "approved");
};

/** The last state of each sale, which a page or two may show in several. */
export const lastStates = (sales: readonly ListedSale[]): readonly ListedSale[] => {
  const byKey = new Map<string, ListedSale>();
  for (const sale of sales) {
    const known = byKey.get(sale.key);
    if (known === undefined || isFurther(sale, known)) byKey.set(sale.key, sale);
  }
  return [...byKey.values()];
};

/** The payments of the rows, one for each txid in its last state. Rows that say too little wait until they say more. */
export const salesOf = (
  rows: readonly ListedTransaction[],
  keyOf: (txid: string) => string,
): readonly ListedSale[] =>
  lastStates(
    rows.flatMap((row) => {
      const { type, status, amount, net, description: product, createdAt, updatedAt } = row;
      if (type !== "payment" || status === undefined || amount === undefined) return [];
      const positive = cents(Math.abs(amount));
      const facts = { amount: positive, net, product, createdAt, updatedAt };
      return [{ key: keyOf(row.txid), state: stateOf(status), ...facts }];
    }),
  );

export const timeOf = ({ createdAt, updatedAt }: ListedSale): Temporal.Instant | undefined =>
  latest(createdAt, updatedAt);

/** The newest time in the list. */
export const newestOf = (
  rows: readonly Pick<ListedTransaction, "createdAt" | "updatedAt">[],
): Temporal.Instant | undefined =>
  rows.reduce<Temporal.Instant | undefined>(
    (newest, { createdAt, updatedAt }) => latest(newest, latest(createdAt, updatedAt)),
    undefined,
  );

/** The oldest time in the list: of creation, where the list gives it. */
export const oldestOf = (rows: Parameters<typeof newestOf>[0]): Temporal.Instant | undefined =>
  earliestOf(rows.map(({ createdAt, updatedAt }) => createdAt ?? updatedAt));

/** Whether it is of the time that is told, which a sale without a time counts as. */
export const isSince = (at: Temporal.Instant | undefined, since: Temporal.Instant): boolean =>
  at === undefined || !isBefore(at, plus(since, -TOLERANCE_MS));

/**
 * The news of a listed sale since it was seen before. A sale refunded between two looks tells both. `baselineAt`: the first
 * reading ends above older pages: their refunds of before it are not told.
 */
export const newsOf = (
  sale: ListedSale,
  before: SeenSale | undefined,
  since: Temporal.Instant,
  baselineAt: Temporal.Instant | undefined,
): readonly SaleEvent[] => {
  const { state, updatedAt, ...facts } = sale;
  const { createdAt } = facts;
  if (state === "pending" || (before !== undefined && !isFurther(sale, before))) return [];
  const isRefund = state === "refunded";
  const begun = createdAt ?? (isRefund ? undefined : updatedAt);
  const isSale =
    before === undefined
      ? // A refund without a time may be of any sale.
        isSince(begun, since) && !(isRefund && begun === undefined)
      : before.state === "pending";
  const toldSince = isSale ? since : (latest(since, baselineAt) ?? since);
  const refunds = isRefund && (before !== undefined || isSince(updatedAt ?? createdAt, toldSince));
  const paidAt = isRefund ? createdAt : (updatedAt ?? createdAt);
  return [
    ...(isSale ? [{ ...facts, kind: "sale" as const, at: paidAt }] : []),
    ...(refunds ? [{ ...facts, kind: "refund" as const, at: updatedAt }] : []),
  ];
};

/** Whether the page brings news: then older pages may bring more. */
export const bringsNews = (
  sales: readonly ListedSale[],
  seen: ReadonlyMap<string, SeenSale>,
  since: Temporal.Instant,
): boolean =>
  sales.some((sale) => {
    const before = seen.get(sale.key);
    return before === undefined
      ? isSince(sale.createdAt ?? sale.updatedAt, since)
      : isFurther(sale, before);
  });

/** The row to store of the sale; undefined for a sale too old to be told, refunded or not. */
export const memoryOf = (
  sale: ListedSale,
  since: Temporal.Instant,
  now: Temporal.Instant,
): SeenSale | undefined => {
  const at = timeOf(sale);
  if (at !== undefined && isBefore(at, forgottenBefore(since))) return undefined;
  return { state: sale.state, at: at ?? now };
};

const REFRESH_MS = 12 * HOUR;

/** Whether to store that a sale without a time is still listed: what is listed is not forgotten. */
export const needsRefresh = (sale: ListedSale, before: SeenSale, now: Temporal.Instant): boolean =>
  timeOf(sale) === undefined && isBefore(before.at, plus(now, -REFRESH_MS));

/**
 * Whether a later look of the first reading sees a sale that was made after its beginning. The first pages of a list
 * without an order need not show the newest sale: our clock decides as well.
 */
export const isSoldSince = (
  sale: ListedSale,
  since: Temporal.Instant,
  begunAt: Temporal.Instant = since,
): boolean => {
  const at = timeOf(sale);
  if (sale.state === "pending" || at === undefined) return false;
  return isBefore(since, at) && isBefore(plus(begunAt, -TOLERANCE_MS), at);
};

/** Seen sales older than this are deleted once they are no longer listed. */
export const forgottenBefore = (since: Temporal.Instant): Temporal.Instant => plus(since, -KEPT_MS);

/** `since` after a look: sales a week older than the newest one are history, and later changes of them are not told. */
export const sinceAfter = (
  since: Temporal.Instant,
  newest: Temporal.Instant | undefined,
  now: Temporal.Instant,
): Temporal.Instant => {
  const week = plus(earlierInstant(now, newest), -KEPT_MS);
  return isBefore(since, week) ? week : since;
};

const MOSTLY = 0.9;
/** Fewer neighbours with different times may stand in an order by chance. */
const LEAST_PAIRS = 8;

/** Whether nearly all neighbours stand newest first, by either of their times. */
export const isMostlyNewestFirst = (rows: readonly ListedTransaction[]): boolean =>
  (["createdAt", "updatedAt"] as const).some((name) => {
    const times = rows.flatMap((row) => row[name]?.epochMilliseconds ?? []);
    const steps = times
      .slice(1)
      .map((ms, index) => ms - (times[index] ?? ms))
      .filter((step) => step !== 0);
    const falling = steps.filter((step) => step < 0).length;
    return steps.length >= LEAST_PAIRS && falling >= MOSTLY * steps.length;
  });

export interface PageFacts {
  readonly rows: readonly ListedTransaction[];
  /** Whether the pages read so far stand newest first. */
  readonly isOrdered: boolean;
  readonly hasNews: boolean;
  readonly newest: Temporal.Instant | undefined;
  /** Oldest charge of the last hour that awaits its payment. */
  readonly pendingFrom: Temporal.Instant | undefined;
  readonly isDeep: boolean;
  /** The page was reached by the query with which an unfinished reading goes on. */
  readonly isResumed: boolean;
}

/** Whether the page after this one may hold news. A list that is not newest first is read to its end. */
export const readsOn = (
  page: PageFacts,
  watch: Pick<WatchState, "baselineAt" | "readTo" | "since">,
): boolean => {
  const { rows, newest, pendingFrom } = page;
  if (!page.isOrdered) return true;
  const oldest = oldestOf(rows);
  if (oldest === undefined) return true;
  const reaches = (from: Temporal.Instant | undefined, ms: number): boolean =>
    from !== undefined && !isBefore(oldest, plus(from, -ms));
  if (watch.baselineAt === undefined) return reaches(newest, DAY);
  if (page.isResumed) return reaches(watch.readTo ?? watch.since, HOUR);
  return page.hasNews || (page.isDeep && reaches(newest, KEPT_MS)) || reaches(pendingFrom, 0);
};

/** Charges created since then may be paid, and are looked for on older pages. */
export const awaitedSince = (now: Temporal.Instant): Temporal.Instant => plus(now, -PAYMENT_MS);

/** Older sales are read each hour, and when the list returns: told sales that it lacks then are not awaited further. */
export const isDeepDue = ({ deepAt, report }: WatchState, now: Temporal.Instant): boolean =>
  deepAt === undefined ||
  (report && report.toldSales + report.toldRefunds > 0 && isBefore(deepAt, report.readAt)) ||
  msBetween(now, deepAt) >= DEEP_EVERY_MS;

const RETRY_LIST_MS = 10 * MINUTE;
/** Longest time after a call for the list to show its sale. */
const CALL_SHOWN_MS = 3 * MINUTE;

/** Whether the list is to be tried again while the report stands in for it. */
export const isListDue = (
  { report, resume, listTriedAt }: WatchState,
  now: Temporal.Instant,
): boolean =>
  report === undefined ||
  report.isPassed ||
  resume !== undefined ||
  listTriedAt === undefined ||
  msBetween(now, listTriedAt) >= RETRY_LIST_MS;

export const paces = {
  busyMs: 30 * SECOND,
  quietMs: 2 * MINUTE,
  idleMs: 10 * MINUTE,
  calledMs: 15 * MINUTE,
} as const;
/** Whether the report is to stand in for a list that was not answered: one failure may pass. */
export const isListLongAway = (watch: WatchState, now: Temporal.Instant): boolean =>
  watch.report?.isPassed === false ||
  msBetween(now, watch.lookedAt ?? watch.since) >= RETRY_LIST_MS + paces.calledMs;

/** Of an account whose sales are read on many pages. */
const PAGE_MS = 10 * SECOND;

/**
 * Time between two looks. `trustedUntil`: until then the service's own calls are known to arrive, so that polling is
 * only a safety net.
 */
export const paceOf = (
  {
    lastSaleAt,
    baselineAt,
    resume,
    trustedUntil,
    calledAt,
    pages = 1,
    failed = false,
  }: Pick<WatchState, "baselineAt" | "lastSaleAt" | "resume"> & {
    readonly trustedUntil?: Temporal.Instant | undefined;
    readonly calledAt?: Temporal.Instant | undefined;
    readonly pages?: number;
    readonly failed?: boolean;
  },
  now: Temporal.Instant,
): number => {
  const agoMs = (at: Temporal.Instant | undefined): number =>
    at === undefined ? Infinity : msBetween(now, at);
  const isAwaited = resume !== undefined || agoMs(calledAt) <= CALL_SHOWN_MS;
  if (trustedUntil !== undefined && isBefore(now, trustedUntil))
    return isAwaited ? paces.busyMs : paces.calledMs;
  const saleMs = agoMs(lastSaleAt);
  // A seller who has just agreed waits for the first notice.
  const isBusy = saleMs <= DAY || baselineAt === undefined || agoMs(baselineAt) <= HOUR;
  const ms = isBusy ? paces.busyMs : saleMs <= 7 * DAY ? paces.quietMs : paces.idleMs;
  return Math.max(ms, (pages - 1) * PAGE_MS, failed ? paces.quietMs : 0);
};

/** Longest time that a look was put off by; a longer one was written before a clock was set back. */
export const LONGEST_PACE_MS = paces.calledMs + 5 * MINUTE;
/** A restart misses looks by less, which need no spreading. */
export const MISSED_MS = 2 * MINUTE;

/** An even share of the next `ms` for each account, so that looks missed together are not caught up with together. */
export const spreadLook = (
  accountFp: string,
  ms: number,
  now: Temporal.Instant,
): Temporal.Instant => {
  let hash = 7;
  for (const character of accountFp) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return plus(now, Math.floor((hash / 65_521) * ms));
};
