import { createHash } from "node:crypto";
import { DAY, MINUTE } from "../shared/time.ts";
import type { ListedWithdrawal, WithdrawalPage } from "./withdrawal.ts";

/**
 * - `restored`: the database is an older copy of itself, or was emptied.
 * - `gap`: no process lived on it for a while, so that it may have been put back together with all that tells.
 */
export type RestoreCause = "restored" | "gap";

/** A start whose database may lack what happened last. */
export interface DatabaseRestore {
  readonly number: number;
  readonly cause: RestoreCause;
  readonly noticedAt: Temporal.Instant;
  /** Newest event of the journal in the copy; undefined when it has none. */
  readonly lastEventAt: Temporal.Instant | undefined;
  /** When a process last lived on the copy. */
  readonly aliveAt: Temporal.Instant | undefined;
}

/** A wallet account whose list has to be compared with the journal before its money moves. */
export interface RestoreHold {
  readonly accountFp: string;
  /** Of the newest restore. */
  readonly number: number;
  /** `restored` when one of the restores is. */
  readonly cause: RestoreCause;
  /** When the oldest of them was noticed. */
  readonly noticedAt: Temporal.Instant;
  /** Withdrawals from then on may be missing from the journal; undefined: any may. */
  readonly since: Temporal.Instant | undefined;
  /** What the owner was asked about, as it stands. */
  readonly asked: AskedQuestion | undefined;
}

/** What the owner was asked, as it is kept. */
export interface AskedQuestion {
  readonly why: HoldReason;
  readonly txids: readonly string[];
  readonly answerId: string;
}

/**
 * - `newer`: the list has withdrawals that the journal does not know.
 * - `short`: the list does not reach back far enough to tell.
 * - `unreadable`: the list cannot be read.
 */
export type HoldReason = "newer" | "short" | "unreadable";

/** What the service's list says of an account under hold. */
export type JournalComparison =
  | { readonly kind: "clear" }
  | {
      readonly kind: "held";
      readonly why: HoldReason;
      /** Newest first, as the service lists them. */
      readonly withdrawals: readonly ListedWithdrawal[];
    };

/** What the owner has to look at before money moves again. */
export interface HoldQuestion {
  readonly cause: RestoreCause;
  readonly why: HoldReason;
  readonly withdrawals: readonly ListedWithdrawal[];
  /** Carried by the button; another question has another one. */
  readonly answerId: string;
}

/** Between two signs of life at most that long passes: one beat, a restart, and something to spare. */
export const LONGEST_SILENCE_MS = 3 * MINUTE;
/** The service's clock, and the order of two things at the same moment. */
const MARGIN_MS = 5 * MINUTE;
/** An account that is connected anew that long after a restore has nothing to do with it. */
export const HOLDS_NEW_ACCOUNTS_MS = 7 * DAY;
const ANSWER_ID_LENGTH = 10;

const isNewestFirstWhereDated = (items: readonly ListedWithdrawal[]): boolean => {
  const dated = items.flatMap(({ requestedAt }) => requestedAt?.epochMilliseconds ?? []);
  return dated.every((ms, index) => ms <= (dated[index - 1] ?? ms) + MINUTE);
};

/** What is known of an account's withdrawals beside the service's list. */
export interface KnownWithdrawals {
  /** By operations, some of which may have found theirs since. */
  readonly claimed: ReadonlySet<string>;
  /** By looks before the copy was made. */
  readonly seen: ReadonlySet<string>;
}

/**
 * Compares the service's list with what the journal and earlier looks know. A list proves that there is nothing newer
 * only when it is in order and holds something from before the copy, or is empty and always was.
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
  const withdrawals = items.filter(
    (item) => !claimed.has(item.txid) && !seen.has(item.txid) && !isBefore(item),
  );
  if (withdrawals.length > 0) return { kind: "held", why: "newer", withdrawals };
  const reachesBack =
    items.length === 0
      ? claimed.size === 0
      : isNewestFirstWhereDated(items) &&
        items.some((item) => seen.has(item.txid) || isBefore(item));
  return reachesBack ? { kind: "clear" } : { kind: "held", why: "short", withdrawals: [] };
};

/** Names a question, so that a click answers the one that its message showed and no other. */
export const answerIdOf = (
  { accountFp, number }: Pick<RestoreHold, "accountFp" | "number">,
  why: HoldReason,
  txids: readonly string[],
): string => {
  const about = [accountFp, String(number), why, ...[...txids].sort()].join("|");
  return createHash("sha256").update(about).digest("hex").slice(0, ANSWER_ID_LENGTH);
};
