import type { DisputeWatch } from "./dispute-watch.store.ts";
import type { DuePoll } from "./dispute-poll.store.ts";
import type { Account } from "../accounts/account.ts";
import {
  mayBeAnswered,
  type Dispute,
  disputeState,
  type DisputeSummary,
  isOpenDispute,
} from "./dispute.ts";
import type { WatchedDispute } from "./dispute-alert.ts";
import {
  type FollowedFacts,
  dueStep,
  isProven,
  leavesEnd,
  sameCounts,
  shouldReadList,
  type DisputePoll,
} from "./dispute-watch.ts";
import type { DisputePage, ListedDispute } from "./dispute-list.ts";
import { amongIds, inSmall } from "../shared/ids.ts";
import type { Clock } from "../shared/time.ts";
import { isRefusedKey } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import type { DisputeNotifier } from "./dispute-notifier.job.ts";

/** Reads with one account's key and background priority. All throw WalletError. */
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

/** Result of one poll. `isWhole` is false when its round has disputes left to read, or a reading has to be confirmed. */
interface PollFindings extends Pick<DisputePoll, "counts" | "listReadAt" | "baselineAt"> {
  readonly isWhole: boolean;
  /** The service counts other disputes than at the last whole reading. */
  readonly hasNews: boolean;
}

/** Half of an account's requests in a minute. The next poll, a minute later, reads the rest. */
const MOST_READ = 20;

/** Polls of one watch, until each of its disputes was read. In memory only: a restart repeats some reads. */
interface Round {
  /** Of its first poll: a change after that, also in a dispute that was read before, is news to the next round. */
  readonly counts: DisputeSummary | undefined;
  readonly tried: Set<string>;
  /** Those that could not be read: all the rest comes first, and is not blocked by them. */
  readonly failed: Set<string>;
}

/** Judged by the list alone. */
const isOver = (
  { status = "pending", analysisStatus = "pending" }: ListedDispute,
  now: Temporal.Instant,
): boolean => !isOpenDispute(disputeState({ status, analysisStatus, dueAt: now }, now));

/**
 * The disputes to read one by one, as the shape of the list is not documented, and those of them, `unknown`, that are listed
 * and not stored yet.
 */
const toRead = (
  kept: readonly WatchedDispute[],
  list: DisputePage | undefined,
  now: Temporal.Instant,
) => {
  const open = kept.filter(({ closedAt }) => closedAt === undefined);
  const ids = (disputes: readonly { readonly infractionId: string }[]): readonly string[] =>
    disputes.map(({ infractionId }) => infractionId);
  if (list === undefined) return { unknown: [], all: ids(open) };
  const isFollowed = amongIds(ids(kept));
  const listed = new Map(list.items.map((item) => [inSmall(item.infractionId), item]));
  const moved = kept.filter((each) => {
    const { infractionId, status, analysisStatus, dueAt, closedAt } = each;
    const item = listed.get(inSmall(infractionId));
    if (closedAt === undefined)
      return item?.status !== status || item.analysisStatus !== analysisStatus;
    // A list that is silent about a closed one, or has words of its own, would have it read each time.
    const words = {
      status: item?.status ?? status,
      analysisStatus: item?.analysisStatus ?? analysisStatus,
    };
    const state = disputeState({ ...words, dueAt }, now);
    return state !== "other" && leavesEnd(each, state, now);
  });
  const news = list.items.filter(({ infractionId }) => !isFollowed(infractionId));
  // Open disputes first: a history of thousands must not delay a dispute that can still be answered.
  const [first, last] = [
    news.filter((each) => !isOver(each, now)),
    news.filter((each) => isOver(each, now)),
  ];
  // Alerts that were cancelled unsent, when alerts were switched off, are sent by the next reading.
  const owing = open.filter((each) => dueStep(each, disputeState(each, now), now) !== undefined);
  const awaiting = open.filter(
    ({ status, analysisStatus }) => status === "pending" && analysisStatus === "pending",
  );
  const known = [...moved, ...awaiting, ...owing];
  // A refund reads few of them, and must not wait for the rest. The bank's refusal is final, so those do not forbid one.
  const unproven = kept.filter((each) => !isProven(each) && each.analysisStatus !== "rejected");
  return { unknown: ids(news), all: [...new Set(ids([...first, ...known, ...last, ...unproven]))] };
};

/**
 * Facts of a listed dispute that is complete, awaits no answer and has known states; undefined for others. The txid is
 * left out unless the bank rejected the dispute: the bank may accept any other, even a cancelled one, later.
 */
const settledFacts = (listed: ListedDispute): FollowedFacts | undefined => {
  const { infractionId, txid, amount, frozen, status, analysisStatus, dueAt } = listed;
  if (txid === undefined || amount === undefined || frozen === undefined) return undefined;
  if (status === undefined || analysisStatus === undefined || dueAt === undefined) return undefined;
  const keptTxid = analysisStatus === "rejected" ? txid : "";
  const facts = { infractionId, txid: keptTxid, amount, frozen, status, analysisStatus, dueAt };
  const state = disputeState(facts, dueAt);
  return mayBeAnswered(state) ? undefined : facts;
};

