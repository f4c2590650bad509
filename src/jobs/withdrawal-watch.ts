import type { Logger } from "../shared/log.ts";
import type { Money } from "../services/money/money.ts";
import type { Account } from "../domain/account.ts";
import { type Clock, MINUTE } from "../shared/time.ts";
import type { Secret } from "../shared/secret.ts";
import type { AccountConnections } from "../store/account-connections.ts";
import { createSpacing, mapConcurrent } from "./concurrency.ts";

/**
 * Ends what dead processes left and reads what became of withdrawals that are due.
 * @returns when the next one is due
 */
export type FollowWithdrawals = (stopping: AbortSignal) => Promise<Temporal.Instant | undefined>;

export const createFollowWithdrawals =
  (needs: {
    readonly log: Logger;
    readonly money: Pick<Money, "sweep" | "checkDue">;
  }): FollowWithdrawals =>
  async (stopping) => {
    try {
      await needs.money.sweep(false);
    } catch (error) {
      // What could not be swept keeps nobody from their check; the next look sweeps again.
      needs.log.error({ err: error }, "left withdrawals could not be swept");
    }
    return await needs.money.checkDue(stopping);
  };

export interface ExternalWatchNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  /**
   * One connection of each wallet account whose fingerprint begins with one of the characters: a page of those whose
   * fingerprint follows `after`, in their order.
   */
  readonly watched: AccountConnections["watched"];
  readonly countAll: () => Promise<number>;
  readonly apiKey: (accountId: string) => Promise<Secret | undefined>;
  /** Looks once. */
  readonly watch: (account: Account, apiKey: Secret) => Promise<void>;
}

/** Looks at the accounts whose minute has come; in the first minute at none, and at theirs with the next ones. */
export type ExternalWatch = (stopping: AbortSignal) => Promise<void>;

/** Each account is looked at once in that many minutes. */
const EVERY_MINUTES = 10;
const CONCURRENCY = 16;
const PAGE = 64;

/** What fingerprints, which are base64url, begin with: each as often as any other. */
const INITIALS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

/** Spreads the accounts over the minutes, always the same way. */
const initialsOf = (minutes: ReadonlySet<number>): readonly string[] =>
  INITIALS.filter((_, index) => minutes.has(index % EVERY_MINUTES));

/** Minutes since the last look, at most one round; of a clock that went back only the current one. */
const minutesSince = (last: number, minute: number): ReadonlySet<number> => {
  const first = last > minute ? minute : last + 1;
  const count = Math.min(minute - first + 1, EVERY_MINUTES);
  return new Set(Array.from({ length: count }, (_, index) => (minute - index) % EVERY_MINUTES));
};

export const createExternalWatch = (needs: ExternalWatchNeeds): ExternalWatch => {
  const { clock, log, watched, countAll, apiKey, watch } = needs;
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

  async function* inPages(initials: readonly string[]) {
    for (let after: string | undefined = ""; after !== undefined;) {
      const page: readonly Account[] = await watched(initials, after, PAGE);
      yield* page;
      after = page.at(-1)?.accountFp;
    }
  }

  return async (stopping) => {
    const minute = minuteNow();
    // A thousand looks would keep whoever waits for a bot that starts from being answered.
    if (minute === begunMinute) return;
    const minutes = minutesSince(lastMinute, minute);
    if (minutes.size === 0) return;
    const initials = initialsOf(minutes);
    const count = ((await countAll()) * initials.length) / INITIALS.length;
    const before = lastMinute;
    lastMinute = minute;
    const spacing = createSpacing(clock, count);
    const lookInTurn = async (account: Account): Promise<void> => {
      await spacing.turn(stopping);
      if (!stopping.aborted) await lookAt(account);
    };
    try {
      await mapConcurrent(CONCURRENCY, inPages(initials), lookInTurn, stopping);
    } catch (error) {
      // A page could not be read: the next look makes it good.
      lastMinute = before;
      throw error;
    }
  };
};
