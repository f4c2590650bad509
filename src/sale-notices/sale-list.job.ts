import type { DoneLook, SaleWatches } from "./sale-watch.store.ts";
import { setImmediate } from "node:timers/promises";
import type { ListGap, SaleEvent } from "./sale-notice.ts";
import type {
  ListedTransaction,
  Transaction,
  TransactionPage,
} from "../transactions/transaction.ts";
import {
  awaitedSince,
  bringsNews,
  forgottenBefore,
  isDeepDue,
  isFurther,
  isMostlyNewestFirst,
  isSince,
  isSoldSince,
  needsRefresh,
  isUsable,
  lastStates,
  latest,
  type ListedSale,
  memoryOf,
  newestOf,
  newsOf,
  oldestOf,
  type PageFacts,
  readsOn,
  type SaleWatch,
  salesOf,
  type SeenSale,
  sinceAfter,
  timeOf,
  type WatchState,
} from "./sale-watch.ts";
import { byTheService } from "../reports/sales-days.ts";
import { mayAnswerLater } from "../shared/errors.ts";
import { settled } from "../shared/settled.ts";
import { type Clock, earlierInstant, MINUTE } from "../shared/time.ts";

/** Rows hashed and compared in one turn of the event loop: 5,000 took 90 ms. */
const SLICE = 500;

interface SaleListNeeds {
  readonly clock: Clock;
  readonly watches: Pick<SaleWatches, "seen" | "awaitedSince">;
  readonly hashTxid: (txid: string) => string;
}

/** The list was read, but its rows do not say enough to tell sales. */
export class UnusableListError extends Error {
  override readonly name = "UnusableListError";
}

export interface ListFindings {
  readonly events: readonly SaleEvent[];
  readonly seen: ReadonlyMap<string, SeenSale>;
  readonly forget: DoneLook["forget"];
  readonly after: WatchState;
  readonly pages: number;
  /** Whether this look, or the looks since the list's return, read as far as older sales are looked for; no page failed. */
  readonly isComplete: boolean;
  /**
   * Set where the list ended before it reached the rows read earlier, and the service says that it has more; and where a
   * late first reading shows sales since the consent.
   */
  readonly gap: ListGap | undefined;
  /** How far the service's clock is ahead of ours, by the last page; undefined when it was not measured. */
  readonly skewMs: number | undefined;
}

/** The first reading follows the consent within seconds. One that comes later than this leaves out sales in between. */
const LATE_FIRST_MS = 5 * MINUTE;

/** Pages of one look: a longer list goes on with the next look. */
const MOST_PAGES = 10;
const LONGEST_QUERY = 500;

/** Pages read at the top of the list while an earlier reading is unfinished. */
const MOST_BEFORE_GAP = 3;

/** Pages that the top of the list leaves, and half a look at least: older sales are read to their end on a busy day, too. */
const olderPages = ({ pages }: Walk): number => Math.max(MOST_PAGES - pages, MOST_PAGES / 2);

type ReadPage = (query: string | undefined) => Promise<TransactionPage>;
type ReadDetail = (txid: string) => Promise<Pick<Transaction, "createdAt">>;

/** Details read from each end of a list that was empty before. */
const MOST_DETAILS = 10;
/** In a list of at most this many sales, one without a detail is taken for a new one. */
const FEW_SALES = 5;

/** `resume`, `deeper`: query with which the reading of news, or of older sales, is to go on; undefined when it is whole. */
interface Stretch {
  readonly resume: string | undefined;
  readonly deeper: string | undefined;
  readonly isOrdered: boolean;
}

interface Walk {
  readonly sales: ListedSale[];
  readonly seen: Map<string, SeenSale>;
  readonly txids: Map<string, string>;
  newest: Temporal.Instant | undefined;
  /** Oldest time of the last page, where the service has more and there is no way to it. */
  cutAt: Temporal.Instant | undefined;
  skewMs: number | undefined;
  pages: number;
  isBroken: boolean;
}

