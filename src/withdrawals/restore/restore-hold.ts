import { questionIdOf, amongIds } from "../../shared/ids.ts";
import { DAY, MINUTE } from "../../shared/time.ts";
import type { ListedWithdrawal, WithdrawalPage } from "../withdrawal.ts";

/**
 * Why a database may be incomplete.
 * - `restored`: the database is an older copy of itself, or was emptied.
 * - `gap`: no process used the database for a while, so it may be a complete restored copy.
 */
export type RestoreCause = "restored" | "gap";

/** A start of the bot on a database that may lack the latest facts. */
export interface DatabaseRestore {
  readonly number: number;
  readonly cause: RestoreCause;
  readonly noticedAt: Temporal.Instant;
  /** Newest journal event in the copy; undefined for an empty journal. */
  readonly lastEventAt: Temporal.Instant | undefined;
  /** Last sign of life of a process in the copy. */
  readonly aliveAt: Temporal.Instant | undefined;
}

/** A wallet account that must be compared with the service's list before its money moves. */
export interface RestoreHold {
  readonly accountFp: string;
  /** Number of the oldest restore that concerns the account. */
  readonly first: number;
  /** Number of the newest restore. */
  readonly number: number;
  /** `restored` when any of the restores is. */
  readonly cause: RestoreCause;
  /** When the oldest of the restores was noticed. */
  readonly noticedAt: Temporal.Instant;
  /** When the newest of them was. Its number may be that of an earlier one, which the copy does not hold. */
  readonly renewedAt: Temporal.Instant;
  /** Withdrawals from then on may be missing from the journal; undefined: any withdrawal may. */
  readonly since: Temporal.Instant | undefined;
  /** The open question to the owner. */
  readonly asked: AskedQuestion | undefined;
  /** Keys of the messages that need not be sent any more while the question stands. */
  readonly told: ReadonlySet<string>;
}

/** A stored question to the owner. */
export interface AskedQuestion {
  readonly why: HoldReason;
  readonly txids: readonly string[];
  readonly answerId: string;
}

/**
 * Why the owner must check an account.
 * - `newer`: the list has withdrawals that the journal lacks.
 * - `short`: the list is too short to tell.
 * - `unreadable`: the list cannot be read.
 */
export type HoldReason = "newer" | "short" | "unreadable";

/** Result of comparing the service's list with the journal. */
export type JournalComparison =
  | { readonly kind: "clear" }
  | {
      readonly kind: "held";
      readonly why: HoldReason;
      /** Newest first, in the service's order. */
      readonly withdrawals: readonly ListedWithdrawal[];
    };

/** Withdrawals that the owner must check before money moves again. */
export interface HoldQuestion {
  readonly cause: RestoreCause;
  readonly why: HoldReason;
  readonly withdrawals: readonly ListedWithdrawal[];
  /** Part of the button's custom id; differs for each question. */
  readonly answerId: string;
}
/** Tolerance for the service's clock and for near-simultaneous events. */
const MARGIN_MS = 5 * MINUTE;
/** Restores this long ago do not affect a newly connected account. */
export const HOLDS_NEW_ACCOUNTS_MS = 7 * DAY;

const isNewestFirstWhereDated = (items: readonly ListedWithdrawal[]): boolean => {
  const dated = items.flatMap(({ requestedAt }) => requestedAt?.epochMilliseconds ?? []);
  return dated.every((ms, index) => ms <= (dated[index - 1] ?? ms) + MINUTE);
};

/** Known withdrawals of an account, independent of the service's list. */
interface KnownWithdrawals {
  /** Claimed by operations, some of them since the restore. */
  readonly claimed: ReadonlySet<string>;
  /** Seen in readings before the copy was made. */
  readonly seen: ReadonlySet<string>;
}

/**
 * Compares the service's list with the journal and earlier readings. A list rules out newer withdrawals only if it is
 * in order and reaches back to before the copy, or is empty and no operation has claimed a withdrawal.
 */
export const compareWithJournal = (
  { items, skewMs }: WithdrawalPage,
  since: Temporal.Instant | undefined,
  { claimed, seen }: KnownWithdrawals,
): JournalComparison => {
  const isBefore = ({ requestedAt }: ListedWithdrawal): boolean =>
    since !== undefined &&
    requestedAt !== undefined &&
    requestedAt.epochMilliseconds - (skewMs ?? 0) < since.epochMilliseconds - MARGIN_MS;
  const isClaimed = amongIds(claimed);
  const withdrawals = items.filter(
    (item) => !isClaimed(item.txid) && !seen.has(item.txid) && !isBefore(item),
  );
  if (withdrawals.length > 0) return { kind: "held", why: "newer", withdrawals };
  const reachesBack =
    items.length === 0
      ? claimed.size === 0
      : isNewestFirstWhereDated(items) &&
        items.some((item) => seen.has(item.txid) || isBefore(item));
  return reachesBack ? { kind: "clear" } : { kind: "held", why: "short", withdrawals: [] };
};

export const answerIdOf = (
  { accountFp, number }: Pick<RestoreHold, "accountFp" | "number">,
  why: HoldReason,
  txids: readonly string[],
): string => questionIdOf([accountFp, String(number), why, ...txids.toSorted()]);
