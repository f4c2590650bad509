import type { Account } from "../../domain/account.ts";
import {
  awaitsAnswer,
  type Dispute,
  disputeState,
  type DisputeSummary,
  isOpenDispute,
} from "../../domain/dispute.ts";
import type { WatchedDispute } from "../../domain/dispute-alert.ts";
import { type FollowedFacts, owedStep, shouldReadList } from "../../domain/dispute-watch.ts";
import type { DisputePage, ListedDispute } from "../../domain/dispute-list.ts";
import type { DisputePoll, DisputeWatch, DuePoll } from "../../domain/dispute-stores.ts";
import type { Clock } from "../../shared/time.ts";
import { WalletError } from "../../shared/errors.ts";
import type { Logger } from "../../shared/log.ts";
import type { DisputeNotifier } from "./dispute-notifier.ts";

/** Reads in the background lane with one account's key. All throw WalletError. */
interface AccountReads {
  readonly summary: () => Promise<DisputeSummary>;
  readonly list: () => Promise<DisputePage>;
  readonly dispute: (infractionId: string) => Promise<Dispute>;
}

interface DisputePollNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly watch: Pick<DisputeWatch, "of" | "awaiting" | "unlisted">;
  readonly notifier: Pick<DisputeNotifier, "observe" | "remember" | "notifyUnlisted">;
}

/** What one poll found out; `isWhole` is false when there is more to read than one poll may, or to be read once more. */
interface PollFindings extends Pick<DisputePoll, "counts" | "listReadAt" | "baselineAt"> {
  readonly isWhole: boolean;
}

/** Half of what an account may be asked in a minute: what is left is read by the next poll, which comes soon. */
const MOST_READ = 20;

const awaits = ({ status, analysisStatus, closedAt }: WatchedDispute): boolean =>
  closedAt === undefined && status === "pending" && analysisStatus === "pending";

interface Wanted {
  /** What the list names and nobody knows yet. */
  readonly unknown: readonly string[];
  /** All that is worth reading itself: the list's shape is not documented, the dispute's own is. */
  readonly all: readonly string[];
}

/** As far as the list tells. */
const isOver = ({ status, analysisStatus }: ListedDispute, now: Temporal.Instant): boolean => {
  const told = { status: status ?? "pending", analysisStatus: analysisStatus ?? "pending" };
  return !isOpenDispute(disputeState({ ...told, dueAt: now }, now));
};

const toRead = (
  kept: readonly WatchedDispute[],
  list: DisputePage | undefined,
  now: Temporal.Instant,
): Wanted => {
  const open = kept.filter(({ closedAt }) => closedAt === undefined);
  const ids = (disputes: readonly { readonly infractionId: string }[]): readonly string[] =>
    disputes.map(({ infractionId }) => infractionId);
  if (list === undefined) return { unknown: [], all: ids(open) };
  const followed = new Set(ids(kept));
  const listed = new Map(list.items.map((item) => [item.infractionId, item]));
  const moved = open.filter(({ infractionId, status, analysisStatus }) => {
    const item = listed.get(infractionId);
    return item?.status !== status || item.analysisStatus !== analysisStatus;
  });
  const news = list.items.filter(({ infractionId }) => !followed.has(infractionId));
  // A history of thousands must not stand before the one that may still be answered.
  const [first, last] = [
    news.filter((each) => !isOver(each, now)),
    news.filter((each) => isOver(each, now)),
  ];
  // What was taken back untold, when alerts were switched off, is told by its next reading.
  const owing = open.filter((each) => owedStep(each, disputeState(each, now), now) !== undefined);
  const known = [...moved, ...open.filter(awaits), ...owing];
  return { unknown: ids(news), all: [...new Set(ids([...first, ...known, ...last]))] };
};

/** Facts of one that the list tells whole and that awaits no answer, by words that are known. */
const settledFacts = (listed: ListedDispute): FollowedFacts | undefined => {
  const { infractionId, txid, amount, frozen, status, analysisStatus, dueAt } = listed;
  if (txid === undefined || amount === undefined || frozen === undefined) return undefined;
  if (status === undefined || analysisStatus === undefined || dueAt === undefined) return undefined;
  const facts = { infractionId, txid, amount, frozen, status, analysisStatus, dueAt };
  const state = disputeState(facts, dueAt);
  return awaitsAnswer(state) || state === "other" ? undefined : facts;
};