interface Look {
  readonly walk: Walk;
  readonly watch: SaleWatch;
  readonly read: ReadPage;
}

/**
 * Reads the list of one wallet account as far as it may hold news: a burst larger than a page goes on with further
 * pages, and with the next look beyond `MOST_PAGES`.
 */
export const createSaleList = ({ clock, watches, hashTxid }: SaleListNeeds) => {
  const readPage = async (
    query: string | undefined,
    { walk, watch, read }: Look,
  ): Promise<{ readonly page: TransactionPage; readonly hasNews: boolean }> => {
    const page = await read(query);
    const rows = page.items;
    if (walk.pages === 0 && !isUsable(rows))
      throw new UnusableListError("No row says type, status and amount");
    walk.pages += 1;
    walk.skewMs = page.skewMs;
    const sales: ListedSale[] = [];
    const seen = new Map<string, SeenSale>();
    for (let start = 0; start < rows.length; start += SLICE) {
      if (start > 0) await setImmediate();
      const part = salesOf(rows.slice(start, start + SLICE), hashTxid);
      const keys = part.map(({ key }) => key);
      for (const [key, each] of await watches.seen(watch.accountFp, keys)) seen.set(key, each);
      sales.push(...part);
    }
    walk.sales.push(...sales);
    for (const { txid } of walk.seen.size + seen.size > 0 ? [] : rows)
      walk.txids.set(hashTxid(txid), txid);
    for (const [key, each] of seen) walk.seen.set(key, each);
    walk.newest = latest(walk.newest, newestOf(rows));
    // Where the older half is known, so are the pages below it in a list that is newest first.
    const older = sales.slice(Math.floor(sales.length / 2));
    return { page, hasNews: bringsNews(older, seen, watch.since) };
  };

  /** Reads pages from `first` on, `most` in all. */
  const readFrom = async (
    first: string | undefined,
    most: number,
    wider: Pick<PageFacts, "isDeep" | "pendingFrom" | "isResumed">,
    look: Look,
  ): Promise<Stretch> => {
    const { walk, watch } = look;
    const { isResumed } = wider;
    const readRows: ListedTransaction[] = [];
    // Of this stretch: another one may have begun on pages that this one goes on with.
    const queries = new Set<string>();
    let query = first;
    for (let left = most; ; left--) {
      const got = await settled(readPage(query, look));
      if (!got.ok) {
        // Without its first page the look has failed.
        if (walk.pages === 0) throw got.error;
        walk.isBroken = true;
        // A page that the service refuses will not come back; one that was not answered may.
        const resume = mayAnswerLater(got.error.kind) ? query : undefined;
        return { resume, deeper: undefined, isOrdered: true };
      }
      const { page, hasNews } = got.value;
      const { items: rows, next } = page;
      readRows.push(...rows);
      const isOrdered = isMostlyNewestFirst(readRows);
      const facts = { rows, isOrdered, hasNews, newest: walk.newest, isResumed };
      const needs = readsOn({ ...facts, isDeep: false, pendingFrom: undefined }, watch);
      const goesOn = needs || readsOn({ ...facts, ...wider }, watch);
      // A list that names a page again never ends.
      const isEnd = next === undefined || next.length > LONGEST_QUERY || queries.has(next);
      if (isEnd && (page.isCut === true || next !== undefined)) walk.cutAt = oldestOf(rows);
      if (isEnd || !goesOn) return { resume: undefined, deeper: undefined, isOrdered };
      queries.add(next);
      if (left <= 1)
        return {
          resume: needs ? next : undefined,
          deeper: needs ? undefined : next,
          isOrdered,
        };
      query = next;
    }
  };

  /**
   * Older sales in a list that was empty at its first reading and shows no times: their details tell. A sale without a
   * detail, or between both ends of the list, counts as older if a sale at an end is older, or half of them have no detail.
   * In a short list the report decides instead, once, as the detail of a first sale may be late.
   */
  const oldOf = async (
    { baselineAt, since, report }: SaleWatch,
    { sales, seen, txids }: Walk,
    readDetail: ReadDetail,
  ): Promise<ReadonlySet<string>> => {
    const isFound = baselineAt !== undefined && seen.size === 0 && !sales.some(timeOf);
    const keys = isFound ? [...new Set(sales.map(({ key }) => key))] : [];
    const atEnds = new Set([...keys.slice(0, MOST_DETAILS), ...keys.slice(-MOST_DETAILS)]);
    const isAwaited = keys.length <= FEW_SALES && report === undefined;
    const young = new Set<string>();
    let hasOld = false;
    for (const key of atEnds) {
      const detail = await settled(readDetail(txids.get(key) ?? ""));
      if (!detail.ok && (isAwaited || detail.error.kind !== "not_found")) throw detail.error;
      if (!detail.ok) continue;
      if (isSince(detail.value.createdAt, since)) young.add(key);
      else hasOld = true;
    }
    const isDoubtful = hasOld || young.size <= atEnds.size / 2;
    return new Set(isDoubtful ? keys.filter((key) => !young.has(key)) : []);
  };

  /** @throws WalletError, UnusableListError */
  return async (
    given: SaleWatch,
    read: ReadPage,
    readDetail: ReadDetail,
  ): Promise<ListFindings> => {
    const now = clock.now();
    // The watch may have begun, and its first reading have ended, before the clock was set back.
    const { since, baselineAt } = given;
    const watch = {
      ...given,
      since: earlierInstant(now, since),
      baselineAt: baselineAt && earlierInstant(now, baselineAt),
    };
    const { accountFp } = watch;
    const isDeep = watch.baselineAt !== undefined && isDeepDue(watch, now);
    const pendingFrom = await watches.awaitedSince(accountFp, awaitedSince(now));
    const walk: Walk = {
      sales: [],
      seen: new Map(),
      txids: new Map(),
      newest: undefined,
      cutAt: undefined,
      skewMs: undefined,
      pages: 0,
      isBroken: false,
    };
    const wider = { isDeep, pendingFrom, isResumed: false };
    const { resume: gap } = watch;
    // Older sales go on where they were left, and from the top again only when the list returns.
    const isReturn = watch.report?.isPassed === false;
    const deepResume = isReturn ? undefined : watch.deepResume;
    // Charges of the last hour are looked for meanwhile, too: every look covers them.
    const topmost = deepResume === undefined ? wider : { ...wider, isDeep: false };
    const most = gap === undefined ? MOST_PAGES : MOST_BEFORE_GAP;
    const look = { walk, watch, read };
    const top = await readFrom(undefined, most, topmost, look);
    // The stretch below the present one reaches down to the gap; in the first reading it never does, as it brings no news.
    // A list without an order goes on where it was left, and from the top again when the list returns: the report told
    // sales of any page.
    const isFollowed =
      watch.baselineAt === undefined || top.resume === undefined || !(top.isOrdered || isReturn);
    const goesOn = gap !== undefined && isFollowed;
    const last = goesOn
      ? await readFrom(gap, MOST_PAGES - walk.pages, { ...topmost, isResumed: true }, look)
      : top;
    // The stretch from the gap ends above older sales: these go on where the top of the list left them.
    const { resume, deeper = top.deeper } = last;
    const older =
      deepResume === undefined || resume !== undefined
        ? { resume: deepResume ?? deeper, deeper: undefined }
        : await readFrom(deepResume, olderPages(walk), wider, look);
    const isOrdered = top.isOrdered || last.isOrdered;
    const rest = { resume, deepResume: older.resume ?? older.deeper, isOrdered };
    return findings(watch, walk, await oldOf(watch, walk, readDetail), rest, isDeep, now);
  };
};

