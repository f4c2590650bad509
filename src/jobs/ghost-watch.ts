import type { Account } from "../domain/account.ts";
import { type Clock, MINUTE } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import type { Secret } from "../shared/secret.ts";
import type { AccountConnections } from "../store/account-connections.ts";
import { inLanes } from "./in-lanes.ts";
import { createSpacing } from "./spacing.ts";

export interface GhostWatchNeeds {
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
export type GhostWatchJob = (stopping: AbortSignal) => Promise<void>;

/** Each account is looked at once in that many minutes. */
const EVERY_MINUTES = 10;
const LANES = 16;
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

export const createGhostWatch = (needs: GhostWatchNeeds): GhostWatchJob => {
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
      await inLanes(LANES, inPages(initials), lookInTurn, stopping);
    } catch (error) {
      // A page could not be read: the next look makes it good.
      lastMinute = before;
      throw error;
    }
  };
};
