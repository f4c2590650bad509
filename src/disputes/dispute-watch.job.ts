import type { DisputeWatch } from "./dispute-watch.store.ts";
import type { DonePoll, DuePoll } from "./dispute-poll.store.ts";
import type { WalletClient } from "../wallet/client.ts";
import type { AlertRoute } from "./dispute-alert.ts";
import { disputeState } from "./dispute.ts";
import { LONGEST_REMINDER_MS, nextPollAt, dueStep } from "./dispute-watch.ts";
import { walletKeyOf } from "../accounts/wallet-key.ts";
import { MINUTE, msBetween } from "../shared/time.ts";
import { isRefusedKey } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import type { CallsAbout } from "../webhooks/calls.service.ts";
import { createDisputePoll, createSharedReads, type SharedReads } from "./dispute-poll.job.ts";
import { createDisputeNotifier, type DisputeNotifierNeeds } from "./dispute-notifier.job.ts";
import { pauseRefusedKey } from "../accounts/account-notices.job.ts";
import { createClaims, createSpacing, createWorkers } from "../shared/concurrency.ts";

interface DisputeWatchNeeds extends DisputeNotifierNeeds {
  readonly log: Logger;
  readonly accounts: Pick<
    AccountsStore,
    "apiKey" | "connectionsOf" | "ofOwner" | "ofWatch" | "pause" | "stayedIn"
  >;
  readonly watch: DisputeWatch;
  readonly wallet: Pick<WalletClient, "dispute" | "disputes" | "disputeSummary">;
  /** Undefined where no calls arrive. */
  readonly calls?: CallsAbout | undefined;
}

/** Enough for 20,000 accounts every five minutes at a quarter of a second each, including the wait for a turn. */
const CONCURRENCY = 24;
/** Accounts claimed in one transaction: a larger claim delays the commands that arrive meanwhile. */
const CLAIM_SIZE = 64;
/** Results that trigger a save; fewer are saved when no claimed account is left. */
const SAVE_SIZE = 64;
/** Runs start every minute: a longer gap means that the process or the machine was suspended. */
const LONGEST_PAUSE_MS = 2 * MINUTE;
/** Accounts polled at once although their turn was missed in a gap; the others wait for their next turn. */
const POLLED_AFTER_GAP = 30;
/** Claim time of an account, longer than a poll takes. */
const CLAIM_MS = 4 * MINUTE;
const PRIORITY = "background";

/**
 * Shared by the owners of one wallet account within a run: the answers, and the account id that determines its minute.
 */
interface SameWallet {
  readonly shared: SharedReads;
  readonly turnId: string;
  /** Whether calls were told of the account's news: all owners see the same. */
  isNewsTold: boolean;
}