const findings = (
  watch: SaleWatch,
  walk: Walk,
  old: ReadonlySet<string>,
  {
    resume,
    deepResume,
    isOrdered,
  }: Pick<WatchState, "resume" | "deepResume"> & Pick<Stretch, "isOrdered">,
  isDeep: boolean,
  now: Temporal.Instant,
): ListFindings => {
  const isBaseline = watch.baselineAt === undefined;
  const isFirst = isBaseline && watch.readTo === undefined;
  const since = isFirst ? earlierInstant(now, walk.newest) : watch.since;
  const sales = lastStates(walk.sales);
  // The list dates refunds by the service's clock.
  const baselineAt = watch.baselineAt && byTheService(watch.baselineAt, walk);
  const events = isBaseline
    ? []
    : sales.flatMap((sale) =>
        old.has(sale.key) ? [] : newsOf(sale, walk.seen.get(sale.key), since, baselineAt),
      );
  const told = new Set(events.map(({ key }) => key));
  const seen = new Map<string, SeenSale>();
  for (const sale of sales) {
    const before = walk.seen.get(sale.key);
    const memory = told.has(sale.key)
      ? { state: sale.state, at: timeOf(sale) ?? now }
      : memoryOf(sale, since, now);
    // The first reading leaves sales made since it began to the look after it.
    if (memory === undefined || (isBaseline && !isFirst && isSoldSince(sale, since, watch.deepAt)))
      continue;
    if (before === undefined || isFurther(memory, before)) seen.set(sale.key, memory);
    else if (needsRefresh(sale, before, now)) seen.set(sale.key, { ...before, at: now });
  }
  const isWhole = resume === undefined;
  // The pages that are left are of before as well: the first reading begins again.
  const isFoundLate = old.size > 0;
  const approved = sales.filter(({ state }) => state !== "pending");
  const lastSaleAt = newestOf(approved) ?? (events.length > 0 ? now : undefined);
  // News that the return left to further looks: their reading ends above the older sales that the report may have told,
  // and in a list without an order at its end.
  const isShort = watch.report !== undefined && watch.resume !== undefined && isOrdered;
  const isDeepDone = isDeep && isWhole && deepResume === undefined && !isShort;
  const after: WatchState = {
    ...watch,
    since: isBaseline ? since : sinceAfter(since, walk.newest, now),
    baselineAt: isWhole ? (watch.baselineAt ?? now) : isFoundLate ? undefined : watch.baselineAt,
    lookedAt: now,
    lastSaleAt: lastSaleAt ?? watch.lastSaleAt,
    readTo: isWhole || isBaseline ? (walk.newest ?? watch.readTo) : watch.readTo,
    resume,
    deepResume,
    deepAt: isBaseline ? (watch.deepAt ?? now) : isDeepDone ? now : watch.deepAt,
    listTriedAt: now,
  };
  const except = sales.map(({ key }) => key);
  // Sales without a time are known by their memory alone: pages that this look did not read keep theirs.
  const isSafe = sales.length > 0 && (sales.every(timeOf) || watch.resume === undefined);
  const forget =
    isDeepDone && isSafe ? { before: forgottenBefore(after.since), except } : undefined;
  const isFromTop = watch.deepResume === undefined || watch.report?.isPassed === true;
  const isComplete = isDeepDone && isFromTop && !walk.isBroken;
  const from = watch.readTo ?? watch.since;
  const isLateFirst = isFirst && now.since(watch.since).total("milliseconds") > LATE_FIRST_MS;
  const untold = isLateFirst ? newestOf(approved) : undefined;
  const until = isBaseline ? untold : walk.cutAt;
  const isGap = until !== undefined && Temporal.Instant.compare(from, until) < 0;
  const gap = isGap ? { from, until } : undefined;
  const { pages, skewMs } = walk;
  return { events, seen, forget, after, pages, isComplete, gap, skewMs };
};
