import type { Balance, ListedWithdrawal, Withdrawal } from "./withdrawal.ts";
import type { PixKey } from "./pix-key.ts";
import type { HoldQuestion } from "./restore-hold.ts";
import type { RejectReason } from "./withdraw-answer.ts";
import type { WithdrawEvent } from "./withdraw-journal.ts";
import type { WithdrawOp } from "./withdraw-op.ts";
import type { WithdrawQuote } from "./withdraw-quote.ts";
import type { WalletErrorKind } from "../shared/errors.ts";
import type { Cents } from "../shared/money.ts";

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
    readonly masked: string;
    readonly type: PixKey["type"];
    readonly suspect: boolean;
  };
  /** Holder as the service names it; undefined when it does not say. */
  readonly holderName: string | undefined;
  readonly bankName: string | undefined;
  /** Of `/saque`: the chosen speed, and the other one for comparison. Undefined for a split withdrawal. */
  readonly quotes: { readonly chosen: WithdrawQuote; readonly other: WithdrawQuote } | undefined;
  readonly available: Cents | undefined;
  /** The 24-hour rule holds now: the service may refuse before then. */
  readonly allowedFrom: Temporal.Instant | undefined;
  /** When the next one will be allowed, if this one goes out now. */
  readonly nextAllowedAt: Temporal.Instant;
  /** 20:00 to 06:00 in Brasília: reduced limits. */
  readonly night: boolean;
  /** Split balance that was last seen of this recipient, and when. */
  readonly lastSplitBalance: { readonly balance: Cents; readonly at: Temporal.Instant } | undefined;
  /** Whether the key is among the saved ones. */
  readonly keySaved: boolean;
}

/** Eleven digits that are both: the buttons carry the token, the service keeps the rest. */
export interface KeyQuestion {
  readonly kind: "key_question";
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
  readonly readAt: Temporal.Instant;
}

export interface WithdrawalDetail {
  /** Undefined for a withdrawal that the bot did not start. */
  readonly op: WithdrawOp | undefined;
  readonly events: readonly WithdrawEvent[];
  readonly withdrawal: Withdrawal | undefined;
  readonly problem: WalletErrorKind | undefined;
  readonly readAt: Temporal.Instant;
}

/** What `/saldo` shows. Undefined: the service did not say, or could not be asked. */
export interface BalanceView {
  readonly balance: Balance | undefined;
  readonly frozen: Cents | undefined;
  /** Withdrawals on their way: of ours, and of the service's list when it could be read. */
  readonly open: WithdrawOp | undefined;
  readonly elsewhereOpen: readonly ListedWithdrawal[] | undefined;
  /** By the 24-hour rule; undefined: now, as far as is known. */
  readonly allowedFrom: Temporal.Instant | undefined;
  /** What the whole balance would net either way; undefined below the minimum. */
  readonly quotes: { readonly normal: WithdrawQuote; readonly turbo: WithdrawQuote } | undefined;
  readonly locked: boolean;
  /** What the owner has to look at before money moves again. */
  readonly question?: HoldQuestion | undefined;
  readonly problems: readonly WalletErrorKind[];
  readonly readAt: Temporal.Instant;
}
