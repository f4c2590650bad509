import type { Charges } from "../charges/charges.store.ts";
import type { DisputeWatch } from "../disputes/dispute-watch.store.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import {
  type Asker,
  type Connection,
  connectionOfAsker,
  resumeJobs,
} from "../accounts/asker.service.ts";
import { paymentTxids } from "../disputes/dispute.ts";
import type { ListedDispute } from "../disputes/dispute-list.ts";
import type { SalesService } from "../reports/sales.service.ts";
import { concernsRequestAlone, orMistake, UserError, type WalletError } from "../shared/errors.ts";
import { amongIds, MOST_OPTIONS } from "../shared/ids.ts";
import { startInBrasilia } from "../shared/local-time.ts";
import { pageOf } from "../shared/page.ts";
import { openingOf } from "../shared/report-day.ts";
import type { Logger } from "../shared/log.ts";
import { keepEach, keepNewest } from "../shared/keep-newest.ts";
import { requireAuthorized, settled, supportCodesOf } from "../shared/settled.ts";
import { type Clock, MINUTE, pause, SECOND } from "../shared/time.ts";
import type { Priority, WalletKey } from "../accounts/wallet-key.ts";
import type { WalletClient } from "../wallet/client.ts";
import {
  type BrasiliaDay,
  brasiliaDayOf,
  endsAfter,
  goesBackTo,
  hasUndatedSales,
  reportDaysOf,
} from "./brasilia-day.ts";
import type { ListedTransaction, Transaction } from "./transaction.ts";
import {
  isLaterRow,
  isWhollyNewestFirst,
  isSale,
  matches,
  newestFirst,
  selected,
  type TransactionDetail,
  type TransactionList,
  type WantedTransactions,
} from "./transaction-list.ts";

/** `paid`: no charges that wait or expired. `refundable`: approved only. Both with those of untold status. */
type SuggestedSales = "all" | "sales" | "paid" | "refundable";

export type TransactionsService = ReturnType<typeof createTransactions>;

interface TransactionsNeeds {
  readonly accounts: Pick<AccountsStore, "findWithKey" | "resume">;
  readonly charges: Pick<Charges, "claimed">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly monotonicMs: () => number;
  readonly wallet: Pick<WalletClient, "transaction" | "transactions" | "disputes">;
  readonly watched: Pick<DisputeWatch, "of">;
  readonly report: SalesService["report"];
}

type Stated = Pick<ListedTransaction, "status" | "txid">;

/** Rows with the end of charges whose owner was told that they expired: the service may go on calling them pending. */
const withExpired = async <Row extends Stated>(
  { charges }: Pick<TransactionsNeeds, "charges">,
  { id }: Connection["account"],
  rows: readonly Row[],
): Promise<readonly Row[]> => {
  const pending = rows.filter(({ status }) => status === "pending").map(({ txid }) => txid);
  if (pending.length === 0) return rows;
  const expired = await charges.claimed(id, pending, "expired");
  return rows.map((row) => (expired.has(row.txid) ? { ...row, status: "expired" } : row));
};

const PAGE = 10;
const PAGES_TURNED_MS = 2 * MINUTE;
const SUGGESTED_MS = 30 * SECOND;
/** Discord waits three seconds for suggestions and forms. */
const SUGGESTION_WAIT_MS = 1_200;
const CHOSEN_MS = 15 * MINUTE;
const MOST_CHOSEN = 1_000;

/** In each guild a person has an account, and sales, of its own. */
const placeOf = ({ guildId, userId }: Pick<Asker, "guildId" | "userId">): string =>
  `${guildId}|${userId}`;

