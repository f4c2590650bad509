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
import type { DisputeTeller } from "./dispute-teller.ts";
import { createReadingTurns } from "./reading-turns.ts";

/** Reads in the background lane with one account's key. All throw WalletError. */
export interface AccountReads {
  readonly summary: () => Promise<DisputeSummary>;
  readonly list: () => Promise<DisputePage>;
  readonly dispute: (infractionId: string) => Promise<Dispute>;
}

export interface DisputePollNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly watch: Pick<DisputeWatch, "of" | "awaiting" | "unlisted">;
  readonly teller: Pick<DisputeTeller, "observe" | "remember" | "tellUnlisted">;
}

/** What one poll found out; `isWhole` is false when there is more to read than one poll may, or to be read once more. */
export interface PollFindings extends Pick<DisputePoll, "counts" | "listReadAt" | "baselineAt"> {
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
export const createDisputePoll = ({ clock, log, watch, teller }: DisputePollNeeds) => {
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
      await tried(account, facts.infractionId, () => teller.remember(account.watchId, facts));
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
        await teller.observe(watchId, dispute, isHistory);
        return dispute;
      });
      failed ||= seen === undefined;
    }
    // What is already known may be read another time: from here on whatever is new is news.
    const isBase = list !== undefined && unknown.every((id) => turns.had(watchId, id));
    const isRead = unread.size === 0;
    if (isRead) turns.forget(watchId);
    const isSure =
      summary === undefined || (await teller.tellUnlisted(watchId, summary, list?.items ?? []));
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
