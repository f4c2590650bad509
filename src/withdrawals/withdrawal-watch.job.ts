import type { ReplacedBody } from "../delivery/replaced-posts.job.ts";
import { replacedNotice } from "./outcome-notice.view.ts";
import { noticeKey } from "./withdraw-op.ts";
import { DatabaseAwayError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import type { Money } from "../bot-money.ts";
import type { Account } from "../accounts/account.ts";
import { type Clock, MINUTE } from "../shared/time.ts";
import type { Secret } from "../shared/secret.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import type { WithdrawJournal } from "./withdraw-journal.store.ts";
import { createSpacing, createWorkers } from "../shared/concurrency.ts";

/** Sweeps up after dead processes, then checks the withdrawals that are due. @returns when the next check is due */
export const createFollowWithdrawals =
  (needs: { readonly log: Logger; readonly money: Pick<Money, "sweep" | "checkDue"> }) =>
  async (stopping: AbortSignal): Promise<Temporal.Instant | undefined> => {
    try {
      await needs.money.sweep(false);
    } catch (error) {
      // A failed sweep must not prevent the checks; the next run sweeps again. A lost database was told when it went.
      const level = error instanceof DatabaseAwayError ? "debug" : "error";
      needs.log[level]({ err: error }, "left withdrawals could not be swept");
    }
    return await needs.money.checkDue(stopping);
  };

/** Looks at one wallet account's withdrawals: the journal's open ones, and those begun elsewhere. */
export const createWithdrawalLook =
  (needs: {
    readonly clock: Clock;
    readonly journal: Pick<WithdrawJournal, "makeDue">;
    /** Begins to check all withdrawals that are due. */
    readonly follow: () => void;
    readonly findByFingerprint: AccountsStore["findByFingerprint"];
    readonly watch: ExternalWatchNeeds["watch"];
  }) =>
  async (accountFp: string): Promise<void> => {
    await needs.journal.makeDue(accountFp, needs.clock.now());
    needs.follow();
    const found = await needs.findByFingerprint(accountFp, "");
    if (found !== undefined && found.account.pausedAt === undefined)
      await needs.watch(found.account, found.apiKey);
  };

/** `watched` gives one page of wallet accounts, with one connection each, in the order of their fingerprints. */
export interface ExternalWatchNeeds extends Pick<AccountsStore, "apiKey" | "countAll" | "watched"> {
  readonly clock: Clock;
  readonly log: Logger;
  /** Compares the account's withdrawals with the journal once. */
  readonly watch: (account: Account, apiKey: Secret) => Promise<void>;
  /** Which rounds of looks at all accounts are this process's; every one where it is the only one. */
  readonly isOwnTurn?: ((turn: number) => boolean) | undefined;
}

/** Minutes between two looks at the same account. */
const EVERY_MINUTES = 10;
const CONCURRENCY = 16;
const PAGE = 64;

/** First characters of fingerprints (base64url), all equally frequent. */
const INITIALS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

const turnOf = (minute: number): number => Math.floor(minute / EVERY_MINUTES);

/** Initials of the accounts of these minutes; an account always belongs to the same minute of a turn. */
const initialsOf = (minutes: readonly number[]): readonly string[] => {
  const inTurn = new Set(minutes.map((minute) => minute % EVERY_MINUTES));
  return INITIALS.filter((_, index) => inTurn.has(index % EVERY_MINUTES));
};

/** Minutes since the last look, at most one round; only the current minute if the clock was set back. */
const minutesSince = (last: number, minute: number): readonly number[] => {
  const first = last > minute ? minute : last + 1;
  const count = Math.min(minute - first + 1, EVERY_MINUTES);
  return Array.from({ length: count }, (_, index) => minute - index);
};

/**
 * Looks for external withdrawals in the accounts of the current minute. The accounts of the process's first minute are
 * looked at one minute later.
 */
export const createExternalWatch = (needs: ExternalWatchNeeds) => {
  const { clock, log, watched, countAll, apiKey, watch, isOwnTurn = () => true } = needs;
  const minuteNow = (): number => Math.floor(clock.now().epochMilliseconds / MINUTE);
  const begunMinute = minuteNow();
  let lastMinute = begunMinute - 1;

  const lookAt = async (account: Account): Promise<void> => {
    try {
      const key = await apiKey(account.id);
      if (key !== undefined) await watch(account, key);
    } catch (error) {
      log.error({ account: account.id, err: error }, "withdrawals could not be compared");
    }
  };

  async function* inPages(initials: readonly string[], turn: number) {
    for (let after: string | undefined = ""; after !== undefined;) {
      const page: readonly Account[] = await watched(initials, after, PAGE, turn);
      yield* page;
      after = page.at(-1)?.accountFp;
    }
  }

  return async (stopping: AbortSignal): Promise<void> => {
    const minute = minuteNow();
    // At the start, a thousand looks would delay the answers to people's commands.
    if (minute === begunMinute) return;
    const minutes = minutesSince(lastMinute, minute).filter((each) => isOwnTurn(turnOf(each)));
    if (minutes.length === 0) return;
    const initials = initialsOf(minutes);
    const count = ((await countAll()) * initials.length) / INITIALS.length;
    const before = lastMinute;
    lastMinute = minute;
    // Each look at an account is by its next key: a key that no job tries would count as accepted for ever.
    const turn = turnOf(minute);
    const spacing = createSpacing(clock, count);
    const lookInTurn = async (account: Account): Promise<void> => {
      await spacing.turn(stopping);
      if (!stopping.aborted) await lookAt(account);
    };
    try {
      await createWorkers(CONCURRENCY)(inPages(initials, turn), lookInTurn, stopping);
    } catch (error) {
      // A page could not be read: the next run repeats these minutes.
      lastMinute = before;
      throw error;
    }
  };
};

/**
 * The body of a message that a newer one of the same operation replaces; undefined where it may hold the answer to the
 * owner's decision, which is told in the message that was clicked.
 */
export const createReplacedNotice =
  (journal: Pick<WithdrawJournal, "find">): ReplacedBody =>
  async ({ opId, payload, replacedBy }) => {
    const op = opId === null ? undefined : await journal.find(opId);
    if (op === undefined) return undefined;
    if (op.state === "resolved_manual" && replacedBy !== noticeKey(op)) return undefined;
    return replacedNotice(payload, op);
  };