/** Transactions of the person who asks, with that person's own key. */
export const createTransactions = (needs: TransactionsNeeds) => {
  const { accounts, clock, log, monotonicMs, wallet } = needs;
  const lists = createListMemory(needs);
  const chosen = new Map<string, { readonly txid: string; readonly atMs: number }>();

  /** Empty where they cannot be read: a suggestion is a convenience, and its reader can type or paste the code. */
  const recentOf = async (actor: Asker): Promise<readonly ListedTransaction[]> => {
    try {
      return await lists.recent(await connectionOfAsker(accounts, actor));
    } catch {
      return [];
    }
  };

  /** The watch may not know a MED yet, or not at all. A list that cannot be read costs the button only. */
  const listedDispute = async (
    key: WalletKey,
    { txid, type, status }: Transaction,
  ): Promise<ListedDispute | undefined> => {
    if (!isSale({ type }) || UNPAID.has(status)) return undefined;
    const read = await settled(wallet.disputes(key, "interactive"));
    const isThis = amongIds([txid]);
    const about = read.ok ? read.value.items.filter((each) => isThis(each.txid)) : [];
    return about.find(({ analysisStatus }) => analysisStatus === "pending") ?? about[0];
  };

  return {
    /**
     * A page of the list. `again`: a person turns pages of a list that was used in the last two minutes. Unreadable
     * lists are empty, with the problem.
     * @throws UserError not_connected
     * @throws WalletError unauthorized
     */
    list: async (
      actor: Asker,
      wanted: WantedTransactions,
      again = false,
    ): Promise<TransactionList> => {
      const connection = await connectionOfAsker(accounts, actor);
      const list = await lists.read(connection, (read) => isEnough(read, wanted), again);
      const { rows, undated } = selected(newestFirst(list.rows), wanted);
      const more = isPart(list) && !goesBeyond(list, wanted);
      return {
        ...wanted,
        ...pageOf(rows, wanted.page, PAGE),
        more,
        furtherPage: more && goesOn(list) ? wanted.page : undefined,
        unnamed: list.unnamed,
        undated,
        problem: list.problem?.kind,
        supportCodes: list.supportCodes,
        readAt: list.readAt,
      };
    },
    /**
     * Sales of a day of Brasília, which the reports of its report days prove.
     * @throws UserError not_connected; brasilia_day_unread, _long, _old, _undated, _differs: the list proves no sum
     * @throws WalletError
     */
    brasiliaDay: async (actor: Asker, day: Temporal.PlainDate): Promise<BrasiliaDay> => {
      const connection = await connectionOfAsker(accounts, actor);
      const readAt = clock.now();
      const reports = await Promise.all(
        reportDaysOf(day, readAt).map((each) => needs.report(actor.guildId, actor.userId, each)),
      );
      const opening = openingOf(reports[0]?.day ?? day);
      const isWhole = (list: ReadList): boolean =>
        !isFull(list) && (isAtEnd(list) || goesBackTo(list.rows, opening));
      const dayOf = (list: ReadList) =>
        isWhole(list) ? brasiliaDayOf(day, list.rows, reports) : undefined;
      const list = await lists.read(connection, (read) => dayOf(read) !== undefined, false);
      const found = dayOf(list);
      if (found === undefined) throw unprovenBy(list, day);
      return { ...found, day, readAt };
    },
    /**
     * @throws UserError not_connected, transaction_not_found, txid_unreadable
     * @throws WalletError
     */
    detail: async (actor: Asker, txid: string): Promise<TransactionDetail> => {
      const { account, key } = await connectionOfAsker(accounts, actor);
      const read = await settled(wallet.transaction(key, txid, "interactive"));
      const unreadable = { kind: "txid_unreadable", given: txid } as const;
      if (!read.ok) throw orMistake(read.error, unreadable, { kind: "transaction_not_found" });
      await resumeJobs({ ...accounts, log }, account);
      const [transaction = read.value] = await withExpired(needs, account, [read.value]);
      const watched = await needs.watched.of(account.watchId);
      const isThis = amongIds([read.value.txid]);
      const about = watched.filter((each) => paymentTxids(each).some(isThis));
      const dispute =
        about.find(({ closedAt }) => closedAt === undefined) ??
        about[0] ??
        (await listedDispute(key, transaction));
      return {
        transaction,
        dispute: dispute && { watchId: account.watchId, infractionId: dispute.infractionId },
        readAt: clock.now(),
      };
    },
    /**
     * Recent transactions that match what was typed, newest first, at most 25. Reads the service's first page at most
     * every 30 seconds for each account, after all other reads. Never throws: empty when there is nothing to suggest.
     */
    suggest: async (
      actor: Asker,
      typed: string,
      which: SuggestedSales = "sales",
    ): Promise<readonly ListedTransaction[]> => {
      const fits = (row: ListedTransaction): boolean => {
        const { status = "approved" } = row;
        if (which === "all" || !isSale(row)) return which === "all";
        if (which === "paid") return !UNPAID.has(status);
        return which === "sales" || status === "approved";
      };
      const found = (await recentOf(actor)).filter(
        (row) => fits(row) && matches(row, typed, actor.locale),
      );
      return newestFirst(found).slice(0, MOST_OPTIONS);
    },
    /** What recent transactions were of, by txid. Reads like `suggest`, and never rejects. */
    products: async (actor: Asker): Promise<ReadonlyMap<string, string>> =>
      new Map(
        (await recentOf(actor)).flatMap(({ txid, description }) =>
          description === undefined ? [] : [[txid, description] as const],
        ),
      ),
    /** Notes the sale to which the person's next proof in the guild belongs, for a quarter of an hour. */
    choose: (actor: Asker, txid: string): void => {
      keepNewest(chosen, placeOf(actor), { txid, atMs: monotonicMs() }, MOST_CHOSEN);
    },
    /** The noted sale; undefined when there is none, or when its time is over. */
    chosen: (actor: Pick<Asker, "guildId" | "userId">): string | undefined => {
      const found = chosen.get(placeOf(actor));
      return found !== undefined && monotonicMs() - found.atMs < CHOSEN_MS ? found.txid : undefined;
    },
  };
};

