import type { Locale } from "../shared/locale.ts";
import type { Balance, ListedWithdrawal, RejectReason, Withdrawal } from "./withdrawal.ts";
import type { PixKey } from "./pix-key.ts";
import type { HoldQuestion } from "./restore-hold.ts";
import type { WithdrawEvent } from "./withdraw-journal.ts";
import type { RecentWithdrawal, UnderWay, WithdrawQuote } from "./withdraw-limits.ts";
import type { WithdrawOp, WithdrawState } from "./withdraw-op.ts";
import type { WalletErrorKind } from "../shared/errors.ts";
import type { Cents } from "../shared/money.ts";
import type { Secret } from "../shared/secret.ts";

/** All that the person reads before money moves. */
export interface Confirmation {
  readonly kind: "confirmation";
  readonly op: WithdrawOp;
  /** Random, single use; goes into the buttons. */
  readonly token: string;
  readonly expiresAt: Temporal.Instant;
  /** 1: this click sends it. 2: another confirmation follows. */
  readonly confirmationsLeft: number;
  /** Why there are two of them. */
  readonly askedTwice: readonly ("new_key" | "unreadable_list" | "split" | "suspect_key")[];
  readonly pinRequired: boolean;
  readonly pixKey: {
    /** Whole, for its owner to check. */
    readonly value: Secret;
    readonly type: PixKey["type"];
    readonly suspect: boolean;
  };
  /** Holder as the service names it; undefined when it does not say. */
  readonly holderName: string | undefined;
  readonly bankName: string | undefined;
  /** Of `/saque`: the chosen speed, and the other one for comparison. Undefined for a split withdrawal. */
  readonly quotes: { readonly chosen: WithdrawQuote; readonly other: WithdrawQuote } | undefined;
  readonly available: Cents | undefined;
  /** Another withdrawal of the account went out since this confirmation was shown: it is asked for once more. */
  readonly sentMeanwhile: boolean;
  /** What the service has already: it may refuse this one because of them. */
  readonly underWay: readonly UnderWay[];
  /** The last one was less than 24 hours ago: the service may refuse this one. */
  readonly recent: RecentWithdrawal | undefined;
  /** When the next one will be allowed, as far as is known, if this one goes out now. */
  readonly nextAllowedAt: Temporal.Instant;
  /** See `isNight`: reduced limits, in a zone that the service does not name. */
  readonly night: boolean;
  /** Split balance that was last seen of this recipient, and when. */
  readonly lastSplitBalance: { readonly balance: Cents; readonly at: Temporal.Instant } | undefined;
  /** Whether the key is among the saved ones. */
  readonly keySaved: boolean;
}

/** Eleven digits that are both: the buttons carry the token, the service keeps the rest. */
export interface KeyQuestion {
  readonly kind: "key_question";
  readonly op: WithdrawOp;
  readonly token: string;
  readonly expiresAt: Temporal.Instant;
}

/** What the answer to the one POST said, for the message that is shown at once; the journal keeps the rest. */
export interface SentFacts {
  readonly rejected:
    | {
        readonly reason: RejectReason;
        readonly message: string | undefined;
        readonly retryAfterMs: number | undefined;
        readonly shortfall: { readonly available: Cents; readonly minimum: Cents } | undefined;
      }
    | undefined;
  /** Of a request that our own pacing kept back: when its turn would have come. */
  readonly pacedForMs?: number | undefined;
  readonly pixKeyOwner: string | undefined;
  readonly previousSplitBalance: Cents | undefined;
  readonly newSplitBalance: Cents | undefined;
}

/** One operation as it stands, with what the service says of it now. */
export interface WithdrawStatus {
  readonly kind: "status";
  readonly op: WithdrawOp;
  /** The service's own detail; undefined when there is no txid yet or it cannot be read. */
  readonly withdrawal: Withdrawal | undefined;
  /** Why it could not be read, when it was tried. */
  readonly problem: WalletErrorKind | undefined;
  /** What leads the support to it: `X-Request-ID`, or the reference of our log. */
  readonly supportCodes?: readonly string[] | undefined;
  readonly readAt: Temporal.Instant;
  readonly sent: SentFacts | undefined;
  /** The key may still be saved. */
  readonly keySavable: boolean;
}