/** One seller's failure never rejects a job. */
export const createDisputeWatch = (needs: DisputeWatchNeeds) => {
  const { clock, log, accounts, watch, routes, wallet } = needs;
  const notifier = createDisputeNotifier(needs);
  const readAll = createDisputePoll({ clock, log, watch, notifier });
  /** Results that are not saved yet. */
  const done: DonePoll[] = [];
  const share = createWorkers(CONCURRENCY);
  /** Accounts that this process has claimed, and whether each was asked for again meanwhile. */
  const busy = new Map<string, boolean>();
  let spacing = createSpacing(clock, 0);
  let begunAt: Temporal.Instant | undefined;

  /** Accounts that may still be polled out of turn, by all workers, also those of an earlier run. */
  let outOfTurn = Infinity;

  /** After a gap nearly all accounts are due: polling all at once would be a thousand calls in seconds. */
  const mayAsk = (turnId: string, route: AlertRoute | undefined): boolean => {
    if (begunAt === undefined || outOfTurn === Infinity) return true;
    const turn = nextPollAt(turnId, route, begunAt.subtract({ milliseconds: MINUTE }));
    if (Temporal.Instant.compare(turn, clock.now()) <= 0) return true;
    outOfTurn--;
    return outOfTurn >= 0;
  };

  const ask = async (due: DuePoll, of: SameWallet, stopping: AbortSignal): Promise<void> => {
    const { account, poll } = due;
    const route = await routes.find(account.guildId);
    if (!mayAsk(of.turnId, route)) return waitForTurn(due, of, route);
    const apiKey = await accounts.apiKey(account.id);
    if (apiKey === undefined) return;
    const key = walletKeyOf(account, apiKey);
    const reads = of.shared({
      summary: () => wallet.disputeSummary(key, PRIORITY),
      list: () => wallet.disputes(key, PRIORITY),
      dispute: (infractionId: string) => wallet.dispute(key, infractionId, PRIORITY),
    });
    const { isWhole, hasNews, ...found } = await readAll(due, reads, stopping);
    const { accountFp } = account;
    if (hasNews && !of.isNewsTold) await needs.calls?.foundNews(accountFp);
    of.isNewsTold ||= hasNews;
    const now = clock.now();
    // Without counts, the next poll could not tell news.
    const mayWait = due.isQuiet && !hasNews && found.counts !== undefined;
    const isAnnounced = mayWait && needs.calls?.trustedUntil(accountFp) !== undefined;
    const next = nextPollAt(of.turnId, route, now, isAnnounced);
    const soon = now.add({ milliseconds: MINUTE });
    done.push({ claimed: poll, after: { ...found, nextPollAt: isWhole ? next : soon } });
  };

  const waitForTurn = (
    { poll }: DuePoll,
    { turnId }: SameWallet,
    route: AlertRoute | undefined,
  ): void => {
    const nextTurn = nextPollAt(turnId, route, clock.now());
    done.push({ claimed: poll, after: { ...poll, nextPollAt: nextTurn } });
  };

  const giveUpForNow = async (due: DuePoll, of: SameWallet, error: unknown): Promise<void> => {
    const { account } = due;
    const route = await routes.find(account.guildId);
    waitForTurn(due, of, route);
    if (!isRefusedKey(error)) throw error;
    await pauseRefusedKey(needs, account, route?.locale, error);
  };

  const askSafely = async (due: DuePoll, of: SameWallet, stopping: AbortSignal): Promise<void> => {
    try {
      await ask(due, of, stopping).catch((error: unknown) => giveUpForNow(due, of, error));
    } catch (error) {
      // One seller's failure, even a failure to record it, must not stop the others.
      log.error({ account: due.account.id, err: error }, "disputes could not be watched");
    }
  };

  /** An unsaved result is polled again after its claim ends, so a process that dies before saving loses no alert. */
  const saveDone = async (): Promise<void> => {
    if (done.length === 0) return;
    const saving = done.splice(0);
    try {
      await watch.savePolls(saving);
    } catch (error) {
      done.push(...saving);
      throw error;
    }
  };

  /** Claimed accounts come grouped by wallet account. */
  const dueAccounts = createClaims(async (): Promise<(readonly DuePoll[])[]> => {
    await saveDone();
    const due = await watch.duePolls(clock.now(), CLAIM_SIZE, CLAIM_MS);
    const groups = Map.groupBy(due, ({ account }) => account.accountFp);
    for (const accountFp of groups.keys()) busy.set(accountFp, false);
    return [...groups.values()];
  }, saveDone);

  /** Results are saved first: a later save would be refused, because the account has become due. */
  const endTurn = async ([due]: readonly DuePoll[]): Promise<void> => {
    const accountFp = due?.account.accountFp ?? "";
    const isAskedAgain = busy.get(accountFp) === true;
    busy.delete(accountFp);
    if (!isAskedAgain) return;
    await saveDone();
    await watch.makeDue(accountFp, clock.now());
  };

  const pollInTurn = async (due: readonly DuePoll[], stopping: AbortSignal): Promise<void> => {
    await spacing.turn(stopping);
    const [turnId = ""] = due.map(({ poll }) => poll.watchId).toSorted();
    const of = { shared: createSharedReads(), turnId, isNewsTold: false };
    for (const each of due) {
      const { poll } = each;
      // The claim has ended while the account waited: another process may poll it.
      if (Temporal.Instant.compare(clock.now(), poll.nextPollAt) >= 0) continue;
      if (!stopping.aborted) await askSafely(each, of, stopping);
      // Ends the claim, so that the next process need not wait for it.
      else done.push({ claimed: poll, after: { ...poll, nextPollAt: clock.now() } });
    }
    // While the service is slow, results must be saved before their claims end.
    try {
      if (done.length >= SAVE_SIZE) await saveDone();
    } finally {
      await endTurn(due);
    }
  };

  return {
    /** Makes an account due for the next run, or at a later time; one that is polled now is polled once more. */
    makeDue: async (accountFp: string, at = clock.now()): Promise<boolean> => {
      if (!busy.has(accountFp)) return await watch.makeDue(accountFp, at);
      busy.set(accountFp, true);
      return false;
    },
    /** Enqueues due reminders from the stored state, without asking the service. */
    remind: async (): Promise<void> => {
      const now = clock.now();
      const horizon = now.add({ milliseconds: LONGEST_REMINDER_MS + 1 });
      for (const watched of await watch.awaitingBefore(horizon, now)) {
        if (dueStep(watched, disputeState(watched, now), now) === undefined) continue;
        try {
          await notifier.remind(watched);
        } catch (error) {
          const { watchId, infractionId } = watched;
          const facts = { watch: watchId, infraction: infractionId, err: error };
          log.error(facts, "a reminder is not handed over");
        }
      }
    },
    /**
     * Polls all due accounts. Overlapping runs share their workers, so that a slow account does not delay the accounts of
     * the next run.
     */
    poll: async (stopping: AbortSignal): Promise<void> => {
      const now = clock.now();
      const hasPaused = begunAt === undefined || msBetween(begunAt, now) > LONGEST_PAUSE_MS;
      begunAt = now;
      outOfTurn = hasPaused ? POLLED_AFTER_GAP : Infinity;
      // After a gap most due accounts are only put off to their turn, so they need no spacing.
      spacing = createSpacing(clock, hasPaused ? 0 : await watch.countDue(now));
      await share(dueAccounts(stopping), (due) => pollInTurn(due, stopping));
    },
  };
};
