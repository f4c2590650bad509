import type { AccountsStore } from "../accounts/accounts.store.ts";
import { type Connection, resumeJobs } from "../accounts/asker.service.ts";
import type { Priority } from "../accounts/wallet-key.ts";
import type { Charges } from "../charges/charges.store.ts";
import type { WalletError } from "../shared/errors.ts";
import { keepEach } from "../shared/keep-newest.ts";
import type { Logger } from "../shared/log.ts";
import { requireAuthorized, settled, supportCodesOf } from "../shared/settled.ts";
import { type Clock, MINUTE, pause, SECOND } from "../shared/time.ts";
import type { WalletClient } from "../wallet/client.ts";
import type { ListedTransaction } from "./transaction.ts";
import { isLaterRow, newestFirst } from "./transaction-list.ts";

export interface ListMemoryNeeds {
  readonly accounts: Pick<AccountsStore, "resume">;
  readonly charges: Pick<Charges, "claimed">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly monotonicMs: () => number;
  readonly wallet: Pick<WalletClient, "transactions">;
}

const PAGES_TURNED_MS = 2 * MINUTE;
const SUGGESTED_MS = 30 * SECOND;
/** Discord waits three seconds for suggestions and forms. */
const SUGGESTION_WAIT_MS = 1_200;

type Stated = Pick<ListedTransaction, "status" | "txid">;

/** Rows with the end of charges whose owner was told that they expired: the service may go on calling them pending. */
export const withExpired = async <Row extends Stated>(
  { charges }: Pick<ListMemoryNeeds, "charges">,
  { id }: Connection["account"],
  rows: readonly Row[],
): Promise<readonly Row[]> => {
  const pending = rows.filter(({ status }) => status === "pending").map(({ txid }) => txid);
  if (pending.length === 0) return rows;
  const expired = await charges.claimed(id, pending, "expired");
  return rows.map((row) => (expired.has(row.txid) ? { ...row, status: "expired" } : row));
};

/** The part of an account's list that was read so far. */
export interface ReadList {
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
export const MOST_PAGES = 6;
/** An account's rows in memory; a service without pages may answer thousands. */
const MOST_ROWS = 1_000;
/** About 10 MB, over all accounts. */
const MOST_ROWS_OVER_ALL = 20_000;

export const isAtEnd = ({ next, isCut, problem }: ReadList): boolean =>
  next === undefined && !isCut && problem === undefined;

/** Whether rows may have been left out. */
export const isFull = ({ rows }: ReadList): boolean => rows.length >= MOST_ROWS;

/** Whether a further page can be read. */
export const goesOn = (list: ReadList): boolean => list.next !== undefined && !isFull(list);

/** Whether the service has, or may have, rows that were not read. */
export const isPart = (list: ReadList): boolean =>
  list.next !== undefined || list.isCut || isFull(list);

/** The newest rows, in the service's order, which tells whether its further pages hold older rows only. */
const newestOf = (rows: ReadList["rows"]): ReadList["rows"] => {
  const newest = new Set(newestFirst(rows).slice(0, MOST_ROWS));
  return rows.filter((row) => newest.has(row));
};

/** A new key may belong to another wallet account. */
const nameOf = ({ account: { id, keyFingerprint } }: Connection): string =>
  `${id} ${keyFingerprint}`;

/** Of the first page that suggestions read after the list whose pages are turned. */
const lookOf = (name: string): string => `${name} look`;

/** Lists of accounts for a short time: page turns and suggestions cost no request each. */
export const createListMemory = ({
  accounts,
  charges,
  log,
  wallet,
  clock,
  monotonicMs,
}: ListMemoryNeeds) => {
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