/** Only a paid sale can be contested. */
const UNPAID = new Set(["pending", "expired"]);

/** Why a list proves no sum of a day. */
const unprovenBy = (list: ReadList, day: Temporal.PlainDate): UserError | WalletError => {
  const { problem, rows } = list;
  if (problem !== undefined && !concernsRequestAlone(problem)) return problem;
  if (problem !== undefined) return new UserError({ kind: "brasilia_day_unread" }, problem);
  if (hasUndatedSales(rows)) return new UserError({ kind: "brasilia_day_undated" });
  if (!isPart(list)) return new UserError({ kind: "brasilia_day_differs" });
  return new UserError({ kind: endsAfter(rows, day) ? "brasilia_day_old" : "brasilia_day_long" });
};

/** The part of an account's list that was read so far. */
interface ReadList {
  /** In the service's order, each txid once. */
  readonly rows: readonly ListedTransaction[];
  readonly unnamed: number;
  readonly pages: number;
  readonly next: string | undefined;
  readonly isCut: boolean;
  readonly problem: WalletError | undefined;
  readonly supportCodes: readonly string[];
  readonly readAt: Temporal.Instant;
  /** When it was begun. */
  readonly atMs: number;
}

interface KeptList extends ReadList {
  /** When one of its pages was last asked for. */
  readonly usedMs: number;
}

/** Of one answer: all reads of an account share one quota. */
const MOST_PAGES = 6;
/** An account's rows in memory; a service without pages may answer thousands. */
const MOST_ROWS = 1_000;
/** About 10 MB, over all accounts. */
const MOST_ROWS_OVER_ALL = 20_000;

const isAtEnd = ({ next, isCut, problem }: ReadList): boolean =>
  next === undefined && !isCut && problem === undefined;

/** Whether rows may have been left out. */
const isFull = ({ rows }: ReadList): boolean => rows.length >= MOST_ROWS;

/** Whether a further page can be read. */
const goesOn = (list: ReadList): boolean => list.next !== undefined && !isFull(list);

/** Whether the service has, or may have, rows that were not read. */
const isPart = (list: ReadList): boolean => list.next !== undefined || list.isCut || isFull(list);

/** The newest rows, in the service's order, which tells whether its further pages hold older rows only. */
const newestOf = (rows: ReadList["rows"]): ReadList["rows"] => {
  const newest = new Set(newestFirst(rows).slice(0, MOST_ROWS));
  return rows.filter((row) => newest.has(row));
};

/** Whether the pages that were read end before the wanted period. Of a list read to its end, only the oldest are left out. */
const goesBeyond = (list: ReadList, { period }: WantedTransactions): boolean => {
  const { rows } = list;
  if (period === undefined || !(isAtEnd(list) || isWhollyNewestFirst(rows))) return false;
  const oldest = newestFirst(rows).at(-1)?.createdAt;
  const from = startInBrasilia(period.from);
  return oldest !== undefined && Temporal.Instant.compare(oldest, from) < 0;
};

const isEnough = (list: ReadList, wanted: WantedTransactions): boolean => {
  // A list that is not newest first may have any row on its later pages: a further page of it is read on by request.
  if (!isWhollyNewestFirst(list.rows) && list.pages < MOST_PAGES) return false;
  const { rows } = selected(list.rows, wanted);
  return rows.length > (wanted.page + 1) * PAGE || goesBeyond(list, wanted);
};