/** Asks for the disputes of one watch, as much as is needed, by the account's key. @throws WalletError unauthorized */
export const createDisputePoll = ({ clock, log, watch, notifier }: DisputePollNeeds) => {
  const turns = createReadingTurns();

  const tried = async <Value>(
    account: Account,
    what: string,
    read: () => Promise<Value>,
  ): Promise<Value | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (error instanceof WalletError && error.kind === "unauthorized") throw error;
      log.warn({ account: account.id, what, err: error }, "disputes cannot be read now");
      return undefined;
    }
  };

  /** Saves the first look at an account with a long history a read for each of them. */
  const rememberSettled = async (account: Account, list: DisputePage): Promise<void> => {
    for (const facts of list.items.flatMap((item) => settledFacts(item) ?? [])) {
      await tried(account, facts.infractionId, () => notifier.remember(account.watchId, facts));
    }
  };

  return async (
    { account, poll, isQuiet }: DuePoll,
    reads: AccountReads,
    stopping: AbortSignal,
  ): Promise<PollFindings> => {
    const begunAt = clock.now();
    const { accountId: watchId, baselineAt } = poll;
    const summary = await tried(account, "summary", reads.summary);
    // Nearly every poll ends here: thousands of accounts are asked, and few have disputes.
    if (isQuiet && !shouldReadList(poll, summary, [], begunAt)) return { ...poll, isWhole: true };
    // Those that are over may be many, and are of use only beside the list.
    const { count: unlisted } = await watch.unlisted(watchId);
    const awaiting = await watch.awaiting(watchId);
    if (unlisted === 0 && !shouldReadList(poll, summary, awaiting, begunAt)) {
      return { ...poll, isWhole: true };
    }
    const list = await tried(account, "list", reads.list);
    if (baselineAt === undefined && list !== undefined) await rememberSettled(account, list);
    const { unknown, all } = toRead(await watch.of(watchId), list, begunAt);
    const unread = new Set(all);
    const inTurn = turns.inOrder(watchId, all).slice(0, MOST_READ);
    let failed = false;
    for (const infractionId of inTurn) {
      // Another process may take the account from then on.
      const isTimeUp = Temporal.Instant.compare(clock.now(), poll.nextPollAt) >= 0;
      if (isTimeUp || stopping.aborted) break;
      turns.took(watchId, infractionId);
      unread.delete(infractionId);
      const seen = await tried(account, infractionId, async () => {
        const dispute = await reads.dispute(infractionId);
        const isHistory =
          baselineAt === undefined || Temporal.Instant.compare(dispute.createdAt, baselineAt) < 0;
        await notifier.observe(watchId, dispute, isHistory);
        return dispute;
      });
      failed ||= seen === undefined;
    }
    // What is already known may be read another time: from here on whatever is new is news.
    const isBase = list !== undefined && unknown.every((id) => turns.had(watchId, id));
    const isRead = unread.size === 0;
    if (isRead) turns.forget(watchId);
    const isSure =
      summary === undefined || (await notifier.notifyUnlisted(watchId, summary, list?.items ?? []));
    const total = summary?.byStatus.total ?? Infinity;
    // Until everything that the summary counts was seen, the list is read again.
    const sawAll = isRead && !failed && list !== undefined && list.items.length >= total;
    return {
      counts: sawAll ? summary : undefined,
      listReadAt: list === undefined ? poll.listReadAt : begunAt,
      baselineAt: baselineAt ?? (isBase ? begunAt : undefined),
      isWhole: isRead && isSure,
    };
  };
};

/**
 * Whose turn it is to be read where there is more to read than one poll may. In memory only: what it forgets with the
 * process is read once more.
 */
interface ReadingTurns {
  /** Those that were never read first, in the order given; then those that were read longest ago. */
  readonly inOrder: (accountId: string, ids: readonly string[]) => readonly string[];
  /** Also of a reading that failed, so that what cannot be read keeps nothing else from its turn. */
  readonly took: (accountId: string, id: string) => void;
  readonly had: (accountId: string, id: string) => boolean;
  /** Forgets an account all of which was read. */
  readonly forget: (accountId: string) => void;
}

const createReadingTurns = (): ReadingTurns => {
  const turns = new Map<string, Map<string, number>>();
  let latest = 0;
  return {
    inOrder: (accountId, ids) => {
      const own = turns.get(accountId);
      return ids.toSorted((one, other) => (own?.get(one) ?? 0) - (own?.get(other) ?? 0));
    },
    took: (accountId, id) => {
      const own = turns.get(accountId) ?? new Map<string, number>();
      turns.set(accountId, own.set(id, ++latest));
    },
    had: (accountId, id) => turns.get(accountId)?.has(id) === true,
    forget: (accountId) => {
      turns.delete(accountId);
    },
  };
};

/** Reads of one wallet account in one look, by whichever of its keys: what one key read, another need not ask again. */
export type SharedReads = (own: AccountReads) => AccountReads;

export const createSharedReads = (): SharedReads => {
  const answers = new Map<string, Promise<unknown>>();

  const share = <Value>(name: string, read: () => Promise<Value>): Promise<Value> => {
    const known = answers.get(name);
    // The name says which read it is, so the answer under it has the type that the read gives.
    if (known !== undefined) return known as Promise<Value>;
    const answer = read();
    answers.set(name, answer);
    answer.catch((error: unknown) => {
      // What is refused to one key may be told to another.
      if (error instanceof WalletError && error.kind === "unauthorized") answers.delete(name);
    });
    return answer;
  };

  return (own) => ({
    summary: () => share("summary", own.summary),
    list: () => share("list", own.list),
    dispute: (infractionId) => share(`dispute ${infractionId}`, () => own.dispute(infractionId)),
  });
};
