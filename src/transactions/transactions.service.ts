import type { DisputeWatch } from "../disputes/dispute-watch.store.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import { type Asker, connectionOfAsker, resumeJobs } from "../accounts/asker.service.ts";
import { paymentTxids } from "../disputes/dispute.ts";
import type { ListedDispute } from "../disputes/dispute-list.ts";
import type { SalesService } from "../reports/sales.service.ts";
import { concernsRequestAlone, orMistake, UserError, type WalletError } from "../shared/errors.ts";
import { amongIds, MOST_OPTIONS } from "../shared/ids.ts";
import { startInBrasilia } from "../shared/local-time.ts";
import { pageOf } from "../shared/page.ts";
import { openingOf } from "../shared/report-day.ts";
import { keepNewest } from "../shared/keep-newest.ts";
import { settled } from "../shared/settled.ts";
import { MINUTE } from "../shared/time.ts";
import type { WalletKey } from "../accounts/wallet-key.ts";
import type { WalletClient } from "../wallet/client.ts";
import {
  type BrasiliaDay,
  brasiliaDayOf,
  endsAfter,
  goesBackTo,
  hasUndatedSales,
  reportDaysOf,
} from "./brasilia-day.ts";
import {
  createListMemory,
  goesOn,
  isAtEnd,
  isFull,
  isPart,
  type ListMemoryNeeds,
  MOST_PAGES,
  type ReadList,
  withExpired,
} from "./list-memory.service.ts";
import type { ListedTransaction, Transaction } from "./transaction.ts";
import {
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

interface TransactionsNeeds extends ListMemoryNeeds {
  readonly accounts: Pick<AccountsStore, "findWithKey" | "resume">;
  readonly wallet: Pick<WalletClient, "transaction" | "transactions" | "disputes">;
  readonly watched: Pick<DisputeWatch, "of">;
  readonly report: SalesService["report"];
}

const PAGE = 10;
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