/** A new key may belong to another wallet account. */
const nameOf = ({ account: { id, keyFingerprint } }: Connection): string =>
  `${id} ${keyFingerprint}`;

/** Of the first page that suggestions read after the list whose pages are turned. */
const lookOf = (name: string): string => `${name} look`;

/** Lists of accounts for a short time: page turns and suggestions cost no request each. */
const createListMemory = ({
  accounts,
  charges,
  log,
  wallet,
  clock,
  monotonicMs,
}: TransactionsNeeds) => {
  const kept = new Map<string, KeptList>();
  const looking = new Map<string, Promise<readonly ListedTransaction[]>>();

  const keep = (name: string, list: ReadList): void => {
    kept.delete(name);
    kept.set(name, { ...list, usedMs: monotonicMs() });
    let rows = 0;
    for (const [id, each] of [...kept].toReversed()) {
      rows += each.rows.length + 1;
      if (rows > MOST_ROWS_OVER_ALL && id !== name) kept.delete(id);
    }
  };

  const fresh = (): ReadList => ({
    rows: [],
    unnamed: 0,
    pages: 0,
    next: undefined,
    isCut: false,
    problem: undefined,
    supportCodes: [],
    readAt: clock.now(),
    atMs: monotonicMs(),
  });

  /** The list with its next page. @throws WalletError unauthorized */
  const withNextPage = async (
    list: ReadList,
    { account, key }: Connection,
    priority: Priority,
  ): Promise<ReadList> => {
    const read = await settled(wallet.transactions(key, list.next, priority));
    requireAuthorized(read);
    if (!read.ok) return { ...list, problem: read.error, supportCodes: supportCodesOf([read]) };
    await resumeJobs({ ...accounts, log }, account);
    const { next } = read.value;
    const items = await withExpired({ charges }, account, read.value.items);
    const byTxid = new Map(list.rows.map((row) => [row.txid, row]));
    const rows = [...keepEach(byTxid, items, "txid", isLaterRow).values()];
    // A service that ignores the cursor repeats its first page forever: the rows after it stay unread.
    const isStuck = rows.length === list.rows.length && (items.length > 0 || next !== undefined);
    return {
      ...list,
      rows: rows.length > MOST_ROWS ? newestOf(rows) : rows,
      unnamed: list.unnamed + read.value.unnamed,
      pages: list.pages + 1,
      next: isStuck ? undefined : next,
      isCut: read.value.isCut === true || isStuck,
    };
  };

  return {
    /** As many pages as it takes to be enough, at most six more. @throws WalletError unauthorized */
    read: async (
      connection: Connection,
      isRead: (list: ReadList) => boolean,
      again: boolean,
    ): Promise<ReadList> => {
      const id = nameOf(connection);
      const before = again ? kept.get(id) : undefined;
      const isUsable = before !== undefined && monotonicMs() - before.usedMs < PAGES_TURNED_MS;
      let list = isUsable ? { ...before, problem: undefined, supportCodes: [] } : fresh();
      const most = list.pages + MOST_PAGES;
      while (list.pages === 0 || (list.pages < most && goesOn(list) && !isRead(list))) {
        list = await withNextPage(list, connection, "interactive");
        if (list.problem !== undefined) break;
      }
      if (list.pages === 0) return list;
      keep(id, list);
      if (!isUsable) kept.delete(lookOf(id));
      return list;
    },
    /** Rows read lately; waits a moment for the first page where there are none. */
    recent: async (connection: Connection): Promise<readonly ListedTransaction[]> => {
      const id = nameOf(connection);
      const before = kept.get(lookOf(id)) ?? kept.get(id);
      if (before !== undefined && monotonicMs() - before.atMs < SUGGESTED_MS) return before.rows;
      const look = async (): Promise<readonly ListedTransaction[]> => {
        // A failed look is kept too, so that the next key press asks nothing.
        const list = await withNextPage(fresh(), connection, "background").catch(fresh);
        const rows = list.pages === 0 ? (before?.rows ?? []) : list.rows;
        keep(lookOf(id), { ...list, rows });
        looking.delete(id);
        return rows;
      };
      const running = looking.get(id) ?? look();
      looking.set(id, running);
      const stopped = new AbortController();
      try {
        const late = pause(SUGGESTION_WAIT_MS, stopped.signal).then(() => before?.rows ?? []);
        return await Promise.race([running, late]);
      } finally {
        stopped.abort();
      }
    },
  };
};