/** Polls the disputes of one watch with as few reads as possible. @throws WalletError unauthorized */
export const createDisputePoll = ({ clock, log, watch, notifier }: DisputePollNeeds) => {
  /** Rounds that one poll did not end, by watch. */
  const rounds = new Map<string, Round>();

  const tried = async <Value>(
    account: Account,
    what: string,
    read: () => Promise<Value>,
  ): Promise<Value | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (isRefusedKey(error)) throw error;
      log.warn({ account: account.id, what, err: error }, "disputes cannot be read now");
      return undefined;
    }
  };

  /** Stores settled disputes from the list itself, so that a long history is told from news at once. */
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
    const { watchId, baselineAt } = poll;
    const summary = await tried(account, "summary", reads.summary);
    // Nearly every poll ends here: few of the thousands of accounts have disputes.
    if (isQuiet && !shouldReadList(poll, summary, [], begunAt))
      return { ...poll, isWhole: true, hasNews: false };
    const hasNews =
      poll.counts !== undefined && summary !== undefined && !sameCounts(poll.counts, summary);
    // Disputes that are over may be many and matter only beside the list, so they are not loaded yet.
    const { count: unlisted } = await watch.unlisted(watchId);
    const awaiting = await watch.awaiting(watchId);
    if (unlisted === 0 && !shouldReadList(poll, summary, awaiting, begunAt)) {
      return { ...poll, isWhole: true, hasNews };
    }
    const list = await tried(account, "list", reads.list);
    if (baselineAt === undefined && list !== undefined) await rememberSettled(account, list);
    const { unknown, all } = toRead(await watch.of(watchId), list, begunAt);
    const round = rounds.getOrInsert(watchId, {
      counts: summary,
      tried: new Set(),
      failed: new Set(),
    });
    const untried = all.filter((id) => !round.tried.has(id));
    const inTurn = [...untried, ...all.filter((id) => round.failed.has(id))].slice(0, MOST_READ);
    for (const infractionId of inTurn) {
      // After the end of the claim another process may take the account.
      const isTimeUp = Temporal.Instant.compare(clock.now(), poll.nextPollAt) >= 0;
      if (isTimeUp || stopping.aborted) break;
      const seen = await tried(account, infractionId, async () => {
        const dispute = await reads.dispute(infractionId);
        const isHistory =
          baselineAt === undefined || Temporal.Instant.compare(dispute.createdAt, baselineAt) < 0;
        await notifier.observe(watchId, dispute, isHistory);
        return dispute;
      });
      round.tried.add(infractionId);
      if (seen === undefined) round.failed.add(infractionId);
      else round.failed.delete(infractionId);
    }
    // All unknown disputes were read, so from here on a new dispute is news. Known disputes can be read later.
    const isBase = list !== undefined && unknown.every((id) => round.tried.has(id));
    const isRead = all.every((id) => round.tried.has(id));
    if (isRead) rounds.delete(watchId);
    // A dispute without a reading has no alert and no reminder, though the list shows it.
    const readable = list?.items.filter((item) => !round.failed.has(item.infractionId)) ?? [];
    const isSure =
      summary === undefined || (await notifier.notifyUnlisted(watchId, summary, readable));
    const total = summary?.byStatus.total ?? Infinity;
    // The list is read again until all disputes that the summary counts were seen.
    const sawAll =
      isRead && round.failed.size === 0 && list !== undefined && list.items.length >= total;
    return {
      counts: sawAll ? round.counts : undefined,
      listReadAt: list === undefined ? poll.listReadAt : begunAt,
      baselineAt: baselineAt ?? (isBase ? begunAt : undefined),
      isWhole: isRead && isSure,
      hasNews,
    };
  };
};

/**
 * Shares reads among the keys of one wallet account within one run: an answer to one key serves the others, except one
 * that the service refuses.
 */
export type SharedReads = (own: AccountReads) => AccountReads;

export const createSharedReads = (): SharedReads => {
  const answers = new Map<string, Promise<unknown>>();

  const share = <Value>(name: string, read: () => Promise<Value>): Promise<Value> => {
    const known = answers.get(name);
    // The name identifies the read, so the stored answer has the type of that read.
    if (known !== undefined) return known as Promise<Value>;
    const answer = read();
    answers.set(name, answer);
    answer.catch((error: unknown) => {
      // The service may refuse one key and answer another.
      if (isRefusedKey(error)) answers.delete(name);
    });
    return answer;
  };

  return (own) => ({
    summary: async () => {
      // Each key has to work for itself. The first answer decides for all: the shared list is read after it.
      const answer = await own.summary();
      return await share("summary", async () => answer);
    },
    list: () => share("list", own.list),
    dispute: (infractionId) => share(`dispute ${infractionId}`, () => own.dispute(infractionId)),
  });
};
