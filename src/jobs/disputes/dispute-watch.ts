import type { AlertRoute } from "../../domain/dispute-alert.ts";
import type {
  AlertRoutes,
  DisputeReads,
  DisputeWatch,
  DonePoll,
  DuePoll,
} from "../../domain/dispute-stores.ts";
import { disputeState } from "../../domain/dispute.ts";
import { LONGEST_REMINDER_MS, nextPollAt, owedStep } from "../../domain/dispute-watch.ts";
import { walletKeyOf } from "../../domain/wallet-key.ts";
import { type Clock, MINUTE } from "../../shared/time.ts";
import { isUnanswered, WalletError } from "../../shared/errors.ts";
import type { Logger } from "../../shared/log.ts";
import type { AccountsStore } from "../../store/accounts.ts";
import { createDisputePoll, createSharedReads, type SharedReads } from "./dispute-poll.ts";
import { createDisputeNotifier } from "./dispute-notifier.ts";
import { pauseRefusedKey } from "../notices.ts";
import { createSpacing } from "../concurrency.ts";

interface DisputeWatchNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly accounts: Pick<AccountsStore, "ofWatch" | "apiKey" | "pause">;
  readonly watch: DisputeWatch;
  readonly routes: Pick<AlertRoutes, "find">;
  readonly wallet: DisputeReads;
  readonly answerUrl?: string | undefined;
  /** Told after anything was handed to the outbox. */
  readonly onOwed: () => void;
}

/** Two looks at disputes; neither rejects for the sake of one seller. */
export interface DisputeWatchJob {
  /** Hands over the reminders that the clock makes due, without asking the service. */
  readonly remind: () => Promise<void>;
  /**
   * Asks the service about every account whose poll is due. Looks share their lanes, so that an account that takes long
   * keeps no other's from being taken by the next look.
   */
  readonly poll: (stopping: AbortSignal) => Promise<void>;
}

/** Enough for twenty thousand accounts every five minutes when each takes a quarter of a second, and its turn with it. */
const CONCURRENCY = 24;
/** Taken in one transaction. */
const TAKEN_AT_ONCE = 256;
/** Kept in one transaction when so many were asked, or when nothing is left of what was taken. */
const KEPT_AT_ONCE = 64;
/** Looks come every minute: after a longer pause the process, or its machine, did not run. */
const LONGEST_PAUSE_MS = 2 * MINUTE;
/** Of the accounts whose turn was missed in a pause, those that are asked at once; the others wait for their next turn. */
const ASKED_AT_ONCE = 30;
/** Longer than a poll takes: no other process takes the account meanwhile. */
const HOLD_MS = 4 * MINUTE;
const PRIORITY = "background";

/** What owners of one wallet account share in one look: what was read of it, and the minute in which it is asked. */
interface SameWallet {
  readonly shared: SharedReads;
  readonly turnId: string;
}

interface Look {
  readonly begunAt: Temporal.Instant;
  /** Accounts that may still be asked out of turn. */
  outOfTurn: number;
  /** All reads of the look go through it. */
  readonly breaker: CircuitBreaker;
}