export interface WithdrawalList {
  readonly ops: readonly WithdrawOp[];
  /** The service's list without what operations have claimed; undefined when it could not be read. */
  readonly elsewhere: readonly ListedWithdrawal[] | undefined;
  /** What the owner has to look at before money moves again. */
  readonly question?: HoldQuestion | undefined;
  readonly problem: WalletErrorKind | undefined;
  /** What leads the support to it: `X-Request-ID`, or the reference of our log. */
  readonly supportCodes?: readonly string[] | undefined;
  readonly readAt: Temporal.Instant;
}

export interface WithdrawalDetail {
  /** Undefined for a withdrawal that the bot did not start. */
  readonly op: WithdrawOp | undefined;
  readonly events: readonly WithdrawEvent[];
  readonly withdrawal: Withdrawal | undefined;
  readonly problem: WalletErrorKind | undefined;
  /** What leads the support to it: `X-Request-ID`, or the reference of our log. */
  readonly supportCodes?: readonly string[] | undefined;
  readonly readAt: Temporal.Instant;
}

/** What `/saldo` shows. Undefined: the service did not say, or could not be asked. */
export interface BalanceView {
  readonly balance: Balance | undefined;
  readonly frozen: Cents | undefined;
  /** The person's own withdrawals that are not over, newest first. */
  readonly open: readonly WithdrawOp[];
  /** Rows of the service's list that are under way and began elsewhere; undefined when it could not be read. */
  readonly elsewhereOpen: readonly ListedWithdrawal[] | undefined;
  /** The state of the operation whose outcome is not known, anybody's, which locks the account. */
  readonly lock: WithdrawState | undefined;
  /** Of anybody and from anywhere: the service may refuse another one while they are not over. */
  readonly underWay: readonly UnderWay[];
  readonly recent: RecentWithdrawal | undefined;
  /** The person's own limit; `freesAt` when less than the minimum withdrawal is left of it. */
  readonly cap:
    | { readonly cap: Cents; readonly left: Cents; readonly freesAt: Temporal.Instant | undefined }
    | undefined;
  /** What the whole balance would net either way; undefined below the minimum. */
  readonly quotes: { readonly normal: WithdrawQuote; readonly turbo: WithdrawQuote } | undefined;
  readonly locked: boolean;
  /** What the owner has to look at before money moves again. */
  readonly question?: HoldQuestion | undefined;
  readonly problems: readonly WalletErrorKind[];
  /** What leads the support to them. */
  readonly supportCodes?: readonly string[] | undefined;
  readonly readAt: Temporal.Instant;
}

/** What a direct message or an edited reply is made of; `views/` makes the words. */
export interface OutcomeFacts {
  readonly op: WithdrawOp;
  readonly withdrawal: Withdrawal | undefined;
  readonly reference: string;
}

interface WatchFacts {
  /** Who reads it, and whom its button to lock is for. */
  readonly ownerId: string;
  /** Empty when what it tells of was done in a direct message. */
  readonly guildId: string;
  readonly locale: Locale;
  readonly reference: string;
  readonly noticedAt: Temporal.Instant;
}

export interface ExternalWithdrawalFacts extends WatchFacts {
  readonly txid: string;
  readonly withdrawal: Withdrawal | undefined;
}

export interface RestoredFacts extends WatchFacts {
  readonly question: HoldQuestion;
}

export interface GuardFacts extends WatchFacts {
  readonly change:
    | "locked"
    | "unlock_asked"
    | "pin_removal_asked"
    | "cap_raise_asked"
    | "wait_end_asked"
    | "new_key"
    /** Too many wrong PINs; `from` is when the next one may be tried. */
    | "pin_locked";
  /** When it begins to hold. */
  readonly from: Temporal.Instant | undefined;
}