export const createDisputeWatch = (needs: DisputeWatchNeeds): DisputeWatchJob => {
  const { clock, log, accounts, watch, routes, wallet } = needs;
  const notifier = createDisputeNotifier(needs);
  const readAll = createDisputePoll({ clock, log, watch, notifier });
  /** Of one wallet account each. */
  const taken: (readonly DuePoll[])[] = [];
  /** Asked, and not kept yet. */
  const done: DonePoll[] = [];
  let spacing = createSpacing(clock, 0);
  let claiming: Promise<void> | undefined;
  let lastLookMs = -Infinity;
  let busy = 0;

  const beginLook = (): Look => {
    const begunAt = clock.now();
    const hasPaused = Math.abs(begunAt.epochMilliseconds - lastLookMs) > LONGEST_PAUSE_MS;
    lastLookMs = begunAt.epochMilliseconds;
    const outOfTurn = hasPaused ? ASKED_AT_ONCE : Infinity;
    return { begunAt, outOfTurn, breaker: createCircuitBreaker(CONCURRENCY) };
  };
  /** Of all lanes, also of those that the look before began. */
  let latest: Look;

  /** After a pause nearly everybody is due: all at once they would be a thousand calls in seconds. */
  const mayAsk = (turnId: string, route: AlertRoute | undefined, look: Look): boolean => {
    if (look.outOfTurn === Infinity) return true;
    const turn = nextPollAt(turnId, route, look.begunAt.subtract({ milliseconds: MINUTE }));
    if (Temporal.Instant.compare(turn, clock.now()) <= 0) return true;
    look.outOfTurn--;
    return look.outOfTurn >= 0;
  };

  const ask = async (
    due: DuePoll,
    of: SameWallet,
    look: Look,
    stopping: AbortSignal,
  ): Promise<void> => {
    const { account, poll } = due;
    const route = await routes.find(account.guildId);
    if (!mayAsk(of.turnId, route, look)) return waitForTurn(due, of, route);
    const apiKey = await accounts.apiKey(account.id);
    if (apiKey === undefined) return;
    const key = walletKeyOf(account, apiKey);
    const reads = of.shared({
      summary: () => look.breaker(() => wallet.disputeSummary(key, PRIORITY)),
      list: () => look.breaker(() => wallet.disputes(key, PRIORITY)),
      dispute: (infractionId: string) =>
        look.breaker(() => wallet.dispute(key, infractionId, PRIORITY)),
    });
    const { isWhole, ...found } = await readAll(due, reads, stopping);
    const now = clock.now();
    const next = nextPollAt(of.turnId, route, now);
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
    const { guildId } = account;
    const route = await routes.find(guildId);
    waitForTurn(due, of, route);
    if (!(error instanceof WalletError) || error.kind !== "unauthorized") throw error;
    const locale = route?.locale ?? "pt-BR";
    await pauseRefusedKey(accounts, { guildId, locale }, account, error, clock.now());
    needs.onOwed();
    log.warn({ account: account.id, err: error }, "a key is refused; its jobs wait");
  };

  const askSafely = async (
    due: DuePoll,
    of: SameWallet,
    look: Look,
    stopping: AbortSignal,
  ): Promise<void> => {
    try {
      await ask(due, of, look, stopping).catch((error: unknown) => giveUpForNow(due, of, error));
    } catch (error) {
      // One seller's failure is its own, even a failure to note it.
      log.error({ account: due.account.id, err: error }, "disputes could not be watched");
    }
  };

  /** What is not kept is asked again once nobody holds it any more: nothing is lost with a process that dies before. */
  const keepDone = async (): Promise<void> => {
    if (done.length === 0) return;
    const keeping = done.splice(0);
    try {
      await watch.savePolls(keeping);
    } catch (error) {
      done.push(...keeping);
      throw error;
    }
  };

  const claim = async (): Promise<void> => {
    await keepDone();
    const due = await watch.duePolls(clock.now(), TAKEN_AT_ONCE, HOLD_MS);
    taken.push(...Map.groupBy(due, ({ account }) => account.accountFp).values());
  };

  /** One claim for all lanes: each is a transaction. */
  const nextDue = async (stopping: AbortSignal): Promise<readonly DuePoll[] | undefined> => {
    if (taken.length === 0 && !stopping.aborted) {
      claiming ??= claim().finally(() => (claiming = undefined));
      await claiming;
    }
    return taken.shift();
  };

  const runWorker = async (stopping: AbortSignal): Promise<void> => {
    busy++;
    try {
      for (let due = await nextDue(stopping); due; due = await nextDue(stopping)) {
        // A slow service must not keep what was found waiting until it is held no longer.
        if (done.length >= KEPT_AT_ONCE) await keepDone();
        await spacing.turn(stopping);
        const [turnId = ""] = due.map(({ poll }) => poll.accountId).toSorted();
        const of = { shared: createSharedReads(), turnId };
        for (const each of due) {
          const { poll } = each;
          // Held no longer: it took so long to come to it that another process may ask.
          if (Temporal.Instant.compare(clock.now(), poll.nextPollAt) >= 0) continue;
          if (!stopping.aborted) await askSafely(each, of, latest, stopping);
          // Whoever runs next need not wait for what was taken and not asked.
          else done.push({ claimed: poll, after: { ...poll, nextPollAt: clock.now() } });
        }
      }
    } finally {
      busy--;
      await keepDone();
    }
  };

  return {
    remind: async () => {
      const now = clock.now();
      const horizon = now.add({ milliseconds: LONGEST_REMINDER_MS + 1 });
      for (const watched of await watch.awaitingBefore(horizon)) {
        if (owedStep(watched, disputeState(watched, now), now) === undefined) continue;
        try {
          await notifier.remind(watched);
        } catch (error) {
          const { accountId, infractionId } = watched;
          log.error(
            { account: accountId, infractionId, err: error },
            "a reminder is not handed over",
          );
        }
      }
    },
    poll: async (stopping) => {
      latest = beginLook();
      // After a pause most of those that are due only wait for their turn.
      const hasPaused = latest.outOfTurn < Infinity;
      spacing = createSpacing(clock, hasPaused ? 0 : await watch.countDue(latest.begunAt));
      const free = CONCURRENCY - busy;
      const workers = await Promise.allSettled(
        Array.from({ length: free }, () => runWorker(stopping)),
      );
      for (const worker of workers) if (worker.status === "rejected") throw worker.reason;
    },
  };
};

/** Passes reads on. Once too many in a row were left unanswered, all fail as the last of them did, without being begun. */
type CircuitBreaker = <Value>(read: () => Promise<Value>) => Promise<Value>;

/** Lives as long as one look: the next one asks anew whether the service is back. */
export const createCircuitBreaker = (mostUnanswered: number): CircuitBreaker => {
  let inARow = 0;
  let last: WalletError | undefined;
  return async (read) => {
    if (last !== undefined && inARow >= mostUnanswered) throw last;
    try {
      const value = await read();
      inARow = 0;
      return value;
    } catch (error) {
      const wasLost = error instanceof WalletError && isUnanswered(error.kind);
      inARow = wasLost ? inARow + 1 : 0;
      if (wasLost) last = error;
      throw error;
    }
  };
};
